#include "stem_numbers.hpp"

#include <string_view>

#include "batch.hpp"

namespace tricolore::counting {

nb::list StemNumbers::read(const nb::str& text) {
  std::vector<std::uint32_t> found;
  reader_.intern(words_, view_of(text.ptr()), how_, [&](std::uint32_t word) { found.push_back(word); });
  if (words_.size() > stem_of_.size()) learn();
  const nb::list numbers = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(found.size())));
  if (!numbers.is_valid()) nb::raise_python_error();
  for (std::size_t i = 0; i < found.size(); ++i) {
    PyObject* number = PyLong_FromUnsignedLong(stem_of_[found[i]]);
    if (number == nullptr) nb::raise_python_error();
    PyList_SET_ITEM(numbers.ptr(), static_cast<Py_ssize_t>(i), number);
  }
  return numbers;
}

NumberedSegments StemNumbers::read_segments(const nb::list& hypotheses, const nb::list& references,
                                            nb::handle prepare) {
  if (hypotheses.size() != references.size()) throw nb::value_error("as many references as hypotheses are needed");
  PyObject* const change = prepare.is_none() ? nullptr : prepare.ptr();
  NumberedSegments segments;
  const std::size_t size = hypotheses.size();
  segments.pair_ends_.reserve(size);
  segments.text_ends_.reserve(2 * size);
  for (std::size_t i = 0; i < size; ++i) {
    const nb::object hypothesis = hypotheses[i], entry = references[i];
    add(hypothesis.ptr(), change, segments);
    const std::size_t before = segments.text_ends_.size();
    if (PyUnicode_Check(entry.ptr())) {
      add(entry.ptr(), change, segments);
    } else if (PyList_Check(entry.ptr()) || PyTuple_Check(entry.ptr())) {
      for (const nb::handle one : entry)
        if (!one.is_none()) add(one.ptr(), change, segments);
    }
    if (segments.text_ends_.size() == before) throw nb::type_error("expected a reference");
    segments.pair_ends_.push_back(segments.text_ends_.size() - i - 1);
  }
  if (words_.size() > stem_of_.size()) learn();
  for (std::uint32_t& id : segments.ids_) id = stem_of_[id] + first_id;
  segments.views_.reserve(segments.text_ends_.size());
  std::size_t begin = 0;
  for (const std::size_t end : segments.text_ends_) {
    segments.views_.push_back({segments.ids_.data() + begin, end - begin, 4, true});
    begin = end;
  }
  return segments;
}

// Add the words of a text, not yet their stems.
void StemNumbers::add(PyObject* text, PyObject* prepare, NumberedSegments& to) {
  if (!PyUnicode_Check(text)) throw nb::type_error("expected text");
  nb::object ready = nb::borrow(text);
  if (prepare != nullptr) {
    ready = nb::steal(PyObject_CallOneArg(prepare, text));
    if (!ready.is_valid()) nb::raise_python_error();
    if (!PyUnicode_Check(ready.ptr())) throw nb::type_error("expected text");
  }
  reader_.intern(words_, view_of(ready.ptr()), how_, [&](std::uint32_t word) { to.ids_.push_back(word); });
  to.text_ends_.push_back(to.ids_.size());
}

// Another thread may come here while Python stems; both then learn the same.
void StemNumbers::learn() {
  const std::size_t first = stem_of_.size(), size = words_.size();
  nb::list words;
  for (std::size_t word = first; word < size; ++word) {
    const std::string_view bytes = words_[word];
    const nb::object decoded =
        nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogatepass"));
    if (!decoded.is_valid()) nb::raise_python_error();
    words.append(decoded);
  }
  const auto stems = nb::cast<nb::list>(stem_(words));
  if (nb::len(stems) != size - first) throw nb::value_error("as many stems as words are needed");
  for (std::size_t word = stem_of_.size(); word < size; ++word) {
    const nb::object stem = stems[word - first];
    if (!numbers_.contains(stem)) numbers_[stem] = nb::int_(nb::len(numbers_));
    stem_of_.push_back(nb::cast<std::uint32_t>(numbers_[stem]));
  }
}

}  // namespace tricolore::counting
