// Views of Python strings without copying or encoding them, and the buffer a segment's texts are read into.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace tricolore {

// A string as CPython stores it: `size` code points of `width` bytes each (1, 2 or 4). Or token ids instead of
// text, as units of 4 bytes that are no code points, so that none is mistaken for a space.
struct TextView {
  const void* data;
  std::size_t size;
  std::uint8_t width;
  bool ids = false;
};

inline constexpr std::uint32_t first_id = 0x110000;

// Call act(units) with the code points of a text, in the width they have.
template <class Act>
auto with_units(const TextView& text, Act&& act) {
  switch (text.width) {
    case 1:
      return act(std::span(static_cast<const std::uint8_t*>(text.data), text.size));
    case 2:
      return act(std::span(static_cast<const std::uint16_t*>(text.data), text.size));
    default:
      return act(std::span(static_cast<const std::uint32_t*>(text.data), text.size));
  }
}

// Units of a text that follow each other.
struct Slice {
  std::uint32_t begin, size;
};

// One segment: a hypothesis and at least one reference.
struct SegmentView {
  TextView hypothesis;
  std::span<const TextView> references;

  std::uint8_t width() const {
    std::uint8_t widest = hypothesis.width;
    for (const auto& reference : references) widest = reference.width > widest ? reference.width : widest;
    return widest;
  }
};

// Room for the texts of one segment, all in the width of the widest. Every text is followed by padding,
// so that sixteen may be read from any code point on.
template <class Unit>
class Arena {
 public:
  static constexpr std::size_t padding = 16;

  void reset(std::size_t room) {
    if (units_.size() < room) units_.resize(room + room / 2);
    used_ = 0;
  }

  // Copy a text in and return where it starts; `reset` must have made room for it.
  std::size_t append(const TextView& text) {
    Unit* target = units_.data() + used_;
    with_units(text, [&](auto units) { widen(units.data(), units.size(), target); });
    const std::size_t start = used_;
    used_ += text.size + padding;
    return start;
  }

  Unit* data() { return units_.data(); }
  Unit operator[](std::size_t i) const { return units_[i]; }
  std::size_t capacity() const { return units_.size(); }

 private:
  template <class Source>
  static void widen(const Source* source, std::size_t size, Unit* target) {
    if constexpr (sizeof(Source) == sizeof(Unit)) {
      if (size > 0) std::memcpy(target, source, size * sizeof(Unit));  // no numbers may have no address
    } else {
      for (std::size_t i = 0; i < size; ++i) target[i] = static_cast<Unit>(source[i]);
    }
  }

  std::vector<Unit> units_;
  std::size_t used_ = 0;
};

}  // namespace tricolore
