// A segment's texts as words, and words as small numbers.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "character_numbers.hpp"
#include "porter.hpp"
#include "segment_arenas.hpp"
#include "text.hpp"
#include "tokenize.hpp"
#include "vocabulary.hpp"

namespace tricolore {

// How to read text. Token ids are read as they are, whatever it says.
struct Reading {
  Tokenizer tokenizer = Tokenizer::none;
  bool strip_punctuation = false;
  bool stems = false;  // whether words are stemmed, see PorterStemmer; only SegmentReader does

  Tokenizer tokenizer_of(const TextView& text) const { return text.ids ? Tokenizer::ids : tokenizer; }
};

// What is added to the number of a tokenizer whose words are to be stemmed.
inline constexpr int with_stems = 256;

inline Reading reading(int tokenizer, bool strip_punctuation) {
  return {static_cast<Tokenizer>(tokenizer % with_stems), strip_punctuation, tokenizer >= with_stems};
}

// The segment as numbers: words of references are 0, 1, ..., types-1; other words of the hypothesis are `absent`, or
// numbered from `types` on if they were asked for.
struct Words {
  std::vector<std::uint32_t> hypothesis, references;
  std::vector<std::size_t> reference_ends;
  std::uint32_t types = 0;
  std::uint32_t all_types = 0;  // with those of the hypothesis alone

  void clear() {
    hypothesis.clear();
    references.clear();
    reference_ends.clear();
    types = all_types = 0;
  }

  std::span<const std::uint32_t> reference(std::size_t k) const {
    const std::size_t begin = k == 0 ? 0 : reference_ends[k - 1];
    return {references.data() + begin, reference_ends[k] - begin};
  }
};

enum class Numbering { shared, all };

// Reads segments one after another into the same room.
class SegmentReader {
 public:
  template <Numbering numbering = Numbering::shared>
  void read(const Reading& how, const SegmentView& segment, Words& words) {
    words.clear();
    arenas_.with(segment, [&](auto& room) { read<numbering>(how, segment, words, room); });
  }

  // The characters of a segment with one reference, where each is a byte and counts, spaces included.
  struct Bytes {
    std::span<const std::uint8_t> hypothesis, reference;
  };
  std::optional<Bytes> read_bytes(const Reading& how, const SegmentView& segment) {
    if (segment.width() != 1 || segment.references.size() != 1 || how.tokenizer != Tokenizer::spaced_characters)
      return std::nullopt;
    Bytes bytes;
    arenas_.with(segment, [&](auto& room) {
      if constexpr (sizeof(*room.arena.data()) == 1)
        bytes = {cleaned(how, segment.hypothesis, room.arena), cleaned(how, segment.references[0], room.arena)};
    });
    return bytes;
  }

 private:
  static std::span<const std::uint8_t> cleaned(const Reading& how, const TextView& text, Arena<std::uint8_t>& arena) {
    std::uint8_t* const units = arena.data() + arena.append(text);
    return {units, clean(how.tokenizer, how.strip_punctuation, units, text.size)};
  }

  template <Numbering numbering, class Unit>
  void read(const Reading& how, const SegmentView& segment, Words& words, SegmentArena<Unit>& room) {
    if (how.tokenizer_of(segment.hypothesis) >= Tokenizer::characters) {
      read_units<numbering>(how, segment, words, room);
    } else {
      std::size_t characters = 0;
      for (const auto& text : segment.references) characters += text.size;
      // About one type for eight characters of reference; the table grows if there are more.
      room.vocabulary.reset(characters / 8);
      read_words<numbering>(how, segment, words, room);
    }
  }

  template <Numbering numbering, class Unit>
  void read_words(const Reading& how, const SegmentView& segment, Words& words, SegmentArena<Unit>& room) {
    for (const auto& text : segment.references) {
      number_words<Numbering::all>(how, text, room, words.references);
      words.reference_ends.push_back(words.references.size());
    }
    words.types = static_cast<std::uint32_t>(room.vocabulary.size());
    number_words<numbering>(how, segment.hypothesis, room, words.hypothesis);
    words.all_types = static_cast<std::uint32_t>(room.vocabulary.size());
  }

  // Room is made for as many words as there are characters, so that each is written without asking for any.
  template <Numbering numbering, class Unit>
  void number_words(const Reading& how, const TextView& text, SegmentArena<Unit>& room,
                    std::vector<std::uint32_t>& numbers) {
    const std::size_t start = room.arena.append(text), before = numbers.size();
    Unit* const all = room.arena.data();
    Unit* const units = all + start;
    const Tokenizer tokenizer = how.tokenizer_of(text);
    const std::size_t size = clean(tokenizer, how.strip_punctuation, units, text.size);
    numbers.resize(before + size);
    std::uint32_t* out = numbers.data() + before;
    split(tokenizer, units, size, [&](std::size_t begin, std::size_t end) {
      if (how.stems) end = begin + stemmer_(units + begin, end - begin);
      const auto first = static_cast<std::uint32_t>(start + begin), length = static_cast<std::uint32_t>(end - begin);
      *out++ = numbering == Numbering::all ? room.vocabulary.intern(all, first, length)
                                           : room.vocabulary.find(all, first, length);
    });
    numbers.resize(static_cast<std::size_t>(out - numbers.data()));
  }

  // Token ids begin with 0 here: low numbers are found faster. A segment has either ids or characters.
  static std::uint32_t lowest(std::uint32_t unit) { return unit >= first_id ? unit - first_id : unit; }

  // Where every token is one unit, it has its number in a table.
  template <Numbering numbering, class Unit>
  void read_units(const Reading& how, const SegmentView& segment, Words& words, SegmentArena<Unit>& room) {
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

  template <class Unit, class Number>
  static void number_units(const Reading& how, const TextView& text, SegmentArena<Unit>& room,
                           std::vector<std::uint32_t>& numbers, Number&& number) {
    Unit* units = room.arena.data() + room.arena.append(text);
    const Tokenizer tokenizer = how.tokenizer_of(text);
    const std::size_t size = clean(tokenizer, how.strip_punctuation, units, text.size), before = numbers.size();
    numbers.resize(before + size);
    std::uint32_t* out = numbers.data() + before;
    if (tokenizer == Tokenizer::characters) {
      for (std::size_t i = 0; i < size; ++i)
        if (!is_space(units[i])) *out++ = number(units[i]);
    } else {
      for (std::size_t i = 0; i < size; ++i) *out++ = number(units[i]);
    }
    numbers.resize(static_cast<std::size_t>(out - numbers.data()));
  }

  SegmentArenas arenas_;
  CharacterNumbers characters_;
  PorterStemmer stemmer_;
};

}  // namespace tricolore
