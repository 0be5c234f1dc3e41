// UTF-8 text as the core reads it: code points of one, two or four bytes, whatever the text needs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <vector>

#include "text.hpp"

namespace tricolore {

// Room for decoded text, which is used again for the next one.
using DecodedText = std::vector<std::uint32_t>;

// Decode bytes into `room` and return the text; ASCII is returned as it lies. A view of width 0 if it is not UTF-8.
TextView decoded(const char* bytes, std::size_t size, DecodedText& room);

struct NotUtf8 : std::exception {
  const char* what() const noexcept override { return "not UTF-8"; }
};

// Texts as the core reads them, where they may be UTF-8 (of width 0); good until the next segment, or text, is read.
class Decoder {
 public:
  SegmentView operator()(const SegmentView& segment) {
    used_ = 0;
    views_.clear();
    const TextView hypothesis = next(segment.hypothesis);
    for (const TextView& reference : segment.references) views_.push_back(next(reference));
    return {hypothesis, views_};
  }

  TextView operator()(const TextView& text) {
    used_ = 0;
    return next(text);
  }

 private:
  TextView next(const TextView& text) {
    if (text.width != 0) return text;
    if (used_ == rooms_.size()) rooms_.emplace_back();
    const TextView found = decoded(static_cast<const char*>(text.data), text.size, rooms_[used_++]);
    if (found.width == 0) throw NotUtf8();
    return found;
  }

  std::deque<DecodedText> rooms_;
  std::size_t used_ = 0;
  std::vector<TextView> views_;
};

// The decoder of this thread.
inline Decoder& decoder() {
  thread_local Decoder of_thread;
  return of_thread;
}

}  // namespace tricolore
