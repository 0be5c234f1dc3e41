// Texts as the numbers of the stems of their words.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "information.hpp"
#include "reader.hpp"
#include "text.hpp"

namespace tricolore::counting {

namespace nb = nanobind;

// Segments of token ids, each a hypothesis and its references.
class NumberedSegments {
 public:
  std::size_t size() const { return pair_ends_.size(); }
  SegmentView operator[](std::size_t i) const {
    const std::size_t begin = (i == 0 ? 0 : pair_ends_[i - 1]) + i;  // there are as many hypotheses before it
    return {views_[begin], std::span(views_).subspan(begin + 1, pair_ends_[i] + i - begin)};
  }
  std::span<const std::size_t> pair_ends() const { return pair_ends_; }

 private:
  friend class StemNumbers;

  std::vector<std::uint32_t> ids_;
  std::vector<std::size_t> text_ends_;  // in ids
  std::vector<std::size_t> pair_ends_;  // in references
  std::vector<TextView> views_;
};

// Words as the numbers of their stems, which Python tells; every word is stemmed once and then remembered.
class StemNumbers {
 public:
  StemNumbers(int tokenizer, bool strip_punctuation, nb::callable stem)
      : how_(reading(tokenizer, strip_punctuation)), stem_(std::move(stem)) {}

  std::size_t size() const { return words_.size(); }

  // The words of a text, as numbers that are equal where the stems are.
  nb::list read(const nb::str& text);

  // Those of whole segments: lists of str, and of str or lists of them, in which None means missing. `prepare` is what
  // makes the text that is read of a text, if it is not None. Raises TypeError where there is no text.
  NumberedSegments read_segments(const nb::list& hypotheses, const nb::list& references, nb::handle prepare);

 private:
  void add(PyObject* text, PyObject* prepare, NumberedSegments& to);
  void learn();

  Reading how_;
  nb::callable stem_;
  WordTable words_;
  WordReader reader_;
  nb::dict numbers_;                    // of stems
  std::vector<std::uint32_t> stem_of_;  // the number of each word's stem
};

}  // namespace tricolore::counting
