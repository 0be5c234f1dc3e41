// Columns of other libraries as sequences of cells: text, None, or a list; and as what the counters read.

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow.hpp"
#include "bind.hpp"
#include "lines.hpp"
#include "python.hpp"

namespace tricolore::counting {

namespace {

namespace nb = nanobind;
using arrow::Column;
using arrow::Columns;
using arrow::Layout;
using arrow::Values;

// What a capsule holds, by the name that the interface gives it.
template <class Structure>
Structure* held(nb::handle capsule, const char* name) {
  auto* found = static_cast<Structure*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (found == nullptr) nb::raise_python_error();
  if (found->release == nullptr) throw nb::value_error("the column has been taken by another");
  return found;
}

nb::object cell_of(const Values& values, std::size_t at) {
  if (values.is_null(at)) return nb::none();
  const Layout layout = values.type().layout;
  if (layout == Layout::whole) return nb::int_(values.whole(at));
  if (layout < Layout::list || layout == Layout::dictionary) {
    const std::string_view text = values.text(at);
    return nb::steal(PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "strict"));
  }
  nb::list items;
  const auto [begin, end] = values.list(at);
  for (std::size_t i = begin; i < end; ++i) {
    nb::object item = cell_of(values.items(), i);
    if (!item.is_valid()) return item;
    items.append(std::move(item));
  }
  return items;
}

// Which cell an index means, counted from the end if it is negative.
std::size_t place_of(Py_ssize_t index, std::size_t size) {
  const auto signed_size = static_cast<Py_ssize_t>(size);
  if (index < -signed_size || index >= signed_size) throw nb::index_error("there is no such cell");
  return static_cast<std::size_t>(index < 0 ? index + signed_size : index);
}

nb::object cell(const Column& column, Py_ssize_t index) {
  const std::size_t at = place_of(index, column.size());
  nb::object found;
  column.slice(at, at + 1).for_each([&](const Values& values, std::size_t place) { found = cell_of(values, place); });
  if (!found.is_valid()) nb::raise_python_error();
  return found;
}

nb::list cells_beside(const Columns& columns, Py_ssize_t index) {
  nb::list found;
  for (const Column& column : columns.columns()) found.append(cell(column, index));
  return found;
}

template <class Some>
Some part(const Some& columns, const nb::slice& slice) {
  const auto [start, stop, step, length] = slice.compute(columns.size());
  if (step != 1) throw nb::value_error("only neighbouring cells make a slice");
  return columns.slice(static_cast<std::size_t>(start), static_cast<std::size_t>(start) + length);
}

nb::list cells(const Column& column) {
  nb::list found;
  column.for_each([&](const Values& values, std::size_t at) {
    nb::object one = cell_of(values, at);
    if (!one.is_valid()) nb::raise_python_error();
    found.append(std::move(one));
  });
  return found;
}

// A hash that is the same on every machine: eight bytes at a time, multiplied and folded (as in MurmurHash3's
// finaliser).
class Hash {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0xFF51AFD7ED558CCDu;
    state_ ^= state_ >> 32;
  }
  void add(std::string_view text) {
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) add(word_at(text, at, 8));
    add(word_at(text, at, text.size() - at));
    add(text.size());
  }
  std::uint64_t value() const { return (state_ ^ state_ >> 29) * 0xC4CEB9FE1A85EC53u >> 1; }  // also fits a signed one

 private:
  static std::uint64_t word_at(std::string_view text, std::size_t at, std::size_t bytes) {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      word |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[at + i])) << (8 * i);
    }
    return word;
  }

  std::uint64_t state_ = 0x9E3779B97F4A7C15u;
};

void add_cell(Hash& hash, const Values& values, std::size_t at) {
  if (values.is_null(at)) return hash.add(~std::uint64_t{0});
  const Layout layout = values.type().layout;
  if (layout == Layout::whole) return hash.add(static_cast<std::uint64_t>(values.whole(at)));
  if (layout < Layout::list || layout == Layout::dictionary) return hash.add(values.text(at));
  const auto [begin, end] = values.list(at);
  for (std::size_t i = begin; i < end; ++i) add_cell(hash, values.items(), i);
  hash.add(end - begin);
}

