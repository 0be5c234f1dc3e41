// The only file that knows Python: lists of str in, numbers out, the GIL released in between.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "characters.hpp"
#include "information.hpp"
#include "ngrams.hpp"
#include "parallel.hpp"
#include "text.hpp"
#include "tokenize.hpp"

namespace nb = nanobind;
using namespace tricolore;

namespace {

using Rows = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// A str as it lies in memory, or a view of width 0 if the object is not one.
TextView view_of(PyObject* object) {
  if (!PyUnicode_Check(object)) return {nullptr, 0, 0};
#if PY_VERSION_HEX < 0x030C0000
  if (PyUnicode_READY(object) != 0) nb::raise_python_error();
#endif
  return {PyUnicode_DATA(object), static_cast<std::size_t>(PyUnicode_GET_LENGTH(object)),
          static_cast<std::uint8_t>(PyUnicode_KIND(object))};
}

// The strings of a batch. They are kept alive while the GIL is released, whatever happens to the lists.
class Batch {
 public:
  Batch() = default;
  Batch(const Batch&) = delete;
  Batch& operator=(const Batch&) = delete;
  ~Batch() {
    for (PyObject* object : kept_) Py_DECREF(object);
  }

  // False if the object is not a str.
  bool add(PyObject* object) {
    const TextView view = view_of(object);
    if (view.width == 0) return false;
    Py_INCREF(object);
    kept_.push_back(object);
    views_.push_back(view);
    return true;
  }

  void reserve(std::size_t size) {
    kept_.reserve(size);
    views_.reserve(size);
  }

  std::size_t size() const { return views_.size(); }
  const std::vector<TextView>& views() const { return views_; }

 private:
  std::vector<PyObject*> kept_;
  std::vector<TextView> views_;
};

// Raised where an item is not what it should be; Python then finds out what to say about it.
void refuse(const char* what, std::size_t index) {
  PyErr_Format(PyExc_TypeError, "%s %zu is not text", what, index);
  nb::raise_python_error();
}

// The references of a segment: a str, or a list or tuple of str in which None means missing.
bool add_references(PyObject* entry, Batch& texts) {
  if (texts.add(entry)) return true;
  if (!PyList_Check(entry) && !PyTuple_Check(entry)) return false;
  PyObject** items = PySequence_Fast_ITEMS(entry);
  for (Py_ssize_t k = 0; k < PySequence_Fast_GET_SIZE(entry); ++k)
    if (items[k] != Py_None && !texts.add(items[k])) return false;
  return true;
}

// The references of all segments.
struct References {
  Batch texts;
  std::vector<std::size_t> ends;
  std::size_t fewest = 0, most = 0;

  explicit References(const nb::list& entries) {
    const std::size_t size = nb::len(entries);
    texts.reserve(size);
    ends.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t before = texts.size();
      PyObject* entry = PyList_GET_ITEM(entries.ptr(), static_cast<Py_ssize_t>(i));
      if (!add_references(entry, texts)) refuse("reference", i);
      const std::size_t number = texts.size() - before;
      if (number == 0) refuse("reference", i);
      fewest = i == 0 ? number : std::min(fewest, number);
      most = std::max(most, number);
      ends.push_back(texts.size());
    }
  }

  std::span<const TextView> of(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends[i - 1];
    return {texts.views().data() + begin, ends[i] - begin};
  }
};

void read_texts(const nb::list& list, const char* what, Batch& batch) {
  const std::size_t size = nb::len(list);
  batch.reserve(size);
  for (std::size_t i = 0; i < size; ++i)
    if (!batch.add(PyList_GET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i)))) refuse(what, i);
}

// Let Ctrl-C end a long stretch of work.
void heed_signals() {
  const nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) nb::raise_python_error();
}

nb::list list_of(const std::vector<double>& numbers) {
  nb::list list;
  for (double number : numbers) list.append(number);
  return list;
}

// What to count, set once; then batches or single segments.
class NgramCounter {
 public:
  NgramCounter(int tokenizer, bool strip_punctuation, int match_orders, int total_orders, int reference_length,
               bool clipped_length, std::optional<nb::typed<nb::object, NgramCounts>> information) {
    what_.tokenizer = static_cast<Tokenizer>(tokenizer);
    what_.strip_punctuation = strip_punctuation;
    what_.match_orders = match_orders;
    what_.total_orders = total_orders;
    what_.reference_length = static_cast<ReferenceLength>(reference_length);
    what_.clipped_length = clipped_length;
    if (information) {
      information_ = *information;
      what_.information = nb::cast<const NgramCounts*>(information_);
    }
  }

