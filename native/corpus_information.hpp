// NIST's information of n-grams, learnt from all references of a corpus, and what hypotheses gain by it as NLTK has it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vocabulary.hpp"

namespace tricolore::counting {

// A corpus of numbered words. The texts of a segment are its hypothesis, then its references, of which it has some.
struct NumberedCorpus {
  std::span<const std::uint32_t> words;
  std::uint32_t first_word = 0;               // the lowest number
  std::span<const std::size_t> text_ends;     // in words
  std::span<const std::size_t> segment_ends;  // in texts
  std::size_t types = 0;
};

// How Python sums: what rounding loses is added at the end from Python 3.12 on.
struct Summing {
  bool compensated = false;
};

class CorpusInformation {
 public:
  // What one order contributes, summed over segments: information gained, n-grams of the hypotheses, and words of the
  // references that they gained it from.
  struct Order {
    double gained = 0.0;
    std::uint64_t ngrams = 0, reference_words = 0;
  };

  //   information of w₁ … wₙ = log₂ (count of w₁ … wₙ₋₁ / count of w₁ … wₙ)
  //
  // For every order, a segment has the reference from which it gains most, the longest of several. N-grams are summed
  // in the order in which the hypothesis has them first, and `log_of_two` divides natural logarithms, so that results
  // are those of NLTK to the last bit.
  std::vector<Order> gains(const NumberedCorpus& corpus, int order, double log_of_two, Summing summing);

 private:
  // How often an n-gram occurs in the hypothesis at hand, and in one of its references.
  struct Occurrences {
    std::uint32_t in_hypothesis = 0, in_reference = 0;
    bool matched = false;
  };
  // The words of a text, from `begin` to `end` of the corpus.
  struct Text {
    std::size_t begin, end;
  };

  Text text(std::size_t t) const;
  template <class Use>
  void for_longer(const Text& text, std::size_t order, Use&& use);
  void start();
  void lengthen(std::size_t order);
  void count_segment(std::size_t first, std::size_t last, std::size_t order, Order& sums);
  double gained_from(const Text& reference);

  NumberedCorpus corpus_;
  double log_of_two_ = 0.0;
  Summing summing_;
  PairNumbers numbers_;
  std::vector<std::uint32_t> nodes_;  // the n-gram that begins at each word of the corpus
  std::vector<std::uint32_t> counts_, counts_before_, prefix_counts_;  // in all references, by n-gram
  std::vector<Occurrences> occurrences_;                               // by n-gram
  std::vector<std::uint32_t> shared_;                                  // n-grams of the hypothesis at hand
};

}  // namespace tricolore::counting
