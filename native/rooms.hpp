// Where a segment's texts are read into, in the width of the widest of them.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "text.hpp"
#include "vocabulary.hpp"

namespace tricolore {

// Texts side by side, and the types found in them.
template <class Unit>
struct Room {
  Arena<Unit> arena;
  Vocabulary<Unit> vocabulary;
};

// A room for each width, kept from segment to segment.
class Rooms {
 public:
  // Call read(room) with an arena that is empty and has room for all texts of the segment.
  template <class Read>
  void with(const SegmentView& segment, Read&& read) {
    switch (segment.width()) {
      case 1:
        return read(made_ready(narrow_, segment));
      case 2:
        return read(made_ready(wide_, segment));
      default:
        return read(made_ready(widest_, segment));
    }
  }

 private:
  template <class Unit>
  static Room<Unit>& made_ready(Room<Unit>& room, const SegmentView& segment) {
    std::size_t units = segment.hypothesis.size + Arena<Unit>::padding;
    for (const auto& text : segment.references) units += text.size + Arena<Unit>::padding;
    if (units > absent / 2)
      throw std::length_error("a segment of more than two thousand million characters cannot be counted");
    room.arena.reset(units);
    return room;
  }

  Room<std::uint8_t> narrow_;
  Room<std::uint16_t> wide_;
  Room<std::uint32_t> widest_;
};

}  // namespace tricolore
