// What a code point is: white space as Python sees it, punctuation, symbol, number and so on as Unicode says.
#pragma once

#include <array>
#include <cstdint>

namespace tricolore {

struct CharacterRange {
  char32_t first, last;
  std::uint8_t kind;
};

#include "unicode_ranges.inc"

enum class Category : std::uint8_t {
  other = 0,
  punctuation = 1,
  symbol = 2,
  number = 3,
  mark = 4,
  unspaced = 5  // a letter of a script that is written without spaces
};

// The Unicode general category, coarsely; 1 byte per code point, filled at the first call.
Category category(char32_t c);

// The code points at which Python's str.split() cuts.
constexpr bool is_space_by_rule(char32_t c) {
  if (c <= 0x20) return c == 0x20 || (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x1F);
  if (c < 0x1680) return c == 0x85 || c == 0xA0;
  return c == 0x1680 || (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

inline constexpr auto latin_spaces = [] {
  std::array<bool, 256> table{};
  for (char32_t c = 0; c < 256; ++c) table[c] = is_space_by_rule(c);
  return table;
}();

// The same for the first 256, 1 or 0, without branches, so that many are looked at together.
constexpr std::uint8_t latin_space_flag(std::uint8_t c) {
  const auto within = [c](int first, int last) -> std::uint8_t {
    return static_cast<std::uint8_t>(c - first) <= static_cast<std::uint8_t>(last - first);
  };
  return within(0x09, 0x0D) | within(0x1C, 0x20) | (c == 0x85) | (c == 0xA0);
}

inline bool is_space(char32_t c) { return c < 256 ? latin_spaces[c] : is_space_by_rule(c); }

}  // namespace tricolore
