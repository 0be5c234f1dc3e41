// Character n-grams, and words cut as chrF++ cuts them.
#pragma once

#include <cstdint>
#include <vector>

#include "character_numbers.hpp"
#include "matches.hpp"
#include "reader.hpp"
#include "segment_arenas.hpp"
#include "vocabulary.hpp"

namespace tricolore::counting {

// What to count: for each order of characters, then of words: n-grams of the hypothesis, of the reference, and matches.
// As in sacreBLEU, n-grams of the hypothesis count only where the reference has some of that order.
struct ChrfCounting {
  static constexpr std::size_t block_size = 64;
  static constexpr bool compares_words_only = false;
  int character_orders = 6;
  int word_orders = 0;
  bool whitespace = false;

  std::size_t columns() const { return 3 * static_cast<std::size_t>(character_orders + word_orders); }
};

// Reads segments one after another: characters, and words if any are to be counted.
class ChrfReader {
 public:
  void read(const ChrfCounting& what, const SegmentView& segment);

  const Words& characters() const { return characters_; }
  const Words& words() const { return words_; }

 private:
  template <class Unit>
  void read(const ChrfCounting& what, const SegmentView& segment, SegmentArena<Unit>& room);

  SegmentArenas arenas_;
  CharacterNumbers numbers_;
  Words characters_, words_;
};

class ChrfWorkspace {
 public:
  void count(const ChrfCounting& what, const SegmentView& segment, double* rows);

 private:
  double* count_orders(const Words& words, std::size_t k, int orders, double* row);

  ChrfReader reader_;
  PairMatcher matcher_;
  std::vector<double> matches_;
};

}  // namespace tricolore::counting
