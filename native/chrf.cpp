#include "chrf.hpp"

#include <algorithm>

namespace tricolore::counting {

namespace {

constexpr bool is_ascii_punctuation(std::uint32_t c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

// Words as chrF++ has them: one punctuation mark is cut off, at the end if there is one, else at the beginning.
template <class Unit, class Emit>
void split_words(const Unit* text, std::size_t size, Emit&& emit) {
  split_at_space(text, size, [&](std::size_t begin, std::size_t end) {
    if (end - begin > 1 && is_ascii_punctuation(text[end - 1])) {
      emit(begin, end - 1);
      emit(end - 1, end);
    } else if (end - begin > 1 && is_ascii_punctuation(text[begin])) {
      emit(begin, begin + 1);
      emit(begin + 1, end);
    } else {
      emit(begin, end);
    }
  });
}

}  // namespace

void ChrfWorkspace::count(const ChrfCounting& what, const SegmentView& segment, double* rows) {
  reader_.read(what, segment);
  for (std::size_t k = 0; k < segment.references.size(); ++k) {
    rows = count_orders(reader_.characters(), k, what.character_orders, rows);
    if (what.word_orders > 0) rows = count_orders(reader_.words(), k, what.word_orders, rows);
  }
}

void ChrfReader::read(const ChrfCounting& what, const SegmentView& segment) {
  arenas_.with(segment, [&](auto& room) { read(what, segment, room); });
}

template <class Unit>
void ChrfReader::read(const ChrfCounting& what, const SegmentView& segment, SegmentArena<Unit>& room) {
  Arena<Unit>& arena = room.arena;
  std::size_t longest = segment.hypothesis.size;
  for (const auto& text : segment.references) longest = std::max(longest, text.size);
  const bool ids = segment.hypothesis.ids;
  const bool with_words = what.word_orders > 0;
  characters_.clear();
  words_.clear();
  numbers_.reset();
  if (with_words) room.vocabulary.reset(longest / 8);

  auto read_text = [&](const TextView& text, std::vector<std::uint32_t>& characters, std::vector<std::uint32_t>& words,
                       auto&& number, auto&& number_word) {
    const std::size_t start = arena.append(text);
    Unit* units = arena.data() + start;
    const std::size_t before = characters.size();
    characters.resize(before + text.size);
    std::uint32_t* out = characters.data() + before;
    if (what.whitespace || ids) {
      for (std::size_t i = 0; i < text.size; ++i) *out++ = number(units[i]);
    } else {
      for (std::size_t i = 0; i < text.size; ++i) {  // no branch: where white space is cannot be predicted
        *out = number(units[i]);
        out += !is_space(units[i]);
      }
    }
    characters.resize(static_cast<std::size_t>(out - characters.data()));
    if (!with_words) return;
    auto emit = [&](std::size_t begin, std::size_t end) {
      words.push_back(number_word(static_cast<std::uint32_t>(start + begin), static_cast<std::uint32_t>(end - begin)));
    };
    if (ids) {
      for (std::size_t i = 0; i < text.size; ++i) emit(i, i + 1);
    } else {
      split_words(units, text.size, emit);
    }
  };

  for (const auto& text : segment.references) {
    read_text(
        text, characters_.references, words_.references, [&](Unit unit) { return numbers_.intern(unit); },
        [&](std::uint32_t begin, std::uint32_t size) { return room.vocabulary.intern(arena.data(), begin, size); });
    characters_.reference_ends.push_back(characters_.references.size());
    words_.reference_ends.push_back(words_.references.size());
  }
  characters_.types = numbers_.size();
  words_.types = with_words ? static_cast<std::uint32_t>(room.vocabulary.size()) : 0;
  read_text(
      segment.hypothesis, characters_.hypothesis, words_.hypothesis, [&](Unit unit) { return numbers_.find(unit); },
      [&](std::uint32_t begin, std::uint32_t size) { return room.vocabulary.find(arena.data(), begin, size); });
}

double* ChrfWorkspace::count_orders(const Words& words, std::size_t k, int orders, double* row) {
  const auto reference = words.reference(k);
  matches_.resize(static_cast<std::size_t>(orders));
  matcher_.count(words.hypothesis, reference, words.types, orders, matches_.data());
  const auto c = static_cast<double>(words.hypothesis.size()), r = static_cast<double>(reference.size());
  for (int n = 0; n < orders; ++n) {
    const double in_reference = std::max(0.0, r - n);
    *row++ = in_reference > 0.0 ? std::max(0.0, c - n) : 0.0;
    *row++ = in_reference;
    *row++ = matches_[static_cast<std::size_t>(n)];
  }
  return row;
}

}  // namespace tricolore::counting
