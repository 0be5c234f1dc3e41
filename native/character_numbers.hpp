// Characters to small numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "vocabulary.hpp"

namespace tricolore {

// Numbers 0, 1, 2, ... for characters as they come. Those of the first 65,536 code points, nearly all there are, have a
// place of their own; the others share a table.
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

}  // namespace tricolore
