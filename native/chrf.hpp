// Character n-grams, and words cut as chrF++ cuts them.
#pragma once

#include <cstdint>
#include <vector>

#include "character_numbers.hpp"
#include "matches.hpp"
#include "reader.hpp"
#include "rooms.hpp"
#include "vocabulary.hpp"

namespace tricolore {

// What to count: for each order of characters, then of words: n-grams of the hypothesis, of the reference, and matches.
// As in sacreBLEU, n-grams of the hypothesis count only where the reference has some of that order.
struct ChrfCounting {
  static constexpr std::size_t block_size = 64;
  int character_orders = 6;
  int word_orders = 0;
  bool whitespace = false;

  std::size_t columns() const { return 3 * static_cast<std::size_t>(character_orders + word_orders); }
};

class ChrfWorkspace {
 public:
  void count(const ChrfCounting& what, const SegmentView& segment, double* rows);

 private:
  template <class Unit>
  void read(const ChrfCounting& what, const SegmentView& segment, Room<Unit>& room);
  double* count_orders(const Words& words, std::size_t k, int orders, double* row);

  Rooms rooms_;
  CharacterNumbers numbers_;
  Words characters_, words_;
  PairMatcher matcher_;
  std::vector<double> matches_;
};

}  // namespace tricolore
