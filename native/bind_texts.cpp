// Texts as Python hands them over: their tokens and edits, the n-grams that lists of them share, those of a corpus.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <cstring>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "alignment.hpp"
#include "batch.hpp"
#include "bind.hpp"
#include "chrf.hpp"
#include "information.hpp"
#include "interruption.hpp"
#include "pairwise.hpp"
#include "parallel.hpp"
#include "porter.hpp"
#include "python.hpp"
#include "reader.hpp"
#include "rows.hpp"
#include "stem_numbers.hpp"
#include "text.hpp"
#include "tokenize.hpp"
#include "tolerant.hpp"

namespace tricolore::counting {

namespace {

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
  Cutter cutter;
  for (const auto [begin, length] : cutter.cut(tokenizer, arena.data(), size))
    tokens.append(nb::steal(PyUnicode_FromKindAndData(kind, arena.data() + begin, static_cast<Py_ssize_t>(length))));
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

struct EditScriptWorkspace {
  SegmentReader reader;
  Words words;
  EditScript script;
};

// The steps that make a reference a hypothesis, a letter each; see EditScript.
nb::str edit_script(nb::handle hypothesis, nb::handle reference, int tokenizer, bool strip_punctuation,
                    std::optional<std::size_t> room) {
  const OneSegment segment(hypothesis, reference);
  if (segment.references.size() != 1) throw nb::value_error("one reference is needed");
  std::string steps;
  count_alone<EditScriptWorkspace>(segment.view(), [&](EditScriptWorkspace& at) {
    at.reader.read(reading(tokenizer, strip_punctuation), segment.view(), at.words);
    if (room) at.script = EditScript(*room);
    steps = at.script.steps(at.words.hypothesis, at.words.references, at.words.types);
    if (room) at.script = EditScript();
  });
  return nb::str(steps.data(), steps.size());
}

// Texts to compare each with each: (hypotheses, references) or, where they are the same, (texts, None); a third entry
// holds a weight for each reference if an average is to stand for them all.
struct PairwiseTexts {
  Batch batch;
  std::size_t hypotheses = 0;
  bool same = false;
  std::vector<double> weights;

  explicit PairwiseTexts(const nb::tuple& given) : same(given[1].is_none()) {
    const auto hyps = nb::cast<nb::list>(given[0]);
    read_texts(hyps, "hypothesis", batch);
    hypotheses = batch.size();
    if (!same) read_texts(nb::cast<nb::list>(given[1]), "reference", batch);
    if (given[2].is_none()) return;
    const auto numbers = nb::cast<Vector<double>>(given[2]);
    check_shape(numbers.size() == group().references() && numbers.size() > 0);
    weights.assign(numbers.data(), numbers.data() + numbers.size());
  }

