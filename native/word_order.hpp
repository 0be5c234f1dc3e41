// How the words of a hypothesis are ordered in a reference.
#pragma once

#include <cstdint>
#include <vector>

#include "edits.hpp"
#include "reader.hpp"

namespace tricolore::counting {

// A row is: words aligned, pairs of them in the same order in both texts, hypothesis length, reference length.
struct OrderCounting {
  static constexpr std::size_t block_size = 16;
  static constexpr bool compares_words_only = true;
  Reading reading;
  bool left_first = false;  // which of two contexts of the same length decides
  bool as_nltk = false;     // leave out a context of all words before the word where fewer follow it

  std::size_t columns() const { return 4; }
};

class OrderWorkspace {
 public:
  void count(const OrderCounting& what, const SegmentView& segment, double* rows);

 private:
  // The shortest context, of a word and those after it, that is in both texts exactly once; its length is 0 if there is
  // none. `at` is where it begins in the reference.
  struct Context {
    std::size_t length = 0, at = 0;
  };
  // The longest n-grams from a place on that are in the reference once and twice, and where the first of them is.
  struct Match {
    std::size_t longest = 0, second = 0, at = 0;
  };

  void find_repeats(Sequence hypothesis, std::vector<std::size_t>& repeats);
  void find_contexts(Sequence hypothesis, Sequence reference, const std::vector<std::size_t>& repeats,
                     std::vector<Context>& contexts);
  std::uint64_t ascending_pairs(std::size_t places);

  SegmentReader reader_;
  Words words_;
  std::vector<std::uint32_t> backwards_, reference_backwards_;
  std::vector<std::size_t> repeats_, repeats_backwards_;  // the longest n-gram from each place that occurs elsewhere
  std::vector<std::size_t> row_;
  std::vector<Context> right_, left_;
  std::vector<std::size_t> aligned_;  // places in the reference, in the order of the hypothesis
  std::vector<std::uint64_t> up_to_;  // a Fenwick tree of the places seen
};

}  // namespace tricolore::counting
