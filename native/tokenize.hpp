// Tokenisers. Each cuts a text into tokens that are slices of it; none inserts or changes a character
// after `clean` (but for one letter in `split_lowered`), which is what makes one pass without copies possible.
//
// `13a`, `zh` and `intl` are defined elsewhere by successive regular-expression substitutions (mteval-v13a,
// mteval-v14, sacreBLEU). They come down to one rule for runs of points, worked out at `split_points`; the
// tests hold them to the substitutions themselves on random text.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "characters.hpp"

namespace tricolore {

enum class Tokenizer : int {
  none,               // white space
  v13a,               // mteval-v13a, Western punctuation
  intl,               // mteval-v14, Unicode punctuation and symbols
  zh,                 // Chinese characters one by one, the rest as 13a
  universal,          // any script: 13a, other punctuation alone, letters alone where a script has no spaces
  rouge_score,        // runs of a-z and 0-9 in the lower-cased text, as Google's rouge-score
  characters,         // every character that is not white space; from here on a token is a unit
  spaced_characters,  // every character, white space collapsed to single spaces that count
  ids                 // numbers instead of text, each a token
};

// What a character does to the text around it.
enum Role : std::uint8_t { plain, digit, space, isolated, point, dash, mark };

// The roles of the first 256 characters; later ones are asked for one at a time.
using RoleTable = std::array<std::uint8_t, 256>;

struct Rules13a {
  static constexpr bool padded = true;  // the text counts as having a space before and after it
  static const RoleTable table;
  static std::uint8_t role(char32_t c) { return is_space(c) ? space : plain; }
};

struct RulesZh {
  static constexpr bool padded = false;
  static const RoleTable table;
  static std::uint8_t role(char32_t c);
};

struct RulesIntl {
  static constexpr bool padded = false;
  static const RoleTable table;
  static std::uint8_t role(char32_t c);
};

struct RulesUniversal {
  static constexpr bool padded = true;
  static const RoleTable table;
  static std::uint8_t role(char32_t c);
};

template <class Rules, class Unit>
inline std::uint8_t role_of(Unit unit) {
  if constexpr (sizeof(Unit) == 1) {
    return Rules::table[unit];
  } else {
    return unit < 256 ? Rules::table[unit] : Rules::role(unit);
  }
}

// Prepare a text in place for `split`; returns its new length.
template <class Unit>
std::size_t clean(Tokenizer tokenizer, bool strip_punctuation, Unit* text, std::size_t size);

// A run of points (`.` and `,`, or any punctuation for `intl`) in text[first, last).
//
// The substitutions are: (1) cut around a point that follows a non-digit, (2) cut around a point before a
// non-digit. Matches of (1) cannot overlap and consume two characters, so within a run they pair up: with
// the character before the run if that is a non-digit, else among the points alone. Every paired point ends up
// alone. A last point without a partner is left to (2), which frees it unless a digit, or the end of an
// unpadded text, follows.
enum class LastPoint { alone, joins_next, joins_both, joins_previous };

template <class Rules, class Unit>
inline LastPoint last_point(const Unit* text, std::size_t size, std::size_t first, std::size_t last) {
  const std::size_t length = last - first;
  const bool after_other = first > 0 ? role_of<Rules>(text[first - 1]) != digit : Rules::padded;
  const bool paired = after_other == (length % 2 == 1);
  if (paired) return LastPoint::alone;
  const bool at_end = last == size;
  if (length > 1) {
    return !at_end && role_of<Rules>(text[last]) == digit ? LastPoint::joins_next : LastPoint::alone;
  }
  if (at_end) return Rules::padded ? LastPoint::alone : LastPoint::joins_previous;
  return role_of<Rules>(text[last]) == digit ? LastPoint::joins_both : LastPoint::alone;
}

// Call emit(begin, end) for every token of a text cut by roles.
template <class Rules, class Unit, class Emit>
inline void split_by_roles(const Unit* text, std::size_t size, Emit&& emit) {
  constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  std::size_t start = nowhere;
  auto flush = [&](std::size_t end) {
    if (start != nowhere) emit(start, end);
    start = nowhere;
  };
  std::size_t i = 0;
  while (i < size) {
    switch (role_of<Rules>(text[i])) {
      case plain:
      case digit:
        if (start == nowhere) start = i;
        ++i;
        while (i < size && role_of<Rules>(text[i]) <= digit) ++i;
        break;
      case space:
        flush(i);
        ++i;
        break;
      case isolated: {
        flush(i);
        std::size_t last = i + 1;
        if constexpr (std::is_same_v<Rules, RulesUniversal>)
          while (last < size && role_of<Rules>(text[last]) == mark) ++last;
        emit(i, last);
        i = last;
        break;
      }
      case mark:  // belongs to the letter before it
        if (start == nowhere) start = i;
        ++i;
        break;
      case dash:  // only a dash right after a digit stands alone
        if (i > 0 && role_of<Rules>(text[i - 1]) == digit) {
          flush(i);
          emit(i, i + 1);
        } else if (start == nowhere) {
          start = i;
        }
        ++i;
        break;
      default: {  // point
        std::size_t last = i + 1;
        while (last < size && role_of<Rules>(text[last]) == point) ++last;
        const LastPoint fate = last_point<Rules>(text, size, i, last);
        if (last - i > 1 || fate == LastPoint::alone) flush(i);
        for (; i + 1 < last; ++i) emit(i, i + 1);
        if (fate == LastPoint::alone) {
          emit(i, i + 1);
        } else if (start == nowhere) {
          start = i;
        }
        ++i;
      }
    }
  }
  flush(size);
}

// The lowest bits of up to 64 bytes.
inline std::uint64_t lowest_bits(const std::array<std::uint8_t, 64>& bytes, std::size_t size) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < size; i += 8) {
    if constexpr (std::endian::native == std::endian::little) {
      std::uint64_t eight;
      std::memcpy(&eight, bytes.data() + i, 8);
      bits |= (eight * 0x0102040810204080ull >> 56) << i;
    } else {
      for (std::size_t k = i; k < i + 8; ++k) bits |= std::uint64_t{bytes[k]} << k;
    }
  }
  return bits;
}