// A hash of each cell, the same on every machine.
std::vector<std::uint64_t> hashes(const Column& column) {
  std::vector<std::uint64_t> found;
  found.reserve(column.size());
  column.for_each([&](const Values& values, std::size_t at) {
    Hash hash;
    add_cell(hash, values, at);
    found.push_back(hash.value());
  });
  return found;
}

std::string_view view_of_bytes(const nb::bytes& data) { return {data.c_str(), data.size()}; }

// The first bytes of some data as a column of lines, which keeps them alive.
Column column_of_lines(const nb::bytes& data, std::size_t end, bool strip) {
  if (end > data.size() || end > INT32_MAX) throw nb::value_error("at most 2^31 - 1 of the bytes are needed");
  return arrow::column_of_lines(view_of_bytes(data).substr(0, end), strip, nb::object(data).release().ptr(),
                                [](void* owner) {
                                  const nb::gil_scoped_acquire locked;  // wherever the last copy of the column goes
                                  Py_DECREF(static_cast<PyObject*>(owner));
                                });
}

Column joined(const nb::list& columns) {
  std::vector<Column> parts;
  for (nb::handle column : columns) parts.push_back(nb::cast<Column&>(column));
  return Column(parts);
}

// The bytes of whole characters and the line feeds among them; None if some are not UTF-8, or zero.
std::optional<std::pair<std::size_t, std::size_t>> whole_characters(const nb::bytes& data) {
  const auto found = arrow::whole_characters(view_of_bytes(data));
  return found ? std::optional(std::pair(found->bytes, found->lines)) : std::nullopt;
}

// Where the first cell without a value is, if there is one.
std::optional<std::size_t> first_null(const Column& column) {
  std::size_t at = 0, found = column.size();
  column.for_each([&](const Values& values, std::size_t place) {
    if (found == column.size() && values.is_null(place)) found = at;
    ++at;
  });
  return found < column.size() ? std::optional(found) : std::nullopt;
}

}  // namespace

void bind_columns(nb::module_& m) {
  m.def("whole_characters", &whole_characters, nb::arg("data"));

  nb::class_<Column>(m, "Column", "A column in Arrow's memory: texts, lists of texts, or lists of token ids.")
      .def(
          "__init__",
          [](Column* self, nb::handle stream) { new (self) Column(held<arrow::Stream>(stream, "arrow_array_stream")); },
          nb::arg("stream"))
      .def_static(
          "of_array",
          [](nb::handle schema, nb::handle array) {
            return Column(held<arrow::Schema>(schema, "arrow_schema"), held<arrow::Array>(array, "arrow_array"));
          },
          nb::arg("schema"), nb::arg("array"))
      .def_static("of_lines", &column_of_lines, nb::arg("data"), nb::arg("end"), nb::arg("strip"))
      .def_static("joined", &joined, nb::arg("columns"))
      .def("__len__", &Column::size)
      .def("__getitem__", &cell, nb::arg("key"))
      .def("__getitem__", &part<Column>, nb::arg("key"))
      .def("text_counts", [](const Column& self) { return arrow::text_counts(self); })
      .def("tolist", &cells)
      .def("first_null", &first_null)
      .def("hashes", [](const Column& self) { return array_of(hashes(self)); })
      .def_prop_ro("has_lists", [](const Column& self) { return self.cells() == arrow::Cells::lists_of_texts; })
      .def_prop_ro("has_ids", [](const Column& self) { return self.cells() == arrow::Cells::ids; });
  nb::class_<Columns>(m, "Columns", "Columns of texts side by side, together the references of each segment.")
      .def(
          "__init__",
          [](Columns* self, const nb::list& columns) {
            std::vector<Column> several;
            for (nb::handle column : columns) several.push_back(nb::cast<Column&>(column));
            new (self) Columns(std::move(several));
          },
          nb::arg("columns"))
      .def("__len__", &Columns::size)
      .def("__getitem__", &cells_beside, nb::arg("key"))
      .def("__getitem__", &part<Columns>, nb::arg("key"))
      .def("text_counts", [](const Columns& self) { return arrow::text_counts(self); });
}

}  // namespace tricolore::counting