  // Count a batch. With `rows`, write one row a segment; always return (column sums, fewest, most references).
  nb::tuple batch(const nb::list& hypotheses, const nb::list& references, std::optional<Rows> rows,
                  unsigned threads) const {
    Batch hyps;
    read_texts(hypotheses, "hypothesis", hyps);
    const References refs(references);
    if (refs.ends.size() != hyps.size()) throw nb::value_error("as many references as hypotheses are needed");
    const auto sums =
        count_rows(hyps.size(), rows, threads, [&](NgramWorkspace& workspace, std::size_t i, double* row) {
          workspace.count(what_, {hyps.views()[i], refs.of(i)}, row);
        });
    return nb::make_tuple(list_of(sums), refs.fewest, refs.most);
  }

  // Count a batch against the references that the information was learnt from, beginning with segment `first`.
  nb::tuple batch_learnt(const nb::list& hypotheses, std::size_t first, std::optional<Rows> rows,
                         unsigned threads) const {
    Batch hyps;
    read_texts(hypotheses, "hypothesis", hyps);
    if (!what_.information || first + hyps.size() > what_.information->segments())
      throw nb::value_error("these references have not been learnt from");
    const auto sums =
        count_rows(hyps.size(), rows, threads, [&](NgramWorkspace& workspace, std::size_t i, double* row) {
          workspace.count_learnt(what_, hyps.views()[i], first + i, row);
        });
    std::size_t fewest = 0, most = 0;
    for (std::size_t i = 0; i < hyps.size(); ++i) {
      const std::size_t number = what_.information->references_of(first + i);
      fewest = i == 0 ? number : std::min(fewest, number);
      most = std::max(most, number);
    }
    return nb::make_tuple(list_of(sums), fewest, most);
  }

  // Count one segment; returns (row, number of references).
  nb::tuple segment(nb::handle hypothesis, nb::handle references) const {
    Batch hyp;
    if (!hyp.add(hypothesis.ptr())) refuse("hypothesis", 0);
    Batch refs;
    if (!add_references(references.ptr(), refs) || refs.size() == 0) refuse("reference", 0);
    const SegmentView view{hyp.views()[0], refs.views()};
    std::vector<double> row(what_.columns());
    std::size_t characters = view.hypothesis.size;
    for (const auto& text : view.references) characters += text.size;
    if (characters < small_enough_to_keep) {
      thread_local NgramWorkspace workspace;  // so that one pair at a time does not allocate
      workspace.count(what_, view, row.data());
    } else {  // worth releasing the GIL for, and too large to keep room for
      const nb::gil_scoped_release unlocked;
      NgramWorkspace workspace;
      workspace.count(what_, view, row.data());
    }
    return nb::make_tuple(list_of(row), refs.size());
  }

 private:
  static constexpr std::size_t small_enough_to_keep = 20000;

  // Call count(workspace, i, row) for every segment, without the GIL, and return the column sums. They are taken within
  // blocks and then over blocks, in order, so that threads change nothing.
  template <class Count>
  std::vector<double> count_rows(std::size_t size, const std::optional<Rows>& rows, unsigned threads,
                                 Count&& count) const {
    const std::size_t columns = what_.columns();
    double* out = nullptr;
    if (rows) {
      if (rows->shape(0) != size || rows->shape(1) != columns)
        throw nb::value_error("rows of another shape are needed");
      out = rows->data();
    }
    const nb::gil_scoped_release unlocked;
    std::vector<double> block_sums(blocks_of(size) * columns, 0.0);
    NgramWorkspace own;
    for_blocks(size, threads, own,
               [&](NgramWorkspace& workspace, std::size_t block, std::size_t first, std::size_t last) {
                 std::vector<double> row(columns);
                 double* sum = &block_sums[block * columns];
                 for (std::size_t i = first; i < last; ++i) {
                   double* target = out ? out + i * columns : row.data();
                   count(workspace, i, target);
                   for (std::size_t c = 0; c < columns; ++c) sum[c] += target[c];
                 }
               });
    std::vector<double> sums(columns, 0.0);
    for (std::size_t block = 0; block < blocks_of(size); ++block)
      for (std::size_t c = 0; c < columns; ++c) sums[c] += block_sums[block * columns + c];
    return sums;
  }

  NgramCounting what_;
  nb::object information_;  // kept alive
};

template <class Unit>
nb::list tokens_of(const TextView& text, Tokenizer tokenizer, bool strip_punctuation) {
  constexpr int kind = sizeof(Unit) == 1   ? PyUnicode_1BYTE_KIND
                       : sizeof(Unit) == 2 ? PyUnicode_2BYTE_KIND
                                           : PyUnicode_4BYTE_KIND;
  Arena<Unit> arena;
  arena.reset(text.size + Arena<Unit>::padding);
  arena.append(text);
  const std::size_t size = clean(tokenizer, strip_punctuation, arena.data(), text.size);
  nb::list tokens;
  split(tokenizer, arena.data(), size, [&](std::size_t begin, std::size_t end) {
    tokens.append(
        nb::steal(PyUnicode_FromKindAndData(kind, arena.data() + begin, static_cast<Py_ssize_t>(end - begin))));
  });
  return tokens;
}

