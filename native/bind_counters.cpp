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
#include "grr.hpp"
#include "information.hpp"
#include "interruption.hpp"
#include "matches.hpp"
#include "ngram_pairs.hpp"
#include "ngrams.hpp"
#include "overlaps.hpp"
#include "pair_counter.hpp"
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

  // Count a batch of lists of tokens; returns the column sums, or None if the arguments are not lists of str.
  nb::object batch_tokens(nb::handle hypotheses, nb::handle references, unsigned threads) const {
    TokenCorpus corpus;
    if (!corpus.read(hypotheses.ptr(), references.ptr())) return nb::none();
    return list_of(count_rows<NgramWorkspace>(
        corpus.size(), what_.columns(), block_size, nullptr, threads,
        [&](NgramWorkspace& workspace, std::size_t i, double* row) { workspace.count(what_, corpus[i], row); }));
  }

 private:
  static constexpr std::size_t block_size = 256;

  NgramCounting what_;
  nb::object information_;  // kept alive
};

// A counter of its own for each, so that Python can tell them apart.
template <class What, class Workspace>
struct PairCounterOf : PairCounter {
  explicit PairCounterOf(What what) : PairCounter(std::make_unique<PairCountingOf<What, Workspace>>(std::move(what))) {}
};

// Give a pair counter to Python: a constructor that takes what `make` takes.
template <class What, class Workspace, class... Parameters, class... Names>
void bind_pair_counter(nb::module_& m, const char* name, const char* doc, What (*make)(Parameters...),
                       const Names&... names) {
  using Counter = PairCounterOf<What, Workspace>;
  nb::class_<Counter, PairCounter>(m, name, doc)
      .def(
          "__init__",
          [make](Counter* self, Parameters... parameters) { new (self) Counter(make(std::move(parameters)...)); },
          names...);
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
      .def("tokens", &NgramCounter::tokens, nb::arg("hypothesis"), nb::arg("references"))
      .def("batch_tokens", &NgramCounter::batch_tokens, nb::arg("hypotheses"), nb::arg("references"),
           nb::arg("threads"));

  nb::class_<PairCounter>(m, "PairCounter", "Counts a hypothesis with each of its references: a row a pair.")
      .def("batch", &PairCounter::batch, nb::arg("hypotheses"), nb::arg("references"), nb::arg("rows").none(),
           nb::arg("threads"))
      .def("pairs", &PairCounter::pairs, nb::arg("hypotheses"), nb::arg("references"), nb::arg("threads"))
      .def("numbered_pairs", &PairCounter::numbered_pairs, nb::arg("segments"), nb::arg("threads"))
      .def("each", &PairCounter::each, nb::arg("hypotheses"), nb::arg("references"), nb::arg("threads"))
      .def("segment", &PairCounter::segment, nb::arg("hypothesis"), nb::arg("references"))
      .def("tokens", &PairCounter::tokens, nb::arg("hypothesis"), nb::arg("references"))
      .def("batch_tokens", &PairCounter::batch_tokens, nb::arg("hypotheses"), nb::arg("references"),
           nb::arg("threads"));

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
  m.def("limit_lanes", &limit_lanes, nb::arg("most"));
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
