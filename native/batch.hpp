// What Python hands over, as views: str without copies, token ids as units that are no code points.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "arrow.hpp"
#include "text.hpp"
#include "utf8.hpp"

namespace tricolore {

namespace nb = nanobind;

// A str as it lies in memory, or a view of width 0 if the object is not one.
inline TextView view_of(PyObject* object) {
  if (!PyUnicode_Check(object)) return {nullptr, 0, 0};
#if PY_VERSION_HEX < 0x030C0000
  if (PyUnicode_READY(object) != 0) nb::raise_python_error();
#endif
  return {PyUnicode_DATA(object), static_cast<std::size_t>(PyUnicode_GET_LENGTH(object)),
          static_cast<std::uint8_t>(PyUnicode_KIND(object))};
}

// Whether the object is a whole number; arrays can be an index, too.
inline bool is_number(PyObject* object) {
  return PyLong_Check(object) || (PyIndex_Check(object) && !PySequence_Check(object));
}

// Whether the object is an array of NumPy, and not of a class that gives its numbers another meaning (a mask, say).
inline bool is_array(PyObject* object) { return std::strcmp(Py_TYPE(object)->tp_name, "numpy.ndarray") == 0; }

inline constexpr std::uint64_t most_id = 0xFFFFFFFFu - first_id - 1;  // the last unit is taken, see `absent`

// The numbers of an array of NumPy that holds whole numbers along one axis, in this machine's byte order.
class IdArray {
 public:
  explicit IdArray(PyObject* object) {
    if (!is_array(object)) return;
    held_ = PyObject_GetBuffer(object, &buffer_, PyBUF_FORMAT | PyBUF_STRIDES) == 0;
    if (!held_) PyErr_Clear();
  }
  IdArray(const IdArray&) = delete;
  IdArray& operator=(const IdArray&) = delete;
  ~IdArray() {
    if (held_) PyBuffer_Release(&buffer_);
  }

  // Whether it is such an array; if not, there is nothing to read.
  bool is_whole() const {
    return held_ && buffer_.ndim == 1 && std::strlen(format()) == 1 && std::strchr("bBhHiIlLqQ", *format()) != nullptr;
  }
  std::size_t size() const { return static_cast<std::size_t>(buffer_.shape[0]); }

  // Copy the numbers as units of text; false if one is no token id.
  bool copy_to(std::vector<std::uint32_t>& ids) const {
    const bool is_signed = std::strchr("bhilq", *format()) != nullptr;
    switch (buffer_.itemsize) {
      case 1:
        return is_signed ? copy<std::int8_t>(ids) : copy<std::uint8_t>(ids);
      case 2:
        return is_signed ? copy<std::int16_t>(ids) : copy<std::uint16_t>(ids);
      case 4:
        return is_signed ? copy<std::int32_t>(ids) : copy<std::uint32_t>(ids);
      default:
        return is_signed ? copy<std::int64_t>(ids) : copy<std::uint64_t>(ids);
    }
  }

 private:
  const char* format() const { return buffer_.format == nullptr ? "B" : buffer_.format; }

  // Negative numbers are higher than all ids.
  template <class Number>
  bool copy(std::vector<std::uint32_t>& ids) const {
    const char* const first = static_cast<const char*>(buffer_.buf);
    const Py_ssize_t stride = buffer_.strides[0];
    const auto number = [&](std::size_t i, Py_ssize_t step) {
      Number found;
      std::memcpy(&found, first + static_cast<Py_ssize_t>(i) * step, sizeof found);
      return static_cast<std::uint64_t>(static_cast<std::int64_t>(found));
    };
    ids.resize(size());
    std::uint64_t bits = 0;  // of all numbers
    const auto copy_by = [&](Py_ssize_t step) {
      for (std::size_t i = 0; i < ids.size(); ++i) {
        bits |= number(i, step);
        ids[i] = static_cast<std::uint32_t>(number(i, step)) + first_id;
      }
    };
    if (stride == sizeof(Number)) {
      copy_by(sizeof(Number));  // a constant, so that several are copied at once
    } else {
      copy_by(stride);
    }
    if (bits <= most_id / 2) return true;
    for (std::size_t i = 0; i < ids.size(); ++i)
      if (number(i, stride) > most_id) return false;
    return true;
  }

