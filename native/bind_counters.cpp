// What metrics count: for each, a class that takes its parameters once, then batches or single segments.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "bind.hpp"
#include "chrf.hpp"
#include "chunks.hpp"
#include "edits.hpp"
#include "fuzzy.hpp"
#include "fuzzy_groups.hpp"
#include "grr.hpp"
#include "information.hpp"
#include "interruption.hpp"
#include "ngram_pairs.hpp"
#include "ngrams.hpp"
#include "overlaps.hpp"
#include "parallel.hpp"
#include "python.hpp"
#include "reader.hpp"
#include "rows.hpp"
#include "runs.hpp"
#include "ter.hpp"
#include "token_lists.hpp"
#include "tolerant.hpp"
#include "word_order.hpp"

namespace tricolore::counting {

namespace {

nb::list list_of(std::span<const double> numbers) {
  const nb::list list = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(numbers.size())));
  if (!list.is_valid()) nb::raise_python_error();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PyObject* number = PyFloat_FromDouble(numbers[i]);
    if (number == nullptr) nb::raise_python_error();
    PyList_SET_ITEM(list.ptr(), static_cast<Py_ssize_t>(i), number);
  }
  return list;
}

// What to count, set once; then batches or single segments. One row a segment, over all its references.
class NgramCounter {
 public:
  NgramCounter(int tokenizer, bool strip_punctuation, int match_orders, int total_orders, int reference_length,
               bool clipped_length, std::optional<nb::typed<nb::object, NgramCounts>> information) {
    what_.reading = reading(tokenizer, strip_punctuation);
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
  nb::tuple batch(nb::handle hypotheses, nb::handle references, std::optional<Rows> rows, unsigned threads) const {
    const Segments segments(hypotheses, references);
    const auto sums = count_rows<NgramWorkspace>(
        segments.size(), what_.columns(), block_size, rows_of(rows, segments.size(), what_.columns()), threads,
        [&](NgramWorkspace& workspace, std::size_t i, double* row) { workspace.count(what_, segments[i], row); });
    return nb::make_tuple(list_of(sums), segments.references.fewest, segments.references.most);
  }

  // Count a batch against the references that the information was learnt from, beginning with segment `first`.
  nb::tuple batch_learnt(nb::handle hypotheses, std::size_t first, std::optional<Rows> rows, unsigned threads) const {
    Batch hyps;
    read_texts(hypotheses, "hypothesis", hyps);
    if (!what_.information || first + hyps.size() > what_.information->segments())
      throw nb::value_error("these references have not been learnt from");
    const auto sums = count_rows<NgramWorkspace>(
        hyps.size(), what_.columns(), block_size, rows_of(rows, hyps.size(), what_.columns()), threads,
        [&](NgramWorkspace& workspace, std::size_t i, double* row) {
          workspace.count_learnt(what_, decoder()(hyps.views()[i]), first + i, row);
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
    const OneSegment segment(hypothesis, references);
    std::vector<double> row(what_.columns());
    count_alone<NgramWorkspace>(segment.view(),
                                [&](NgramWorkspace& workspace) { workspace.count(what_, segment.view(), row.data()); });
    return nb::make_tuple(list_of(row), segment.references.size());
  }

  // Count one segment of lists of tokens; returns its row, or None if the arguments are not lists of str.
  nb::object tokens(nb::handle hypothesis, nb::handle references) const {
    const auto items = items_of(references.ptr());
    const TokenLists* lists = items.empty() ? nullptr : read_tokens(hypothesis.ptr(), items);
    if (lists == nullptr) return nb::none();
    std::vector<double> row(what_.columns());
    count_alone<NgramWorkspace>(
        lists->segment(), [&](NgramWorkspace& workspace) { workspace.count(what_, lists->segment(), row.data()); });
    return list_of(row);
  }

 private:
  static constexpr std::size_t block_size = 256;

  NgramCounting what_;
  nb::object information_;  // kept alive
};

// Read texts once, and put the numbers of their words in their place; `words` keeps them.
void number_words(const Reading& how, std::vector<TextView>& texts, Words& words) {
  const InterruptChecks checked(check_signals_sometimes());
  SegmentReader().read(how, {{nullptr, 0, 1, !texts.empty() && texts.front().ids}, texts}, words);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto numbers = words.reference(i);
    texts[i] = {numbers.data(), numbers.size(), 4, true};
  }
}

// Count every hypothesis with every reference, if the texts are such that they can be counted together.
bool count_fuzzy_group(const FuzzyCounting& what, std::span<const TextView> texts, std::size_t hypotheses, double* rows,
                       unsigned threads) {
  const InterruptChecks checked(check_signals_sometimes());
  const FuzzyGroup group(what, texts, hypotheses);
  if (!group.fits()) return false;
  FuzzyGroup::Workspace own;
  for_blocks(group.blocks(), 1, threads, own, check_signals_sometimes(),
             [&](FuzzyGroup::Workspace& workspace, std::size_t block, std::size_t, std::size_t) {
               group.count(workspace, block, rows);
             });
  return true;
}

// Counts of a hypothesis against each of its references: one row a pair. `What` says what to count and how many columns
// that makes; `Workspace` counts a segment into as many rows as it has references.
template <class What, class Workspace>
class PairCounter {
 public:
  explicit PairCounter(What what) : what_(std::move(what)) {}

  // Count a batch in which every segment has one reference: as NgramCounter. If one has several, nothing is counted
  // and the sums are None: `pairs` is the way then.
  nb::tuple batch(nb::handle hypotheses, nb::handle references, std::optional<Rows> rows, unsigned threads) const {
    const Segments segments(hypotheses, references);
    const std::size_t fewest = segments.references.fewest, most = segments.references.most;
    if (most > 1) return nb::make_tuple(nb::none(), fewest, most);
    double* out = rows_of(rows, segments.size(), what_.columns());
    return nb::make_tuple(list_of(count(segments, out, threads)), fewest, most);
  }

  // Count a batch; returns (an array of a row a pair, an array of where each segment's pairs end).
  nb::tuple pairs(nb::handle hypotheses, nb::handle references, unsigned threads) const {
    const Segments segments(hypotheses, references);
    const std::size_t columns = what_.columns();
    std::vector<double> rows(segments.references.texts.size() * columns);
    {
      const nb::gil_scoped_release unlocked;
      Workspace own;
      for_blocks(segments.size(), What::block_size, threads, own, check_signals_sometimes(),
                 [&](Workspace& workspace, std::size_t, std::size_t first, std::size_t last) {
                   for (std::size_t i = first; i < last; ++i) {
                     const std::size_t begin = i == 0 ? 0 : segments.references.ends[i - 1];
                     workspace.count(what_, segments[i], rows.data() + begin * columns);
                   }
                 });
    }
    std::vector<std::int64_t> ends(segments.references.ends.begin(), segments.references.ends.end());
    return nb::make_tuple(table_of(std::move(rows), columns), array_of(std::move(ends)));
  }

  // Count every hypothesis with every reference, in that order; returns a row a pair.
  nb::object each(const nb::list& hypotheses, const nb::list& references, unsigned threads) const {
    Batch texts;
    read_texts(hypotheses, "hypothesis", texts);
    const std::size_t size = texts.size(), columns = what_.columns();
    read_texts(references, "reference", texts);
    std::vector<double> rows(size * (texts.size() - size) * columns);
    {
      const nb::gil_scoped_release unlocked;
      count_each(texts.views(), size, rows.data(), threads);
    }
    return table_of(std::move(rows), columns);
  }

  // Count one segment; returns its rows.
  nb::list segment(nb::handle hypothesis, nb::handle references) const {
    const OneSegment segment(hypothesis, references);
    return counted(segment.view());
  }

  // The same for lists of tokens; None if the arguments are not lists of str.
  nb::object tokens(nb::handle hypothesis, nb::handle references) const {
    const auto items = items_of(references.ptr());
    const TokenLists* lists = items.empty() ? nullptr : read_tokens(hypothesis.ptr(), items);
    if (lists == nullptr) return nb::none();
    return counted(lists->segment());
  }

 private:
  nb::list counted(const SegmentView& segment) const {
    const std::size_t columns = what_.columns();
    std::vector<double> rows(segment.references.size() * columns);
    count_alone<Workspace>(segment, [&](Workspace& workspace) { workspace.count(what_, segment, rows.data()); });
    nb::list lists;
    for (std::size_t k = 0; k < segment.references.size(); ++k)
      lists.append(list_of(std::span(rows).subspan(k * columns, columns)));
    return lists;
  }

  // Texts: hypotheses, then references.
  void count_each(std::vector<TextView> texts, std::size_t hypotheses, double* rows, unsigned threads) const {
    if constexpr (std::is_same_v<What, FuzzyCounting>) {
      if (count_fuzzy_group(what_, texts, hypotheses, rows, threads)) return;
    }
    Words words;
    if constexpr (What::compares_words_only) number_words(what_.reading, texts, words);
    const std::span<const TextView> hyps(texts.data(), hypotheses),
        refs(texts.data() + hypotheses, texts.size() - hypotheses);
    struct Reader {
      Workspace workspace;
      bool has_read = false;
    } own;
    for_blocks(refs.empty() ? 0 : hypotheses, 1, threads, own, check_signals_sometimes(),
               [&](Reader& reader, std::size_t i, std::size_t, std::size_t) {
                 const std::size_t columns = what_.columns();
                 double* out = rows + i * refs.size() * columns;
                 if constexpr (requires { reader.workspace.read(what_, hyps, refs); }) {
                   if (!std::exchange(reader.has_read, true)) reader.workspace.read(what_, hyps, refs);
                   for (std::size_t k = 0; k < refs.size(); ++k)
                     reader.workspace.compare(what_, i, k, out + k * columns);
                 } else {
                   reader.workspace.count(what_, {hyps[i], refs}, out);
                 }
               });
  }

  std::vector<double> count(const Segments& segments, double* out, unsigned threads) const {
    return count_rows<Workspace>(
        segments.size(), what_.columns(), What::block_size, out, threads,
        [&](Workspace& workspace, std::size_t i, double* row) { workspace.count(what_, segments[i], row); });
  }

  What what_;
};

// Give a pair counter to Python: its methods, and a constructor that takes what `make` takes.
template <class What, class Workspace, class... Parameters, class... Names>
void bind_pair_counter(nb::module_& m, const char* name, const char* doc, What (*make)(Parameters...),
                       const Names&... names) {
  using Counter = PairCounter<What, Workspace>;
  nb::class_<Counter>(m, name, doc)
      .def(
          "__init__",
          [make](Counter* self, Parameters... parameters) { new (self) Counter(make(std::move(parameters)...)); },
          names...)
      .def("batch", &Counter::batch, nb::arg("hypotheses"), nb::arg("references"), nb::arg("rows").none(),
           nb::arg("threads"))
      .def("pairs", &Counter::pairs, nb::arg("hypotheses"), nb::arg("references"), nb::arg("threads"))
      .def("each", &Counter::each, nb::arg("hypotheses"), nb::arg("references"), nb::arg("threads"))
      .def("segment", &Counter::segment, nb::arg("hypothesis"), nb::arg("references"))
      .def("tokens", &Counter::tokens, nb::arg("hypothesis"), nb::arg("references"));
}

Equivalents::Numbers numbers_of(nb::handle sequence) {
  Equivalents::Numbers numbers;
  for (nb::handle number : sequence) numbers.push_back(nb::cast<std::uint32_t>(number));
  return numbers;
}

// What matches although it is not equal, and function words: nothing if all lists are empty.
std::shared_ptr<const Equivalents> equivalents_of(const nb::list& senses, const nb::list& stems,
                                                  const nb::list& phrases, const nb::list& functions) {
  if (nb::len(senses) + nb::len(stems) + nb::len(phrases) + nb::len(functions) == 0) return nullptr;
  std::vector<Equivalents::Numbers> of_words;
  for (nb::handle of_word : senses) of_words.push_back(numbers_of(of_word));
  std::vector<std::pair<Equivalents::Numbers, Equivalents::Numbers>> pairs;
  for (nb::handle pair : phrases) pairs.emplace_back(numbers_of(pair[0]), numbers_of(pair[1]));
  return std::make_shared<const Equivalents>(std::move(of_words), numbers_of(stems), std::move(pairs),
                                             numbers_of(functions));
}

}  // namespace

void bind_counters(nb::module_& m) {
  nb::class_<NgramCounter>(m, "NgramCounter", "Counts clipped n-gram matches.")
      .def(nb::init<int, bool, int, int, int, bool, std::optional<nb::typed<nb::object, NgramCounts>>>(),
           nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("match_orders"), nb::arg("total_orders"),
           nb::arg("reference_length"), nb::arg("clipped_length"), nb::arg("information").none())
      .def("batch", &NgramCounter::batch, nb::arg("hypotheses"), nb::arg("references"), nb::arg("rows").none(),
           nb::arg("threads"))
      .def("batch_learnt", &NgramCounter::batch_learnt, nb::arg("hypotheses"), nb::arg("first"), nb::arg("rows").none(),
           nb::arg("threads"))
      .def("segment", &NgramCounter::segment, nb::arg("hypothesis"), nb::arg("references"))
      .def("tokens", &NgramCounter::tokens, nb::arg("hypothesis"), nb::arg("references"));

  bind_pair_counter<EditCounting, EditWorkspace>(
      m, "EditCounter", "Counts edits between a hypothesis and each of its references.",
      +[](int tokenizer, bool strip_punctuation, int distance) {
        return EditCounting{reading(tokenizer, strip_punctuation), static_cast<Distance>(distance)};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("distance"));

  bind_pair_counter<ChrfCounting, ChrfWorkspace>(
      m, "ChrfCounter", "Counts character and word n-grams of a hypothesis and each of its references.",
      +[](int character_orders, int word_orders, bool whitespace) {
        return ChrfCounting{character_orders, word_orders, whitespace};
      },
      nb::arg("character_orders"), nb::arg("word_orders"), nb::arg("whitespace"));

  bind_pair_counter<TerCounting, TerWorkspace>(
      m, "TerCounter", "Counts edits and block shifts between a hypothesis and each of its references.",
      +[](int tokenizer, bool strip_punctuation, int beam) {
        return TerCounting{reading(tokenizer, strip_punctuation), beam};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("beam"));

  bind_pair_counter<FuzzyCounting, FuzzyWorkspace>(
      m, "FuzzyCounter", "Counts n-grams of a hypothesis by how similar each reference has others.",
      +[](int order, double threshold, std::size_t limit, bool sample_reference) {
        return FuzzyCounting{order, threshold, limit, sample_reference};
      },
      nb::arg("order"), nb::arg("threshold"), nb::arg("limit"), nb::arg("sample_reference"));
  m.def(
      "sampled_positions",
      [](std::size_t words, std::size_t most) {
        nb::list kept;
        const Sampling sampling(words, most);
        for (std::size_t i = 0; i < words; ++i)
          if (sampling.keeps(i)) kept.append(i);
        return kept;
      },
      nb::arg("words"), nb::arg("most"));
  nb::class_<Overlap>(m, "Overlap", "One way to say how much two texts share.")
      .def_static(
          "ngrams",
          [](std::size_t lowest, std::size_t highest) {
            return Overlap{.kind = Overlap::Kind::ngrams, .lowest = lowest, .highest = highest};
          },
          nb::arg("lowest"), nb::arg("highest"))
      .def_static("subsequence", [] { return Overlap{.kind = Overlap::Kind::subsequence}; })
      .def_static(
          "weighted", [](double weight) { return Overlap{.kind = Overlap::Kind::weighted, .weight = weight}; },
          nb::arg("weight"))
      .def_static(
          "skip_bigrams",
          [](std::optional<std::size_t> skip, bool unigrams) {
            return Overlap{
                .kind = Overlap::Kind::skip_bigrams, .skip = skip.value_or(Overlap::no_limit), .unigrams = unigrams};
          },
          nb::arg("skip").none(), nb::arg("unigrams"));

  bind_pair_counter<OverlapCounting, OverlapWorkspace>(
      m, "OverlapCounter", "Counts what a hypothesis shares with each of its references.",
      +[](int tokenizer, bool strip_punctuation, std::vector<Overlap> overlaps) {
        return OverlapCounting{reading(tokenizer, strip_punctuation), std::move(overlaps)};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("overlaps"));

  bind_pair_counter<OrderCounting, OrderWorkspace>(
      m, "OrderCounter", "Aligns the words of a hypothesis with each of its references and compares their order.",
      +[](int tokenizer, bool strip_punctuation, bool left_first, bool as_nltk) {
        return OrderCounting{reading(tokenizer, strip_punctuation), left_first, as_nltk};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("left_first"), nb::arg("as_nltk") = false);

  bind_pair_counter<RunCounting, RunWorkspace>(
      m, "RunCounter", "Counts the runs in which a hypothesis matches each of its references.",
      +[](int tokenizer, bool strip_punctuation, double exponent, int search, bool joined) {
        return RunCounting{reading(tokenizer, strip_punctuation), exponent, static_cast<RunSearch>(search), joined};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("exponent"), nb::arg("search"), nb::arg("joined"));

  bind_pair_counter<RecognitionCounting, RecognitionWorkspace>(
      m, "RecognitionCounter", "Counts the n-grams that the best alignment with each reference recognises.",
      +[](int tokenizer, bool strip_punctuation, int order, double alpha, double beta) {
        return RecognitionCounting{reading(tokenizer, strip_punctuation), Recognition{order, alpha, beta}};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("order"), nb::arg("alpha"), nb::arg("beta"));

  bind_pair_counter<ChunkCounting, ChunkWorkspace>(
      m, "ChunkCounter", "Counts words and chunks of the best alignment with each reference.",
      +[](int tokenizer, bool strip_punctuation, std::size_t beam, nb::list senses, nb::list stems, nb::list phrases,
          nb::list functions, bool by_stage) {
        return ChunkCounting{reading(tokenizer, strip_punctuation), beam,
                             equivalents_of(senses, stems, phrases, functions), by_stage};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("beam"), nb::arg("senses"), nb::arg("stems"),
      nb::arg("phrases"), nb::arg("functions"), nb::arg("by_stage"));

  bind_pair_counter<NgramPairCounting, NgramPairWorkspace>(
      m, "NgramPairCounter", "Counts clipped n-gram matches with each reference alone.",
      +[](int tokenizer, bool strip_punctuation, int order, bool characters) {
        return NgramPairCounting{reading(tokenizer, strip_punctuation), order, characters};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("order"), nb::arg("characters"));

  bind_pair_counter<TolerantCounting, TolerantWorkspace>(
      m, "TolerantCounter", "Counts n-gram matches after similar words have been aligned.",
      +[](int tokenizer, bool strip_punctuation, int match_orders, int total_orders, double threshold,
          std::size_t assign) {
        return TolerantCounting{reading(tokenizer, strip_punctuation), match_orders, total_orders, threshold, assign};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("match_orders"), nb::arg("total_orders"),
      nb::arg("threshold"), nb::arg("assign"));
}

}  // namespace tricolore::counting
