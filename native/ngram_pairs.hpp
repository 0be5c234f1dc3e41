// Clipped n-gram matches of a hypothesis with each of its references alone.
#pragma once

#include <vector>

#include "matches.hpp"
#include "reader.hpp"

namespace tricolore::counting {

// What to count: matches of order 1..N, n-grams of the hypothesis of order 1..N, words of the hypothesis and of the
// reference; with `characters`, also how many characters of each are not white space.
struct NgramPairCounting {
  static constexpr std::size_t block_size = 64;
  static constexpr bool compares_words_only = false;
  Reading reading;
  int order = 4;
  bool characters = false;

  std::size_t columns() const { return 2 * static_cast<std::size_t>(order) + (characters ? 4 : 2); }
};

class NgramPairWorkspace {
 public:
  void count(const NgramPairCounting& what, const SegmentView& segment, double* rows);

 private:
  SegmentReader reader_;
  Words words_, characters_;
  PairMatcher matcher_;
};

}  // namespace tricolore::counting
