#include "white_space.hpp"

#include <algorithm>

#include "characters.hpp"

namespace tricolore {

// Most texts have no code point that could be any, which is seen for many at once.
bool has_spaces_only(const TextView& text) {
  return with_units(text, [](auto units) {
    using Unit = typename decltype(units)::value_type;
    if constexpr (sizeof(Unit) == 1) {  // most are ASCII, and have no control characters
      Unit lowest = ' ', all = 0;
      for (const Unit c : units) {
        lowest = std::min(lowest, c);
        all |= c;
      }
      if (lowest == ' ' && all < 0x80) return true;
    }
    Unit suspect = 0;
    for (const Unit c : units) {
      suspect |= static_cast<Unit>(c < ' ') | static_cast<Unit>(c == 0x85) | static_cast<Unit>(c == 0xA0);
      if constexpr (sizeof(Unit) > 1)
        suspect |=
            static_cast<Unit>(c == 0x1680) | static_cast<Unit>((c & 0xFF80) == 0x2000) | static_cast<Unit>(c == 0x3000);
    }
    return suspect == 0 || std::ranges::none_of(units, [](Unit c) { return is_space(c) && c != ' '; });
  });
}

bool has_space(const TextView& text) {
  return with_units(text, [](auto units) { return std::ranges::any_of(units, [](auto c) { return is_space(c); }); });
}

}  // namespace tricolore
