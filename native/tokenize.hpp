// Tokenisers. Each cuts a text into tokens that are slices of it; none inserts or changes a character
// after `clean` (but for one letter in `split_with_dots`), which is what makes one pass without copies possible.
//
// `13a`, `zh` and `intl` are defined elsewhere by successive regular-expression substitutions (mteval-v13a,
// mteval-v14, sacreBLEU). They come down to one rule for runs of points, worked out at `last_point`; the
// tests hold them to the substitutions themselves on random text.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "characters.hpp"
#include "text.hpp"

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

// Prepare a text in place to be cut; returns its new length.
template <class Unit>
std::size_t clean(Tokenizer tokenizer, bool strip_punctuation, Unit* text, std::size_t size);

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

// First where the gaps between tokens are, 64 characters at a time and without branches, then from one edge of a gap to
// the next. gaps_among(text, size) has a bit for each of up to 64 characters, and all beyond them set.
template <class Unit, class Gaps, class Emit>
inline void split_at_gaps(const Unit* text, std::size_t size, Gaps&& gaps_among, Emit&& emit) {
  std::uint64_t before = 1;  // the last bit of the block before
  std::size_t start = 0;
  for (std::size_t block = 0; block <= size; block += 64) {
    const std::uint64_t gaps = gaps_among(text + block, std::min<std::size_t>(size - block, 64));
    for (std::uint64_t edges = gaps ^ (gaps << 1 | before); edges != 0; edges &= edges - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(edges));
      if ((gaps >> bit & 1) != 0) {
        emit(start, block + bit);
      } else {
        start = block + bit;
      }
    }
    before = gaps >> 63;
  }
}

template <class Unit, class Emit>
inline void split_at_space(const Unit* text, std::size_t size, Emit&& emit) {
  split_at_gaps(text, size, [](const Unit* some, std::size_t many) { return spaces_among(some, many); }, emit);
}

// Cuts cleaned texts into tokens. Compiled once, for all who read.
class Cutter {
 public:
  // The tokens of a cleaned text, until the next is cut.
  template <class Unit>
  std::span<const Slice> cut(Tokenizer tokenizer, Unit* text, std::size_t size);

 private:
  std::vector<Slice> slices_;
};

}  // namespace tricolore
