// Bytes of a file as lines of text: checked to be UTF-8, cut where they lie, and handed on as a column.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "arrow.hpp"

namespace tricolore::arrow {

// What the beginning of a file holds: bytes of whole characters, and the line feeds among them.
struct WholeCharacters {
  std::size_t bytes = 0;
  std::size_t lines = 0;
};

// All characters of some bytes but for one that breaks off at the end; nothing if the bytes are not UTF-8 (RFC 3629),
// or one of them is zero.
std::optional<WholeCharacters> whole_characters(std::string_view bytes);

// Lines of UTF-8 as a column of texts that lie where the bytes do, with `strip` without the white space at their ends.
// The last line need not end in a line feed. `release(owner)` is called once the column is gone.
Column column_of_lines(std::string_view bytes, bool strip, void* owner, void (*release)(void*));

}  // namespace tricolore::arrow
