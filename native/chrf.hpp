// Character n-grams, and words cut as chrF++ cuts them.
#pragma once

#include <cstdint>
#include <vector>

#include "matches.hpp"
#include "reader.hpp"
#include "vocabulary.hpp"

namespace tricolore {

// Characters to small numbers. Those of the first 65,536 code points, nearly all there are, have a place of their own.
class CharacterNumbers {
 public:
  void reset() {
    if (places_.empty()) places_.resize(0x10000);
    if (++stamp_ == 0) {
      std::fill(places_.begin(), places_.end(), Place{});
      stamp_ = 1;
    }
    far_.reset(slots_for(64));
    far_count_ = 0;
    count_ = 0;
  }

  std::uint32_t intern(std::uint32_t unit) {
    if (unit < 0x10000) {
      Place& place = places_[unit];
      if (place.stamp != stamp_) place = {stamp_, count_++};
      return place.number;
    }
    auto& entry = far_.find(unit, unit, [](std::uint32_t) { return true; });
    if (far_.taken(entry)) return entry.value;
    const std::uint32_t number = count_++;
    far_.take(entry, unit, number);
    far_units_.resize(far_count_);
    far_units_.push_back({unit, number});
    if (++far_count_ * 2 > far_.slots()) grow();
    return number;
  }

  std::uint32_t find(std::uint32_t unit) {
    if (unit < 0x10000) return places_[unit].stamp == stamp_ ? places_[unit].number : absent;
    const auto& entry = far_.find(unit, unit, [](std::uint32_t) { return true; });
    return far_.taken(entry) ? entry.value : absent;
  }

  std::uint32_t size() const { return count_; }

 private:
  struct Place {
    std::uint32_t stamp = 0, number = 0;
  };
  struct Far {
    std::uint32_t unit, number;
  };

  void grow() {
    far_.reset(2 * far_.slots());
    for (const Far& one : far_units_)
      far_.take(far_.find(one.unit, one.unit, [](std::uint32_t) { return true; }), one.unit, one.number);
  }

  std::vector<Place> places_;
  std::uint32_t stamp_ = 0, count_ = 0;
  StampedTable<std::uint32_t> far_;
  std::vector<Far> far_units_;
  std::size_t far_count_ = 0;
};

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
  struct Room {
    Arena<Unit> arena;
    Vocabulary<Unit> vocabulary;
  };

  template <class Unit>
  void read(const ChrfCounting& what, const SegmentView& segment, Room<Unit>& room);
  double* count_orders(const Words& words, std::size_t k, int orders, double* row);

  Room<std::uint8_t> narrow_;
  Room<std::uint16_t> wide_;
  Room<std::uint32_t> widest_;
  CharacterNumbers numbers_;
  Words characters_, words_;
  PairMatcher matcher_;
  std::vector<double> matches_;
};

}  // namespace tricolore