nb::list tokenize(const nb::str& text, int tokenizer, bool strip_punctuation) {
  const TextView view = view_of(text.ptr());
  const auto name = static_cast<Tokenizer>(tokenizer);
  switch (view.width) {
    case 1:
      return tokens_of<std::uint8_t>(view, name, strip_punctuation);
    case 2:
      return tokens_of<std::uint16_t>(view, name, strip_punctuation);
    default:
      return tokens_of<std::uint32_t>(view, name, strip_punctuation);
  }
}

template <class Number>
nb::bytes pack(const std::vector<Number>& numbers) {
  return nb::bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number));
}

template <class Number>
std::vector<Number> unpack(const nb::bytes& bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  if (!numbers.empty()) std::memcpy(numbers.data(), bytes.c_str(), numbers.size() * sizeof(Number));
  return numbers;
}

template <class Number>
nb::object array_of(std::vector<Number> numbers) {
  auto* kept = new std::vector<Number>(std::move(numbers));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

nb::tuple state_of(const NgramCounts& counts) {
  const NgramCounts::State state = counts.state();
  nb::list words;
  for (const auto& word : state.words) words.append(nb::bytes(word.data(), word.size()));
  return nb::make_tuple(words, pack(state.parents), pack(state.last_words), pack(state.counts), state.total,
                        pack(state.weights));
}

NgramCounts counts_from(const nb::tuple& parts) {
  NgramCounts::State state;
  for (nb::handle word : nb::cast<nb::list>(parts[0])) {
    const auto bytes = nb::cast<nb::bytes>(word);
    state.words.emplace_back(bytes.c_str(), bytes.size());
  }
  state.parents = unpack<std::uint32_t>(nb::cast<nb::bytes>(parts[1]));
  state.last_words = unpack<std::uint32_t>(nb::cast<nb::bytes>(parts[2]));
  state.counts = unpack<std::uint32_t>(nb::cast<nb::bytes>(parts[3]));
  state.total = nb::cast<std::uint64_t>(parts[4]);
  state.weights = unpack<double>(nb::cast<nb::bytes>(parts[5]));
  return NgramCounts(std::move(state));
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "The counting core: text in, numbers out, no formulas.";
  m.attr("unicode_version") = unicode_version;
  nb::set_leak_warnings(false);  // a metric held by a module is alive at exit, and that is no mistake

  m.def("tokenize", &tokenize, nb::arg("text"), nb::arg("tokenizer"), nb::arg("strip_punctuation"));

  nb::class_<NgramCounts>(m, "NgramCounts", "Counts of the n-grams of a corpus whose prefix occurs twice or more.")
      .def(
          "__init__",
          [](NgramCounts* self, const nb::list& references, int tokenizer, bool strip_punctuation, int order) {
            const References refs(references);
            const nb::gil_scoped_release unlocked;
            new (self) NgramCounts(refs.texts.views(), refs.ends, static_cast<Tokenizer>(tokenizer), strip_punctuation,
                                   order, heed_signals);
          },
          nb::arg("references"), nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("order"))
      .def_prop_ro("total", &NgramCounts::total)
      .def("counts", [](const NgramCounts& self) { return array_of(self.counts()); })
      .def("prefix_counts", [](const NgramCounts& self) { return array_of(self.prefix_counts()); })
      .def("set_weights",
           [](NgramCounts& self, const nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>& weights) {
             self.set_weights({weights.data(), weights.data() + weights.shape(0)});
           })
      .def("__getstate__", &state_of)
      .def("__setstate__",
           [](NgramCounts& self, const nb::tuple& parts) { new (&self) NgramCounts(counts_from(parts)); });

  nb::class_<NgramCounter>(m, "NgramCounter", "Counts clipped n-gram matches.")
      .def(nb::init<int, bool, int, int, int, bool, std::optional<nb::typed<nb::object, NgramCounts>>>(),
           nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("match_orders"), nb::arg("total_orders"),
           nb::arg("reference_length"), nb::arg("clipped_length"), nb::arg("information").none())
      .def("batch", &NgramCounter::batch, nb::arg("hypotheses"), nb::arg("references"), nb::arg("rows").none(),
           nb::arg("threads"))
      .def("batch_learnt", &NgramCounter::batch_learnt, nb::arg("hypotheses"), nb::arg("first"), nb::arg("rows").none(),
           nb::arg("threads"))
      .def("segment", &NgramCounter::segment, nb::arg("hypothesis"), nb::arg("references"));
}