// A bit for each of up to 64 characters that is white space; all bits beyond them are set. Sixteen are looked at
// together, so that many must be readable. Those beyond Latin-1 that may be white space are few, and looked at again.
template <class Unit>
inline std::uint64_t spaces_among(const Unit* text, std::size_t size) {
  const std::size_t read = (size + 15) / 16 * 16;
  alignas(16) std::array<std::uint8_t, 64> latin{}, flags{};
  std::uint64_t spaces = 0;
  if constexpr (sizeof(Unit) == 1) {
    for (std::size_t i = 0; i < read; ++i) flags[i] = latin_space_flag(text[i]);
    spaces = lowest_bits(flags, size);
  } else {
    for (std::size_t i = 0; i < read; ++i) latin[i] = static_cast<std::uint8_t>(text[i] < 0xFF ? text[i] : 0xFF);
    for (std::size_t i = 0; i < read; ++i) flags[i] = latin_space_flag(latin[i]);
    spaces = lowest_bits(flags, size);
    for (std::size_t i = 0; i < read; ++i)
      flags[i] = ((text[i] & Unit(~0x7F)) == 0x2000) | (text[i] == 0x1680) | (text[i] == 0x3000);
    for (std::uint64_t rest = lowest_bits(flags, size); rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      if (bit < static_cast<int>(size)) spaces |= std::uint64_t{is_space(text[bit])} << bit;
    }
  }
  return size < 64 ? spaces | ~std::uint64_t{0} << size : spaces;
}

// First where white space is, 64 characters at a time and without branches, then from one edge of it to the next.
// Beyond the end there is white space.
template <class Unit, class Emit>
inline void split_at_space(const Unit* text, std::size_t size, Emit&& emit) {
  std::uint64_t before = 1;  // the last bit of the block before
  std::size_t start = 0;
  for (std::size_t block = 0; block <= size; block += 64) {
    const std::uint64_t spaces = spaces_among(text + block, std::min<std::size_t>(size - block, 64));
    for (std::uint64_t edges = spaces ^ (spaces << 1 | before); edges != 0; edges &= edges - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(edges));
      if ((spaces >> bit & 1) != 0) {
        emit(start, block + bit);
      } else {
        start = block + bit;
      }
    }
    before = spaces >> 63;
  }
}

// Runs of a-z and 0-9 in a text that is in lower case but for the one letter that becomes two characters: an i, and a
// dot that ends the run.
inline constexpr char32_t capital_i_with_dot = 0x130;

template <class Unit, class Emit>
inline void split_lowered(Unit* text, std::size_t size, Emit&& emit) {
  auto inside = [](Unit c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  std::size_t start = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (inside(text[i])) continue;
    std::size_t end = i;
    if constexpr (sizeof(Unit) > 1) {
      if (text[i] == capital_i_with_dot) text[end++] = 'i';
    }
    if (end > start) emit(start, end);
    start = i + 1;
  }
  if (size > start) emit(start, size);
}

// Call emit(begin, end) for every token of a cleaned text.
template <class Unit, class Emit>
inline void split(Tokenizer tokenizer, Unit* text, std::size_t size, Emit&& emit) {
  switch (tokenizer) {
    case Tokenizer::none:
      split_at_space(text, size, emit);
      break;
    case Tokenizer::v13a:
      split_by_roles<Rules13a>(text, size, emit);
      break;
    case Tokenizer::intl:
      split_by_roles<RulesIntl>(text, size, emit);
      break;
    case Tokenizer::zh:
      split_by_roles<RulesZh>(text, size, emit);
      break;
    case Tokenizer::characters:
      for (std::size_t i = 0; i < size; ++i)
        if (!is_space(text[i])) emit(i, i + 1);
      break;
    case Tokenizer::spaced_characters:
    case Tokenizer::ids:
      for (std::size_t i = 0; i < size; ++i) emit(i, i + 1);
      break;
    case Tokenizer::universal:
      split_by_roles<RulesUniversal>(text, size, emit);
      break;
    case Tokenizer::rouge_score:
      split_lowered(text, size, emit);
      break;
  }
}

}  // namespace tricolore