  TextGroup group() const { return {batch.views(), hypotheses, same}; }
};

// Call count(workspace, group, weights, tables) for every group; returns the tables of each: (matches by order, lengths
// of hypotheses, lengths of references).
template <class Count>
nb::list count_groups(const nb::list& groups, const std::vector<int>& orders, unsigned threads, Count&& count) {
  std::deque<PairwiseTexts> texts;
  for (nb::handle given : groups) texts.emplace_back(nb::cast<nb::tuple>(given));
  std::vector<std::vector<GroupMatches>> counted(texts.size(), std::vector<GroupMatches>(orders.size()));
  {
    const nb::gil_scoped_release unlocked;
    PairwiseWorkspace own;
    for_blocks(texts.size(), 1, threads, own, check_signals_sometimes(),
               [&](PairwiseWorkspace& workspace, std::size_t, std::size_t first, std::size_t last) {
                 for (std::size_t i = first; i < last; ++i)
                   count(workspace, texts[i].group(), std::span<const double>(texts[i].weights), counted[i]);
               });
  }
  nb::list all;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    nb::list tables;
    for (std::size_t k = 0; k < orders.size(); ++k) {
      GroupMatches& found = counted[i][k];
      std::vector<std::size_t> shape{static_cast<std::size_t>(orders[k]), texts[i].hypotheses};
      if (texts[i].weights.empty()) shape.push_back(texts[i].group().references());
      tables.append(nb::make_tuple(array_of(std::move(found.matches), shape),
                                   array_of(std::move(found.hypothesis_lengths)),
                                   array_of(std::move(found.reference_lengths))));
    }
    all.append(tables);
  }
  return all;
}

nb::list pairwise_words(const nb::list& groups, int tokenizer, bool strip_punctuation, int orders, unsigned threads) {
  const Reading how = reading(tokenizer, strip_punctuation);
  return count_groups(groups, {orders}, threads,
                      [&](PairwiseWorkspace& workspace, const TextGroup& group, std::span<const double> weights,
                          std::vector<GroupMatches>& out) { workspace.count(how, orders, group, weights, out[0]); });
}

nb::list pairwise_skip_bigrams(const nb::list& groups, int tokenizer, bool strip_punctuation, const Overlap& overlap,
                               unsigned threads) {
  const Reading how = reading(tokenizer, strip_punctuation);
  return count_groups(groups, {1}, threads,
                      [&](PairwiseWorkspace& workspace, const TextGroup& group, std::span<const double>,
                          std::vector<GroupMatches>& out) { workspace.count(how, overlap, group, out[0]); });
}

nb::list pairwise_characters(const nb::list& groups, int character_orders, int word_orders, bool whitespace,
                             unsigned threads) {
  const ChrfCounting what{character_orders, word_orders, whitespace};
  std::vector<int> orders{character_orders};
  if (word_orders > 0) orders.push_back(word_orders);
  return count_groups(groups, orders, threads,
                      [&](PairwiseWorkspace& workspace, const TextGroup& group, std::span<const double> weights,
                          std::vector<GroupMatches>& out) { workspace.count(what, group, weights, out); });
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

void bind_texts(nb::module_& m) {
  m.def("all_plain", &all_plain, nb::arg("cells"));
  m.def("tokenize", &tokenize, nb::arg("text"), nb::arg("tokenizer"), nb::arg("strip_punctuation"));
  m.def("edit_script", &edit_script, nb::arg("hypothesis"), nb::arg("reference"), nb::arg("tokenizer"),
        nb::arg("strip_punctuation"), nb::arg("room").none() = nb::none());

  m.attr("with_stems") = with_stems;
  m.def(
      "porter_stem",
      [](const std::string& word) {
        std::string stem = word;
        stem.resize(porter_stem(stem.data(), stem.size()));
        return stem;
      },
      nb::arg("word"));
  nb::class_<NumberedSegments>(m, "NumberedSegments", "Segments as the numbers of their words.");
  nb::class_<StemNumbers>(m, "StemNumbers", "Words as the numbers of their stems.")
      .def(nb::init<int, bool, nb::callable>(), nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("stem"))
      .def("__len__", &StemNumbers::size)
      .def("read", &StemNumbers::read, nb::arg("text"), nb::lock_self())
      .def("read_segments", &StemNumbers::read_segments, nb::arg("hypotheses"), nb::arg("references"),
           nb::arg("prepare").none(), nb::lock_self());

  m.def(
      "affix_distance",
      [](const nb::str& a, const nb::str& b) {
        Arena<std::uint32_t> arena;
        const TextView first = view_of(a.ptr()), second = view_of(b.ptr());
        arena.reset(first.size + second.size + 2 * Arena<std::uint32_t>::padding);
        const std::size_t at = arena.append(first), other = arena.append(second);
        return AffixDistance()({arena.data() + at, first.size}, {arena.data() + other, second.size});
      },
      nb::arg("a"), nb::arg("b"));

  nb::class_<NgramCounts>(m, "NgramCounts", "Counts of the n-grams of a corpus whose prefix occurs twice or more.")
      .def(
          "__init__",
          [](NgramCounts* self, nb::handle references, int tokenizer, bool strip_punctuation, int order) {
            const References refs(references);
            const nb::gil_scoped_release unlocked;
            new (self)
                NgramCounts(refs.texts.views(), refs.ends, reading(tokenizer, strip_punctuation), order, check_signals);
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

  m.def("pairwise_words", &pairwise_words, nb::arg("groups"), nb::arg("tokenizer"), nb::arg("strip_punctuation"),
        nb::arg("orders"), nb::arg("threads"));
  m.def("pairwise_skip_bigrams", &pairwise_skip_bigrams, nb::arg("groups"), nb::arg("tokenizer"),
        nb::arg("strip_punctuation"), nb::arg("overlap"), nb::arg("threads"));
  m.def("pairwise_characters", &pairwise_characters, nb::arg("groups"), nb::arg("character_orders"),
        nb::arg("word_orders"), nb::arg("whitespace"), nb::arg("threads"));
}

}  // namespace tricolore::counting
