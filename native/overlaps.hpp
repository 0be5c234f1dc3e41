// What a hypothesis and a reference have in common: n-grams, subsequences, skip-bigrams.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "edits.hpp"
#include "matches.hpp"
#include "reader.hpp"
#include "vocabulary.hpp"

namespace tricolore::counting {

// One way to say how much two texts share; each makes three columns: what is shared, what the hypothesis has, and what
// the reference has.
struct Overlap {
  enum class Kind {
    ngrams,        // of all orders from `lowest` to `highest`; shared as often as in the text that has fewer
    subsequence,   // words of the longest common subsequence
    weighted,      // the same of Lin & Och (2004): k words in a row are worth k^weight, and so are those of a text
    skip_bigrams,  // words in order with at most `skip` words between them, and single words if `unigrams`
  };
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  Kind kind = Kind::ngrams;
  std::size_t lowest = 1, highest = 1;
  double weight = 1.0;
  std::size_t skip = no_limit;
  bool unigrams = false;
};

// Several of them, for one reading of the text.
struct OverlapCounting {
  static constexpr std::size_t block_size = 64;
  static constexpr bool compares_words_only = true;
  Reading reading;
  std::vector<Overlap> overlaps;

  std::size_t columns() const { return 3 * overlaps.size(); }
};

// Several weights go through the table together: what matches, and how many matches in a row there are, is the same.
class WeightedSubsequences {
 public:
  // A row for each of some overlaps, which differ in their weights.
  void count(std::span<const Overlap> what, Sequence hypothesis, Sequence reference, double* rows);

 private:
  static constexpr std::size_t most_lanes = 4;

  // The weights of one way through the table, and what runs of 0, 1, ... matches are worth by each of them.
  struct Lanes {
    std::array<double, most_lanes> weights{};
    std::vector<double> worths;
  };

  template <std::size_t lanes>
  void count_lanes(std::span<const Overlap> what, Lanes& by, Sequence hypothesis, Sequence reference, double* rows);
  template <std::size_t lanes>
  const double* shared(const std::vector<double>& worths, Sequence hypothesis, Sequence reference);

  std::vector<Lanes> lanes_;
  // Two rows of the table. A place has what the best way there is worth; how many matches in a row end in it, and what
  // the way was worth before the first of them.
  std::vector<double> worth_, worth_above_, before_, before_above_;
  std::vector<std::uint32_t> run_, run_above_;
};

class SkipBigrams {
 public:
  // How far apart the two words of a pair may be.
  static std::size_t reach(const Overlap& what) { return what.skip == Overlap::no_limit ? what.skip : what.skip + 1; }
  // How many a text of some length has, and how many two texts share, single words included if they count.
  static double of(const Overlap& what, std::size_t length);
  double shared(const Overlap& what, Sequence hypothesis, Sequence reference, std::uint32_t types);

 private:
  std::uint64_t shared_pairs(std::size_t reach, Sequence hypothesis, Sequence reference, std::uint32_t types);
  std::uint64_t shared_unigrams(Sequence hypothesis, Sequence reference, std::uint32_t types);

  // Where each type stands last in a text, and for each place where the type stood before.
  std::vector<std::size_t> last_hypothesis_, earlier_hypothesis_, last_reference_, earlier_reference_;
  std::vector<std::uint64_t> left_;  // second words of the reference that are yet to be matched
};

// Reads a segment once and counts all overlaps of its hypothesis with each of its references, a row each.
class OverlapWorkspace {
 public:
  void count(const OverlapCounting& what, const SegmentView& segment, double* rows);

 private:
  // How many n-grams of each order up to the highest are shared.
  void match_ngrams(std::size_t highest, Sequence hypothesis, Sequence reference);
  double shared_ngrams(const Overlap& what) const;

  SegmentReader reader_;
  Words words_;
  PairMatcher matcher_;
  std::vector<double> matches_;
  BitParallel subsequences_;
  WeightedSubsequences weighted_;
  SkipBigrams skip_bigrams_;
};

}  // namespace tricolore::counting
