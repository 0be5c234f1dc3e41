#include "reader.hpp"

#include <algorithm>

#include "characters.hpp"

namespace tricolore {

namespace {

std::span<const std::uint8_t> cleaned(const Reading& how, const TextView& text, Arena<std::uint8_t>& arena) {
  std::uint8_t* const units = arena.data() + arena.append(text);
  return {units, clean(how.tokenizer, how.strip_punctuation, units, text.size)};
}

template <class Unit, class Number>
void number_units(const Reading& how, const TextView& text, SegmentArena<Unit>& room,
                  std::vector<std::uint32_t>& numbers, Number&& number) {
  Unit* units = room.arena.data() + room.arena.append(text);
  const Tokenizer tokenizer = how.tokenizer_of(text);
  const std::size_t size = clean(tokenizer, how.strip_punctuation, units, text.size), before = numbers.size();
  numbers.resize(before + size);
  std::uint32_t* out = numbers.data() + before;
  if (tokenizer == Tokenizer::characters) {
    for (std::size_t i = 0; i < size; ++i) {  // no branch: where white space is cannot be predicted
      *out = number(units[i]);
      out += !is_space(units[i]);
    }
  } else {
    for (std::size_t i = 0; i < size; ++i) *out++ = number(units[i]);
  }
  numbers.resize(static_cast<std::size_t>(out - numbers.data()));
}

// Token ids begin with 0 here: low numbers are found faster. A segment has either ids or characters.
std::uint32_t lowest(std::uint32_t unit) { return unit >= first_id ? unit - first_id : unit; }

}  // namespace

// The text is cut first, and what it was cut into numbered then: two short loops.
template <Numbering numbering, class Unit>
void SegmentReader::number_words(const Reading& how, const TextView& text, SegmentArena<Unit>& room,
                                 std::vector<std::uint32_t>& numbers) {
  const std::size_t start = room.arena.append(text), before = numbers.size();
  Unit* const all = room.arena.data();
  Unit* const units = all + start;
  const Tokenizer tokenizer = how.tokenizer_of(text);
  const std::size_t size = clean(tokenizer, how.strip_punctuation, units, text.size);
  const std::span<const Slice> slices = cutter_.cut(tokenizer, units, size);
  numbers.resize(before + slices.size());
  std::uint32_t* out = numbers.data() + before;
  for (auto [begin, length] : slices) {
    if (how.stems) length = static_cast<std::uint32_t>(stemmer_(units + begin, length));
    const auto first = static_cast<std::uint32_t>(start) + begin;
    *out++ = numbering == Numbering::all ? room.vocabulary.intern(all, first, length)
                                         : room.vocabulary.find(all, first, length);
  }
}

template <Numbering numbering, class Unit>
void SegmentReader::read_words(const Reading& how, const SegmentView& segment, Words& words, SegmentArena<Unit>& room) {
  for (const auto& text : segment.references) {
    number_words<Numbering::all>(how, text, room, words.references);
    words.reference_ends.push_back(words.references.size());
  }
  words.types = static_cast<std::uint32_t>(room.vocabulary.size());
  number_words<numbering>(how, segment.hypothesis, room, words.hypothesis);
  words.all_types = static_cast<std::uint32_t>(room.vocabulary.size());
}

// Where every token is one unit, it has its number in a table.
template <Numbering numbering, class Unit>
void SegmentReader::read_units(const Reading& how, const SegmentView& segment, Words& words, SegmentArena<Unit>& room) {
  characters_.reset();
  for (const auto& text : segment.references) {
    number_units(how, text, room, words.references, [&](Unit unit) { return characters_.intern(lowest(unit)); });
    words.reference_ends.push_back(words.references.size());
  }
  words.types = characters_.size();
  number_units(how, segment.hypothesis, room, words.hypothesis, [&](Unit unit) {
    return numbering == Numbering::all ? characters_.intern(lowest(unit)) : characters_.find(lowest(unit));
  });
  words.all_types = characters_.size();
}

template <Numbering numbering, class Unit>
void SegmentReader::read(const Reading& how, const SegmentView& segment, Words& words, SegmentArena<Unit>& room) {
  if (how.tokenizer_of(segment.hypothesis) >= Tokenizer::characters) {
    read_units<numbering>(how, segment, words, room);
  } else {
    std::size_t characters = 0;
    for (const auto& text : segment.references) characters += text.size;
    // About one type for eight characters of reference, and room enough that few share a slot.
    room.vocabulary.reset(characters / 4);
    read_words<numbering>(how, segment, words, room);
  }
}

template <Numbering numbering>
void SegmentReader::read(const Reading& how, const SegmentView& segment, Words& words) {
  words.clear();
  arenas_.with(segment, [&](auto& room) { read<numbering>(how, segment, words, room); });
}

template void SegmentReader::read<Numbering::shared>(const Reading&, const SegmentView&, Words&);
template void SegmentReader::read<Numbering::all>(const Reading&, const SegmentView&, Words&);

std::optional<SegmentReader::Bytes> SegmentReader::read_bytes(const Reading& how, const SegmentView& segment) {
  if (segment.references.size() != 1 || how.tokenizer != Tokenizer::spaced_characters) return std::nullopt;
  const TextView &hypothesis = segment.hypothesis, &reference = segment.references[0];
  if (segment.width() == 1) {
    Bytes bytes;
    arenas_.with(segment, [&](auto& room) {
      if constexpr (sizeof(*room.arena.data()) == 1)
        bytes = {cleaned(how, hypothesis, room.arena), cleaned(how, reference, room.arena)};
    });
    return bytes;
  }
  if (segment.width() != 2 || how.strip_punctuation) return std::nullopt;
  constexpr std::size_t padding = Arena<std::uint8_t>::padding;
  bytes_.resize(hypothesis.size + reference.size + 2 * padding);
  known_beyond_ = 0;
  const auto begin = bytes_.data(), middle = begin + hypothesis.size + padding;
  if (!narrow(hypothesis, begin) || !narrow(reference, middle)) return std::nullopt;
  return Bytes{{begin, clean(how.tokenizer, false, begin, hypothesis.size)},
               {middle, clean(how.tokenizer, false, middle, reference.size)}};
}

// A byte for each character, with the same meaning for all texts of a segment; false if there are not enough.
bool SegmentReader::narrow(const TextView& text, std::uint8_t* bytes) {
  return text.width == 1 ? narrow(static_cast<const std::uint8_t*>(text.data), text.size, bytes)
                         : narrow(static_cast<const std::uint16_t*>(text.data), text.size, bytes);
}

template <class Unit>
bool SegmentReader::narrow(const Unit* units, std::size_t size, std::uint8_t* bytes) {
  constexpr std::size_t together = 16;
  constexpr std::uint8_t first_beyond = 0xC0;  // where no byte is white space
  const auto byte_of = [&](Unit unit) -> std::optional<std::uint8_t> {
    if (unit < 0x80) return static_cast<std::uint8_t>(unit);
    const auto last = beyond_ascii_.begin() + static_cast<std::ptrdiff_t>(known_beyond_);
    const auto found = std::find(beyond_ascii_.begin(), last, std::uint16_t{unit});
    if (found == last) {
      if (known_beyond_ == beyond_ascii_.size() || is_space(unit)) return std::nullopt;
      beyond_ascii_[known_beyond_++] = unit;
    }
    return static_cast<std::uint8_t>(first_beyond + (found - beyond_ascii_.begin()));
  };
  for (std::size_t i = 0; i < size;) {
    const std::size_t end = std::min(i + together, size);
    Unit any = 0;
    if (end - i == together) {
      for (std::size_t k = 0; k < together; ++k) any |= units[i + k];
      for (std::size_t k = 0; k < together; ++k) bytes[i + k] = static_cast<std::uint8_t>(units[i + k]);
      if (any < 0x80) {
        i = end;
        continue;
      }
    }
    for (; i < end; ++i) {
      const auto byte = byte_of(units[i]);
      if (!byte) return false;
      bytes[i] = *byte;
    }
  }
  return true;
}

}  // namespace tricolore