  Py_buffer buffer_;
  bool held_ = false;
};

// Whether a cell is what it seems: a string, token ids in a list, or a list of strings in which None means missing.
inline bool is_plain(PyObject* cell, int depth = 0) {
  if (PyUnicode_Check(cell)) return true;
  if (!PyList_Check(cell) && !PyTuple_Check(cell)) return (depth > 0 && cell == Py_None) || IdArray(cell).is_whole();
  const Py_ssize_t size = PySequence_Fast_GET_SIZE(cell);
  if (size > 0 && is_number(PySequence_Fast_GET_ITEM(cell, 0))) return true;  // each is checked where it is read
  for (Py_ssize_t i = 0; i < size; ++i)
    if (depth > 1 || !is_plain(PySequence_Fast_GET_ITEM(cell, i), depth + 1)) return false;
  return true;
}

// Whether all cells of a column are, so that they need not be looked at one by one in Python.
inline bool all_plain(const nb::list& cells) {
  for (std::size_t i = 0; i < nb::len(cells); ++i)
    if (!is_plain(PyList_GET_ITEM(cells.ptr(), static_cast<Py_ssize_t>(i)))) return false;
  return true;
}

// The texts of a batch, all strings or all token ids. Strings and columns are kept alive while the GIL is released,
// whatever happens to the lists; numbers are copied. A text of width 0 is UTF-8 in a column, and decoded when it is
// read.
class Batch {
 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() {
    for (PyObject* object : kept_) Py_DECREF(object);
  }

  // False if the object is neither a str nor a sequence of token ids, or another kind than those before.
  bool add(PyObject* object) {
    TextView view = view_of(object);
    if (view.width != 0) {
      Py_INCREF(object);
      kept_.push_back(object);
    } else if (!read_ids(object, view)) {
      return false;
    }
    return add(view);
  }

  // A cell of a column, or an item of a list in a cell.
  bool add(const arrow::Values& values, std::size_t at) {
    if (values.is_null(at)) return false;
    const arrow::Layout layout = values.type().layout;
    if (layout < arrow::Layout::list || layout == arrow::Layout::dictionary) {
      const std::string_view text = values.text(at);
      return add({text.data(), text.size(), 0});
    }
    const arrow::Values items = values.items();
    if (items.type().layout != arrow::Layout::whole) return false;
    const auto [begin, end] = values.list(at);
    std::vector<std::uint32_t> ids;
    ids.reserve(end - begin);
    for (std::size_t i = begin; i < end; ++i)
      if (items.is_null(i) || !store(items.whole(i), ids)) return false;
    stored_.push_back(std::move(ids));
    return add({stored_.back().data(), stored_.back().size(), 4, true});
  }

  // Hold on to a column whose texts are in the batch.
  void keep(const arrow::Column& column) { columns_.push_back(column); }

  void reserve(std::size_t size) {
    kept_.reserve(size);
    views_.reserve(size);
  }

  std::size_t size() const { return views_.size(); }
  const std::vector<TextView>& views() const { return views_; }
  bool holds_ids() const { return !views_.empty() && views_.front().ids; }
  bool holds_columns() const { return !columns_.empty(); }

 private:
  static bool store(std::int64_t number, std::vector<std::uint32_t>& ids) {
    if (number < 0 || static_cast<std::uint64_t>(number) > most_id) return false;
    ids.push_back(static_cast<std::uint32_t>(number) + first_id);
    return true;
  }

  bool read_ids(PyObject* object, TextView& view) {
    std::vector<std::uint32_t> ids;
    if (PyList_Check(object) || PyTuple_Check(object)) {
      const Py_ssize_t size = PySequence_Fast_GET_SIZE(object);
      ids.reserve(static_cast<std::size_t>(size));
      for (Py_ssize_t i = 0; i < size && i < PySequence_Fast_GET_SIZE(object); ++i) {
        PyObject* item = PySequence_Fast_GET_ITEM(object, i);
        if (!is_number(item) || PyBool_Check(item)) return false;
        const nb::object number = nb::steal(PyNumber_Index(item));
        const long long value = number.is_valid() ? PyLong_AsLongLong(number.ptr()) : -1;
        PyErr_Clear();
        if (!store(value, ids)) return false;
      }
    } else if (!read_array(object, ids)) {
      return false;
    }
    stored_.push_back(std::move(ids));
    view = {stored_.back().data(), stored_.back().size(), 4, true};
    return true;
  }

  // NumPy's arrays of whole numbers, and nothing else that shares its memory: `columns.py` has the list of kinds.
  static bool read_array(PyObject* object, std::vector<std::uint32_t>& ids) {
    const IdArray array(object);
    if (!array.is_whole()) return false;
    return array.copy_to(ids);
  }

  bool add(const TextView& view) {
    if (!views_.empty() && views_.front().ids != view.ids) return false;
    views_.push_back(view);
    return true;
  }

  std::vector<PyObject*> kept_;
  std::vector<arrow::Column> columns_;
  std::vector<std::vector<std::uint32_t>> stored_;  // whose numbers stay where they are when it grows
  std::vector<TextView> views_;
};

// Raised where an item is not what it should be; Python then finds out what to say about it.
inline void refuse(const char* what, std::size_t index) {
  PyErr_Format(PyExc_TypeError, "%s %zu is neither text nor token ids", what, index);
  nb::raise_python_error();
}

// The references of a segment: one text, or a list or tuple of them in which None means missing. A list that begins
// with a number is one text of token ids.
inline bool add_references(PyObject* entry, Batch& texts) {
  const bool listed = PyList_Check(entry) || PyTuple_Check(entry);
  if (!listed || (PySequence_Fast_GET_SIZE(entry) > 0 && is_number(PySequence_Fast_GET_ITEM(entry, 0))))
    return texts.add(entry);
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(entry); ++k) {
    PyObject* item = PySequence_Fast_GET_ITEM(entry, k);
    if (item != Py_None && !texts.add(item)) return false;
  }
  return true;
}

