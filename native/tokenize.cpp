#include "tokenize.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace tricolore {

namespace {

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
std::uint8_t role_of(Unit unit) {
  if constexpr (sizeof(Unit) == 1) {
    return Rules::table[unit];
  } else {
    return unit < 256 ? Rules::table[unit] : Rules::role(unit);
  }
}

constexpr bool is_13a_symbol(char32_t c) {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

RoleTable western_table() {
  RoleTable table{};
  for (char32_t c = 0; c < 256; ++c) {
    table[c] = is_space(c)              ? space
               : is_13a_symbol(c)       ? isolated
               : c == '.' || c == ','   ? point
               : c == '-'               ? dash
               : (c >= '0' && c <= '9') ? digit
                                        : plain;
  }
  return table;
}

std::uint8_t international_role(char32_t c) {
  if (is_space(c)) return space;
  switch (category(c)) {
    case Category::punctuation:
      return point;
    case Category::symbol:
      return isolated;
    case Category::number:
      return digit;
    default:
      return plain;
  }
}

std::uint8_t universal_role(char32_t c) {
  if (is_space(c)) return space;
  switch (category(c)) {
    case Category::punctuation:
    case Category::symbol:
    case Category::unspaced:
      return isolated;
    case Category::mark:
      return mark;
    default:
      return plain;
  }
}

RoleTable universal_table() {
  RoleTable table = western_table();
  for (char32_t c = 128; c < 256; ++c) table[c] = universal_role(c);
  return table;
}

RoleTable international_table() {
  RoleTable table{};
  for (char32_t c = 0; c < 256; ++c) table[c] = international_role(c);
  return table;
}

// sacreBLEU's ranges as they act: it writes Extension B as '\u20000'..'\u2a6d6', which Python reads as two
// characters, so that U+2001..U+2A6D (general punctuation, arrows, ...) is cut and Extension B is not.
constexpr CharacterRange chinese[] = {
    {0x2001, 0x2A6D, 0}, {0x2E80, 0x2EFF, 0}, {0x2F00, 0x2FDF, 0}, {0x2FF0, 0x2FFF, 0}, {0x3000, 0x303F, 0},
    {0x3100, 0x312F, 0}, {0x31A0, 0x31BF, 0}, {0x31C0, 0x31EF, 0}, {0x3200, 0x33FF, 0}, {0x3400, 0x4DB5, 0},
    {0x4E00, 0x9FBB, 0}, {0xF900, 0xFA2D, 0}, {0xFA30, 0xFA6A, 0}, {0xFA70, 0xFAD9, 0}, {0xFE10, 0xFE1F, 0},
    {0xFE30, 0xFE4F, 0}, {0xFF00, 0xFFEF, 0}};

template <class Unit>
bool has(const Unit* text, std::size_t size, char32_t c) {
  if constexpr (sizeof(Unit) == 1) {
    return std::memchr(text, static_cast<int>(c), size) != nullptr;
  } else {
    return std::find(text, text + size, Unit(c)) != text + size;
  }
}

template <class Unit>
bool starts_with(const Unit* text, std::size_t size, std::string_view word) {
  return size >= word.size() && std::equal(word.begin(), word.end(), text, [](char a, Unit b) { return Unit(a) == b; });
}

// Replace every occurrence of `word`, left to right, by `by`, which is no longer than it.
template <class Unit>
std::size_t replace(Unit* text, std::size_t size, std::string_view word, std::string_view by) {
  std::size_t to = 0;
  for (std::size_t from = 0; from < size;) {
    if (text[from] == Unit(word[0]) && starts_with(text + from, size - from, word)) {
      for (char c : by) text[to++] = Unit(c);
      from += word.size();
    } else {
      text[to++] = text[from++];
    }
  }
  return to;
}

// The language-independent part of mteval-v13a. Few texts have anything to replace, so look first.
template <class Unit>
std::size_t clean_13a(Unit* text, std::size_t size) {
  if (has(text, size, '<')) size = replace(text, size, "<skipped>", "");
  if (has(text, size, '\n')) size = replace(text, size, "-\n", "");  // other line feeds are white space anyway
  if (has(text, size, '&')) {
    size = replace(text, size, "&quot;", "\"");
    size = replace(text, size, "&amp;", "&");
    size = replace(text, size, "&lt;", "<");
    size = replace(text, size, "&gt;", ">");
  }
  return size;
}

// Nearly every text has single spaces already, so look first.
template <class Unit>
bool has_single_spaces(const Unit* text, std::size_t size) {
  if constexpr (sizeof(Unit) == 1) {  // without branches and tables, so that many are looked at together
    const auto space = [](std::uint8_t c) -> std::uint8_t {
      const auto from_tab = static_cast<std::uint8_t>(c - 0x09), from_separator = static_cast<std::uint8_t>(c - 0x1C);
      return (c == 0x20) | (from_tab < 5) | (from_separator < 4) | (c == 0x85) | (c == 0xA0);
    };
    if (size > 0 && space(text[0])) return false;
    std::uint8_t wrong = 0;
    for (std::size_t i = 1; i < size; ++i)
      wrong |= static_cast<std::uint8_t>(space(text[i]) & (space(text[i - 1]) | (text[i] != 0x20)));
    return wrong == 0;
  }
  bool space_before = true;
  for (std::size_t i = 0; i < size; ++i) {
    const bool space = is_space(text[i]);
    if (space && (space_before || text[i] != Unit(' '))) return false;
    space_before = space;
  }
  return true;  // none at the end, where it has been taken off
}

// What str.lower() makes of the letters that become a-z, but for the one that becomes two characters.
template <class Unit>
void lower(Unit* text, std::size_t size) {
  constexpr char32_t kelvin = 0x212A;
  for (std::size_t i = 0; i < size; ++i) {
    if (text[i] >= 'A' && text[i] <= 'Z') text[i] += 'a' - 'A';
    if constexpr (sizeof(Unit) > 1) {
      if (text[i] == kelvin) text[i] = 'k';
    }
  }
}

template <class Unit>
std::size_t collapse_space(Unit* text, std::size_t size) {
  if (has_single_spaces(text, size)) return size;
  std::size_t to = 0;
  split_at_space(text, size, [&](std::size_t begin, std::size_t end) {
    if (to > 0) text[to++] = Unit(' ');
    to = std::copy(text + begin, text + end, text + to) - text;
  });
  return to;
}

const RoleTable Rules13a::table = western_table();
const RoleTable RulesZh::table = western_table();
const RoleTable RulesIntl::table = international_table();
const RoleTable RulesUniversal::table = universal_table();

std::uint8_t RulesZh::role(char32_t c) {
  if (is_space(c)) return space;
  for (const auto& range : chinese)
    if (c >= range.first && c <= range.last) return isolated;
  return plain;
}

std::uint8_t RulesIntl::role(char32_t c) { return international_role(c); }

std::uint8_t RulesUniversal::role(char32_t c) { return universal_role(c); }

// A run of points (`.` and `,`, or any punctuation for `intl`) in text[first, last).
//
// The substitutions are: (1) cut around a point that follows a non-digit, (2) cut around a point before a
// non-digit. Matches of (1) cannot overlap and consume two characters, so within a run they pair up: with
// the character before the run if that is a non-digit, else among the points alone. Every paired point ends up
// alone. A last point without a partner is left to (2), which frees it unless a digit, or the end of an
// unpadded text, follows.
enum class LastPoint { alone, joins_next, joins_both, joins_previous };

template <class Rules, class Unit>
LastPoint last_point(const Unit* text, std::size_t size, std::size_t first, std::size_t last) {
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

// A bit for each of up to 64 characters that 13a may cut at: not for letters, digits, apostrophes and most beyond
// ASCII. All bits beyond them are set. Sixteen are looked at together, as for `spaces_among`.
template <class Unit>
std::uint64_t stops_among(const Unit* text, std::size_t size) {
  const std::size_t read = (size + 15) / 16 * 16;
  alignas(16) std::array<std::uint8_t, 64> latin{}, flags{};
  for (std::size_t i = 0; i < read; ++i) latin[i] = static_cast<std::uint8_t>(text[i] < 0xFF ? text[i] : 0xFF);
  for (std::size_t i = 0; i < read; ++i) {
    const std::uint8_t c = latin[i];
    const auto from_a = static_cast<std::uint8_t>((c | 0x20) - 'a'), from_zero = static_cast<std::uint8_t>(c - '0');
    const bool goes_on = (from_a < 26) | (from_zero < 10) | (c == '\'') | ((c > 0x7F) & (c != 0x85) & (c != 0xA0));
    flags[i] = !goes_on;
  }
  if constexpr (sizeof(Unit) > 1)
    for (std::size_t i = 0; i < read; ++i)
      flags[i] |= ((text[i] & Unit(~0x7F)) == 0x2000) | (text[i] == 0x1680) | (text[i] == 0x3000);
  const std::uint64_t stops = lowest_bits(flags, size);
  return size < 64 ? stops | ~std::uint64_t{0} << size : stops;
}

// The end of a run of plain characters and digits.
template <class Rules, class Unit>
class RunEnds {
 public:
  RunEnds(const Unit* text, std::size_t size) : text_(text), size_(size) {}

  // From i on, asked for in order; for 13a it may be earlier, at a character that is plain after all.
  std::size_t operator()(std::size_t i) {
    if constexpr (std::is_same_v<Rules, Rules13a>) {
      for (; i < size_; i = begin_ + 64) {
        if (i >= begin_ + 64 || stops_ == 0) {
          begin_ = i;
          stops_ = stops_among(text_ + i, std::min<std::size_t>(size_ - i, 64));
        }
        if (const std::uint64_t later = stops_ >> (i - begin_); later != 0) {
          const auto end = i + static_cast<std::size_t>(std::countr_zero(later));
          return std::min(end, size_);
        }
      }
    } else {
      while (i < size_ && role_of<Rules>(text_[i]) <= digit) ++i;
    }
    return i;
  }

 private:
  const Unit* text_;
  std::size_t size_, begin_ = 0;
  std::uint64_t stops_ = 0;
};

// Call emit(begin, end) for every token of a text cut by roles.
template <class Rules, class Unit, class Emit>
void split_by_roles(const Unit* text, std::size_t size, Emit&& emit) {
  constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  std::size_t start = nowhere;
  auto flush = [&](std::size_t end) {
    if (start != nowhere) emit(start, end);
    start = nowhere;
  };
  RunEnds<Rules, Unit> end_of_run(text, size);
  std::size_t i = 0;
  while (i < size) {
    switch (role_of<Rules>(text[i])) {
      case plain:
      case digit:
        if (start == nowhere) start = i;
        i = end_of_run(i + 1);
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

// Runs of a-z and 0-9 in a text that is in lower case but for the one letter that becomes two characters: an i, and a
// dot that ends the run.
constexpr char32_t capital_i_with_dot = 0x130;

bool is_letter_or_digit(char32_t c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

template <class Unit, class Emit>
void split_with_dots(Unit* text, std::size_t size, Emit&& emit) {
  std::size_t start = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (is_letter_or_digit(text[i])) continue;
    std::size_t end = i;
    if (text[i] == capital_i_with_dot) text[end++] = 'i';
    if (end > start) emit(start, end);
    start = i + 1;
  }
  if (size > start) emit(start, size);
}

template <class Unit>
std::uint64_t others_among(const Unit* text, std::size_t size) {
  const std::size_t read = (size + 15) / 16 * 16;
  alignas(16) std::array<std::uint8_t, 64> latin{}, flags{};
  for (std::size_t i = 0; i < read; ++i) latin[i] = static_cast<std::uint8_t>(text[i] < 0xFF ? text[i] : 0xFF);
  for (std::size_t i = 0; i < read; ++i) {
    const auto from_a = static_cast<std::uint8_t>(latin[i] - 'a'),
               from_zero = static_cast<std::uint8_t>(latin[i] - '0');
    flags[i] = (from_a > 25) & (from_zero > 9);
  }
  const std::uint64_t others = lowest_bits(flags, size);
  return size < 64 ? others | ~std::uint64_t{0} << size : others;
}

template <class Unit, class Emit>
void split_lowered(Unit* text, std::size_t size, Emit&& emit) {
  if constexpr (sizeof(Unit) > 1) {
    if (has(text, size, capital_i_with_dot)) return split_with_dots(text, size, emit);
  }
  split_at_gaps(text, size, [](const Unit* some, std::size_t many) { return others_among(some, many); }, emit);
}

// Call emit(begin, end) for every token of a cleaned text.
template <class Unit, class Emit>
void split(Tokenizer tokenizer, Unit* text, std::size_t size, Emit&& emit) {
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

}  // namespace

template <class Unit>
std::size_t clean(Tokenizer tokenizer, bool strip_punctuation, Unit* text, std::size_t size) {
  if (tokenizer == Tokenizer::ids) return size;
  if (strip_punctuation) {
    size = std::remove_if(text, text + size, [](Unit c) { return category(c) == Category::punctuation; }) - text;
  }
  while (size > 0 && is_space(text[size - 1])) --size;
  if (tokenizer == Tokenizer::zh) {  // not padded, so a space before a leading point would change its fate
    std::size_t first = 0;
    while (first < size && is_space(text[first])) ++first;
    if (first > 0) std::copy(text + first, text + size, text);
    return size - first;
  }
  if (tokenizer == Tokenizer::v13a || tokenizer == Tokenizer::universal) return clean_13a(text, size);
  if (tokenizer == Tokenizer::rouge_score) lower(text, size);
  if (tokenizer == Tokenizer::spaced_characters) return collapse_space(text, size);
  return size;
}

template <class Unit>
std::span<const Slice> Cutter::cut(Tokenizer tokenizer, Unit* text, std::size_t size) {
  if (slices_.size() < size) slices_.resize(2 * size);
  Slice* end_of_slices = slices_.data();
  split(tokenizer, text, size, [&](std::size_t begin, std::size_t end) {
    *end_of_slices++ = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin)};
  });
  return {slices_.data(), end_of_slices};
}

template std::size_t clean(Tokenizer, bool, std::uint8_t*, std::size_t);
template std::size_t clean(Tokenizer, bool, std::uint16_t*, std::size_t);
template std::size_t clean(Tokenizer, bool, std::uint32_t*, std::size_t);
template std::span<const Slice> Cutter::cut(Tokenizer, std::uint8_t*, std::size_t);
template std::span<const Slice> Cutter::cut(Tokenizer, std::uint16_t*, std::size_t);
template std::span<const Slice> Cutter::cut(Tokenizer, std::uint32_t*, std::size_t);

}  // namespace tricolore
