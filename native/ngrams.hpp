// Clipped n-gram matches of a hypothesis against several references.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "information.hpp"
#include "matches.hpp"
#include "reader.hpp"
#include "vocabulary.hpp"

namespace tricolore::counting {

enum class ReferenceLength : int { closest, shortest, average };

// What to count, and so what a row holds:
//   matches of order 1..match_orders (weighted if `information` is given), n-grams of order 1..total_orders,
//   hypothesis length, reference length, and min of the two if `clipped_length`.
struct NgramCounting {
  Reading reading;
  int match_orders = 4;
  int total_orders = 4;
  ReferenceLength reference_length = ReferenceLength::closest;
  bool clipped_length = false;
  const NgramCounts* information = nullptr;

  std::size_t columns() const {
    return static_cast<std::size_t>(match_orders + total_orders) + 2 + (clipped_length ? 1 : 0);
  }
};

// Everything a thread reuses from segment to segment.
class NgramWorkspace {
 public:
  void count(const NgramCounting& what, const SegmentView& segment, double* row);

  // The same against the references that the corpus counts were taken from, which need no reading any more.
  void count_learnt(const NgramCounting& what, const TextView& hypothesis, std::size_t segment, double* row);

 private:
  void begin_words(const NgramCounting& what);
  void add_reference_word(std::uint32_t word);
  void end_words(const NgramCounting& what, const TextView& hypothesis);
  void write_row(const NgramCounting& what, double* row);
  double reference_length(ReferenceLength mode) const;
  void expect_bigrams(const NgramCounts& corpus) const;
  double weight(const NgramCounts& corpus, std::size_t i, int n);
  static double weight_at(const NgramCounts& corpus, std::size_t token, int n);

  template <class OnMatch>
  void match(int orders, OnMatch&& on_match);
  template <class OnMatch>
  void match_short(int orders, OnMatch&& on_match);
  template <std::size_t W, class OnMatch>
  void match_single(int orders, OnMatch&& on_match);
  template <class OnMatch>
  void match_long(int orders, OnMatch&& on_match);

  SegmentReader reader_;
  Words words_;

  // With corpus counts the words are theirs, and one that they do not have cannot add weight.
  struct Local {
    std::uint32_t stamp = 0, type = 0;
  };
  // Where the walk through the corpus counts stands that began at a word of the hypothesis.
  struct Place {
    std::uint32_t node = absent;
    int order = 0;
  };
  WordReader word_reader_;
  std::vector<Local> locals_;  // of each word of the corpus
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> corpus_words_;  // of each type
  std::vector<Place> places_;
  std::size_t first_token_ = absent;  // of the segment's references, where they are those that were counted

  std::vector<std::uint64_t> positions_, masks_, taken_;  // match_short, match_single

  PairMatcher pair_;   // for one reference, where matches count alike
  PairNumbers pairs_;  // match_long
  std::vector<std::uint32_t> reference_grams_, hypothesis_grams_, most_, here_, used_;
  std::vector<std::uint32_t> last_seen_in_;
  std::vector<bool> wanted_;
};

}  // namespace tricolore::counting