// The references of all segments: a list with an entry each, a column of texts or of lists of texts, or several
// columns.
struct References {
  Batch texts;
  std::vector<std::size_t> ends;
  std::size_t fewest = 0, most = 0;

  explicit References(nb::handle entries) {
    if (arrow::Column* column; nb::try_cast(entries, column)) {
      reserve(column->size());
      texts.keep(*column);
      const bool listed = column->cells() == arrow::Cells::lists_of_texts;
      column->for_each([&](const arrow::Values& values, std::size_t at) {
        end(listed ? add_items(values, at) : texts.add(values, at));
      });
      return;
    }
    if (arrow::Columns* columns; nb::try_cast(entries, columns)) {
      reserve(columns->size());
      add_beside(columns->columns());
      return;
    }
    const auto list = nb::cast<nb::list>(entries);
    reserve(nb::len(list));
    for (std::size_t i = 0; i < nb::len(list); ++i)
      end(add_references(PyList_GET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i)), texts));
  }

  std::span<const TextView> of(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return {texts.views().data() + begin, ends[i] - begin};
  }

 private:
  void reserve(std::size_t size) {
    texts.reserve(size);
    ends.reserve(size);
  }

  bool add_items(const arrow::Values& values, std::size_t at) {
    if (values.is_null(at)) return false;
    const arrow::Values items = values.items();
    const auto [begin, end] = values.list(at);
    for (std::size_t k = begin; k < end; ++k)
      if (!items.is_null(k) && !texts.add(items, k)) return false;
    return true;
  }

  void add_beside(const std::vector<arrow::Column>& columns) {
    std::vector<std::vector<std::pair<arrow::Values, std::size_t>>> places(columns.size());
    for (std::size_t c = 0; c < columns.size(); ++c) {
      texts.keep(columns[c]);
      places[c].reserve(columns[c].size());
      columns[c].for_each([&](const arrow::Values& values, std::size_t at) { places[c].emplace_back(values, at); });
    }
    for (std::size_t i = 0; i < columns.front().size(); ++i) {
      for (const auto& of_column : places) {
        const auto& [values, at] = of_column[i];
        if (!values.is_null(at)) texts.add(values, at);
      }
      end(true);
    }
  }

  // All references of a segment are there, at least one.
  void end(bool sound) {
    const std::size_t i = ends.size(), number = texts.size() - (i == 0 ? 0 : ends.back());
    if (!sound || number == 0) refuse("reference", i);
    fewest = i == 0 ? number : std::min(fewest, number);
    most = std::max(most, number);
    ends.push_back(texts.size());
  }
};

inline void read_texts(nb::handle texts, const char* what, Batch& batch) {
  if (arrow::Column* column; nb::try_cast(texts, column)) {
    batch.reserve(column->size());
    batch.keep(*column);
    column->for_each([&](const arrow::Values& values, std::size_t at) {
      if (!batch.add(values, at)) refuse(what, batch.size());
    });
    return;
  }
  const auto list = nb::cast<nb::list>(texts);
  const std::size_t size = nb::len(list);
  batch.reserve(size);
  for (std::size_t i = 0; i < size; ++i)
    if (!batch.add(PyList_GET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i)))) refuse(what, i);
}

// Segments: as many hypotheses as entries of references, all of them text or all token ids.
struct Segments {
  Batch hypotheses;
  References references;

  Segments(nb::handle hyps, nb::handle refs) : references(refs) {
    read_texts(hyps, "hypothesis", hypotheses);
    if (references.ends.size() != hypotheses.size())
      throw nb::value_error("as many references as hypotheses are needed");
    if (hypotheses.holds_ids() != references.texts.holds_ids()) refuse("hypothesis", 0);
  }

  std::size_t size() const { return hypotheses.size(); }

  // A segment as its thread reads it, good until that reads the next.
  SegmentView operator[](std::size_t i) const {
    const SegmentView segment{hypotheses.views()[i], references.of(i)};
    return hypotheses.holds_columns() || references.texts.holds_columns() ? decoder()(segment) : segment;
  }
};

// One segment.
struct OneSegment {
  Batch hypothesis, references;

  OneSegment(nb::handle hyp, nb::handle refs) {
    if (!hypothesis.add(hyp.ptr())) refuse("hypothesis", 0);
    if (!add_references(refs.ptr(), references) || references.size() == 0) refuse("reference", 0);
    if (hypothesis.holds_ids() != references.holds_ids()) refuse("hypothesis", 0);
  }

  SegmentView view() const { return {hypothesis.views()[0], references.views()}; }
};

}  // namespace tricolore
