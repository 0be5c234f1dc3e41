// What a hypothesis and a reference have in common: n-grams, subsequences, skip-bigrams. A row is always how much they
// share, how much the hypothesis has, and how much the reference has.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "edits.hpp"
#include "reader.hpp"
#include "vocabulary.hpp"

namespace tricolore {

// Reads a segment and counts what its hypothesis shares with each of its references, one row each.
class OverlapWorkspace {
 protected:
  // compare(hypothesis, reference, row) fills the row of one reference.
  template <class Compare>
  void count_pairs(const Reading& how, const SegmentView& segment, double* rows, Compare&& compare) {
    reader_.read(how, segment, words_);
    for (std::size_t k = 0; k < words_.reference_ends.size(); ++k, rows += 3)
      compare(Sequence(words_.hypothesis), words_.reference(k), rows);
  }

  std::uint32_t types() const { return words_.types; }

 private:
  SegmentReader reader_;
  Words words_;
};

// n-grams of all orders from `lowest` to `highest`; one is shared as often as the text has it that has it less often.
struct NgramOverlap {
  static constexpr std::size_t block_size = 64;
  Reading reading;
  std::size_t lowest = 1, highest = 1;

  std::size_t columns() const { return 3; }
};

class NgramOverlapWorkspace : OverlapWorkspace {
 public:
  void count(const NgramOverlap& what, const SegmentView& segment, double* rows);

 private:
  std::size_t shared_short(const NgramOverlap& what, Sequence hypothesis, Sequence reference);
  std::size_t shared_long(const NgramOverlap& what, Sequence hypothesis, Sequence reference);

  std::vector<std::uint64_t> positions_;  // shared_short
  std::vector<std::uint8_t> taken_;

  PairNumbers pairs_;  // shared_long
  std::vector<std::uint32_t> hypothesis_grams_, reference_grams_;
  std::vector<std::int64_t> left_;
  std::vector<bool> wanted_;
};

// The longest common subsequence.
struct SubsequenceOverlap {
  static constexpr std::size_t block_size = 64;
  Reading reading;

  std::size_t columns() const { return 3; }
};

class SubsequenceWorkspace : OverlapWorkspace {
 public:
  void count(const SubsequenceOverlap& what, const SegmentView& segment, double* rows);

 private:
  BitParallel bits_;
};

// The weighted longest common subsequence of Lin & Och (2004): k matches in a row are worth k^weight, and so are the
// words of a whole text.
struct WeightedOverlap {
  static constexpr std::size_t block_size = 16;
  Reading reading;
  double weight = 1.0;

  std::size_t columns() const { return 3; }
};

class WeightedWorkspace : OverlapWorkspace {
 public:
  void count(const WeightedOverlap& what, const SegmentView& segment, double* rows);

 private:
  // A place in the table: what the best way there is worth; how many matches in a row end in it, and what the way was
  // worth before the first of them.
  struct Place {
    double worth = 0.0, before = 0.0;
    std::uint32_t run = 0;
  };

  double shared(Sequence hypothesis, Sequence reference);
  void make_worths(double weight, std::size_t most);

  double weight_ = 0.0;
  std::vector<double> worths_;  // of runs of 0, 1, ... matches
  std::vector<Place> row_;
};

// Pairs of words in order with at most `skip` words between them, and the words themselves if `unigrams`.
struct SkipBigramOverlap {
  static constexpr std::size_t block_size = 64;
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();
  Reading reading;
  std::size_t skip = no_limit;
  bool unigrams = false;

  std::size_t columns() const { return 3; }
};

class SkipBigramWorkspace : OverlapWorkspace {
 public:
  void count(const SkipBigramOverlap& what, const SegmentView& segment, double* rows);

 private:
  std::uint64_t shared(std::size_t reach, Sequence hypothesis, Sequence reference);
  std::uint64_t shared_unigrams(Sequence hypothesis, Sequence reference);
  void chain(Sequence words, std::vector<std::size_t>& last, std::vector<std::size_t>& earlier) const;

  // Where each type stands last in a text, and for each place where the type stood before.
  std::vector<std::size_t> last_hypothesis_, earlier_hypothesis_, last_reference_, earlier_reference_;
  std::vector<std::uint64_t> left_;  // second words of the reference that are yet to be matched
};

}  // namespace tricolore
