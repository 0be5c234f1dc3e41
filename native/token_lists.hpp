// Lists of tokens as Python hands them over, numbered so that they can be counted as token ids.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "batch.hpp"
#include "text.hpp"
#include "vocabulary.hpp"

namespace tricolore {

// A hypothesis and its references, each a list or tuple of str. Tokens are compared whole, whatever is in them. No
// code of Python's runs meanwhile, since str hash and compare by themselves; the tokens are not needed afterwards.
class TokenLists {
 public:
  // Whether all are lists or tuples of str, and of no subclass of it; if not, there is nothing here to look at.
  bool read(PyObject* hypothesis, std::span<PyObject* const> references) {
    if (ids_.capacity() > most_kept) *this = TokenLists();
    std::size_t size = size_of(hypothesis);
    for (PyObject* reference : references) size += size_of(reference);
    types_.clear();
    ids_.clear();
    ends_.clear();
    table_.reset(slots_for(size));
    if (!add(hypothesis)) return false;
    for (PyObject* reference : references)
      if (!add(reference)) return false;
    view();
    return true;
  }

  SegmentView segment() const { return {views_[0], std::span(views_).subspan(1)}; }

  // The hypothesis is list 0. Equal tokens have equal numbers, from `first` on.
  std::span<const std::uint32_t> operator[](std::size_t k) const {
    return {static_cast<const std::uint32_t*>(views_[k].data), views_[k].size};
  }

  static constexpr std::uint32_t first = first_id;

 private:
  static bool is_list(PyObject* object) { return PyList_Check(object) || PyTuple_Check(object); }
  static std::size_t size_of(PyObject* object) {
    return is_list(object) ? static_cast<std::size_t>(PySequence_Fast_GET_SIZE(object)) : 0;
  }

  bool add(PyObject* list) {
    if (!is_list(list)) return false;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list); ++i) {
      PyObject* token = PySequence_Fast_GET_ITEM(list, i);
      if (!PyUnicode_CheckExact(token)) return false;
      ids_.push_back(first + number_of(token));
    }
    ends_.push_back(ids_.size());
    return true;
  }

  std::uint32_t number_of(PyObject* token) {
    const auto key = static_cast<std::uint64_t>(PyObject_Hash(token));
    auto& entry = table_.find(key, key, [&](std::uint32_t number) { return equal(types_[number], token); });
    if (table_.taken(entry)) return entry.value;
    const auto number = static_cast<std::uint32_t>(types_.size());
    table_.take(entry, key, number);
    types_.push_back(token);
    return number;
  }

  static bool equal(PyObject* one, PyObject* other) {
    if (one == other) return true;
    const TextView a = view_of(one), b = view_of(other);
    return a.size == b.size && a.width == b.width && std::memcmp(a.data, b.data, a.size * a.width) == 0;
  }

  void view() {
    views_.clear();
    std::size_t begin = 0;
    for (const std::size_t end : ends_) {
      views_.push_back({ids_.data() + begin, end - begin, 4, true});
      begin = end;
    }
  }

  static constexpr std::size_t most_kept = 10000;  // tokens that there is room for between segments

  StampedTable<std::uint32_t> table_;
  std::vector<PyObject*> types_;  // borrowed from the lists
  std::vector<std::uint32_t> ids_;
  std::vector<std::size_t> ends_;
  std::vector<TextView> views_;
};

// Read lists of tokens into room that is kept for the next; null if they are no such lists.
inline const TokenLists* read_tokens(PyObject* hypothesis, std::span<PyObject* const> references) {
  thread_local TokenLists lists;
  return lists.read(hypothesis, references) ? &lists : nullptr;
}

// The items of a list or tuple of references; none if it is neither.
inline std::span<PyObject* const> items_of(PyObject* references) {
  if (!PyList_Check(references) && !PyTuple_Check(references)) return {};
  return {PySequence_Fast_ITEMS(references), static_cast<std::size_t>(PySequence_Fast_GET_SIZE(references))};
}

// The same for a corpus: for each segment a hypothesis and its references, numbered within the segment.
class TokenCorpus {
 public:
  // Whether all are lists or tuples as TokenLists reads them, as many of hypotheses as of references, of which every
  // segment has one or more.
  bool read(PyObject* hypotheses, PyObject* references) {
    const auto hyps = items_of(hypotheses), refs = items_of(references);
    if (hyps.empty() || hyps.size() != refs.size()) return false;
    TokenLists lists;
    std::vector<std::size_t> text_ends;
    for (std::size_t i = 0; i < hyps.size(); ++i) {
      const auto of_one = items_of(refs[i]);
      if (of_one.empty() || !lists.read(hyps[i], of_one)) return false;
      for (std::size_t k = 0; k <= of_one.size(); ++k) {
        ids_.insert(ids_.end(), lists[k].begin(), lists[k].end());
        text_ends.push_back(ids_.size());
      }
      segment_ends_.push_back(text_ends.size());
    }
    views_.reserve(text_ends.size());
    std::size_t begin = 0;
    for (const std::size_t end : text_ends) {
      views_.push_back({ids_.data() + begin, end - begin, 4, true});
      begin = end;
    }
    return true;
  }

  std::size_t size() const { return segment_ends_.size(); }
  SegmentView operator[](std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : segment_ends_[i - 1];
    return {views_[begin], std::span(views_).subspan(begin + 1, segment_ends_[i] - begin - 1)};
  }

 private:
  std::vector<std::uint32_t> ids_;
  std::vector<TextView> views_;
  std::vector<std::size_t> segment_ends_;
};

}  // namespace tricolore
