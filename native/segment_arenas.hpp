// Where a segment's texts are read into, in the width of the widest of them.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "text.hpp"
#include "vocabulary.hpp"

namespace tricolore {

// Texts side by side, and the types found in them.
template <class Unit>
struct SegmentArena {
  Arena<Unit> arena;
  Vocabulary<Unit> vocabulary;
};

// An arena for each width, kept from segment to segment.
class SegmentArenas {
 public:
  // Call read(room) with one that is empty and has room for all texts of the segment.
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
  static SegmentArena<Unit>& made_ready(SegmentArena<Unit>& room, const SegmentView& segment) {
    std::size_t units = segment.hypothesis.size + Arena<Unit>::padding;
    for (const auto& text : segment.references) units += text.size + Arena<Unit>::padding;
    if (units > absent / 2)
      throw std::length_error("a segment of more than two thousand million characters cannot be counted");
    room.arena.reset(units);
    return room;
  }

  SegmentArena<std::uint8_t> narrow_;
  SegmentArena<std::uint16_t> wide_;
  SegmentArena<std::uint32_t> widest_;
};

}  // namespace tricolore
