// A segment's texts as words, and words as small numbers.
#pragma once

#include <array>
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
  // Compiled in reader.cpp, once for all who read.
  template <Numbering numbering = Numbering::shared>
  void read(const Reading& how, const SegmentView& segment, Words& words);

  // The characters of a segment with one reference, where each counts, spaces included, and can be a byte: a few beyond
  // ASCII stand for others if some have two bytes.
  struct Bytes {
    std::span<const std::uint8_t> hypothesis, reference;
  };
  std::optional<Bytes> read_bytes(const Reading& how, const SegmentView& segment);

 private:
  bool narrow(const TextView& text, std::uint8_t* bytes);
  template <class Unit>
  bool narrow(const Unit* units, std::size_t size, std::uint8_t* bytes);
  template <Numbering numbering, class Unit>
  void read(const Reading& how, const SegmentView& segment, Words& words, SegmentArena<Unit>& room);
  template <Numbering numbering, class Unit>
  void read_words(const Reading& how, const SegmentView& segment, Words& words, SegmentArena<Unit>& room);
  template <Numbering numbering, class Unit>
  void number_words(const Reading& how, const TextView& text, SegmentArena<Unit>& room,
                    std::vector<std::uint32_t>& numbers);
  template <Numbering numbering, class Unit>
  void read_units(const Reading& how, const SegmentView& segment, Words& words, SegmentArena<Unit>& room);

  SegmentArenas arenas_;
  Cutter cutter_;
  std::vector<std::uint8_t> bytes_;
  std::array<std::uint16_t, 32> beyond_ascii_{};  // characters of which bytes from first_beyond on tell
  std::size_t known_beyond_ = 0;
  CharacterNumbers characters_;
  PorterStemmer stemmer_;
};

}  // namespace tricolore
