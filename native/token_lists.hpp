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

// Numbers of tokens, from 0 on; equal ones have the same. Tokens are compared whole, whatever is in them. No code of
// Python's runs meanwhile, since str hash and compare by themselves.
class TokenNumbers {
 public:
  // `expected` tokens are numbered without growing; more are taken too.
  void reset(std::size_t expected) {
    types_.clear();
    table_.reset(slots_for(expected));
  }

  std::size_t size() const { return types_.size(); }

  // Number the tokens of a list or tuple, as token ids; false if it is neither, or a token is no str, or of a subclass.
  bool read(PyObject* list, std::vector<std::uint32_t>& ids) {
    if (!PyList_Check(list) && !PyTuple_Check(list)) return false;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(list); ++i) {
      PyObject* token = PySequence_Fast_GET_ITEM(list, i);
      if (!PyUnicode_CheckExact(token)) return false;
      ids.push_back(first_id + number_of(token));
    }
    return true;
  }

 private:
  static std::uint64_t key_of(PyObject* token) { return static_cast<std::uint64_t>(PyObject_Hash(token)); }

  std::uint32_t number_of(PyObject* token) {
    const std::uint64_t key = key_of(token);
    auto& entry = table_.find(key, key, [&](std::uint32_t number) { return equal(types_[number], token); });
    if (table_.taken(entry)) return entry.value;
    const auto number = static_cast<std::uint32_t>(types_.size());
    table_.take(entry, key, number);
    types_.push_back(token);
    if (types_.size() * 2 > table_.slots()) grow();
    return number;
  }

  void grow() {
    table_.reset(2 * table_.slots());
    for (std::uint32_t number = 0; number < types_.size(); ++number) {
      const std::uint64_t key = key_of(types_[number]);
      table_.take(table_.find(key, key, [](std::uint32_t) { return false; }), key, number);
    }
  }

  static bool equal(PyObject* one, PyObject* other) {
    if (one == other) return true;
    const TextView a = view_of(one), b = view_of(other);
    return a.size == b.size && a.width == b.width && std::memcmp(a.data, b.data, a.size * a.width) == 0;
  }

  StampedTable<std::uint32_t> table_;
  std::vector<PyObject*> types_;  // borrowed from the lists
};

// The items of a list or tuple; none if it is neither.
inline std::span<PyObject* const> items_of(PyObject* list) {
  if (!PyList_Check(list) && !PyTuple_Check(list)) return {};
  return {PySequence_Fast_ITEMS(list), static_cast<std::size_t>(PySequence_Fast_GET_SIZE(list))};
}

// A hypothesis and its references, each a list or tuple of str. The tokens are not needed afterwards.
class TokenLists {
 public:
  // Whether all are lists or tuples of str, and of no subclass of it; if not, there is nothing here to look at.
  bool read(PyObject* hypothesis, std::span<PyObject* const> references) {
    if (ids_.capacity() > most_kept) *this = TokenLists();
    std::size_t size = items_of(hypothesis).size();
    for (PyObject* reference : references) size += items_of(reference).size();
    ids_.clear();
    ends_.clear();
    numbers_.reset(size);
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
  bool add(PyObject* list) {
    if (!numbers_.read(list, ids_)) return false;
    ends_.push_back(ids_.size());
    return true;
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

  TokenNumbers numbers_;
  std::vector<std::uint32_t> ids_;
  std::vector<std::size_t> ends_;
  std::vector<TextView> views_;
};

// Read lists of tokens into room that is kept for the next; null if they are no such lists.
inline const TokenLists* read_tokens(PyObject* hypothesis, std::span<PyObject* const> references) {
  thread_local TokenLists lists;
  return lists.read(hypothesis, references) ? &lists : nullptr;
}

// The same for a corpus: for each segment a hypothesis and its references, numbered within the segment, or within the
// corpus.
class TokenCorpus {
 public:
  enum class Numbered { within_segments, as_a_whole };

  // Whether all are lists or tuples as TokenLists reads them, as many of hypotheses as of references, of which every
  // segment has one or more.
  bool read(PyObject* hypotheses, PyObject* references, Numbered how = Numbered::within_segments) {
    const auto hyps = items_of(hypotheses), refs = items_of(references);
    if (hyps.empty() || hyps.size() != refs.size()) return false;
    numbers_.reset(0);
    for (std::size_t i = 0; i < hyps.size(); ++i) {
      const auto of_one = items_of(refs[i]);
      if (of_one.empty()) return false;
      if (how == Numbered::within_segments) numbers_.reset(items_of(hyps[i]).size() * (of_one.size() + 1));
      if (!add(hyps[i])) return false;
      for (PyObject* reference : of_one)
        if (!add(reference)) return false;
      segment_ends_.push_back(text_ends_.size());
    }
    views_.reserve(text_ends_.size());
    std::size_t begin = 0;
    for (const std::size_t end : text_ends_) {
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

  std::span<const std::uint32_t> ids() const { return ids_; }
  std::span<const std::size_t> text_ends() const { return text_ends_; }        // in tokens
  std::span<const std::size_t> segment_ends() const { return segment_ends_; }  // in texts
  std::size_t types() const { return numbers_.size(); }                        // if numbered as a whole

 private:
  bool add(PyObject* list) {
    if (!numbers_.read(list, ids_)) return false;
    text_ends_.push_back(ids_.size());
    return true;
  }

  TokenNumbers numbers_;
  std::vector<std::uint32_t> ids_;
  std::vector<TextView> views_;
  std::vector<std::size_t> text_ends_, segment_ends_;
};

}  // namespace tricolore
