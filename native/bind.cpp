// What Python sees of the core: lists of texts in (see batch.hpp), numbers out, the GIL released in between.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "alignment.hpp"
#include "batch.hpp"
#include "bind_forests.hpp"
#include "bind_graphs.hpp"
#include "bind_lattices.hpp"
#include "characters.hpp"
#include "chrf.hpp"
#include "chunks.hpp"
#include "concordance.hpp"
#include "edits.hpp"
#include "envelopes.hpp"
#include "expected.hpp"
#include "features.hpp"
#include "fuzzy.hpp"
#include "grr.hpp"
#include "information.hpp"
#include "interruption.hpp"
#include "ngram_pairs.hpp"
#include "ngrams.hpp"
#include "overlaps.hpp"
#include "pairwise.hpp"
#include "parallel.hpp"
#include "python.hpp"
#include "resampling.hpp"
#include "runs.hpp"
#include "ter.hpp"
#include "text.hpp"
#include "tokenize.hpp"
#include "tolerant.hpp"
#include "word_order.hpp"

namespace nb = nanobind;
using namespace tricolore;
using namespace tricolore::counting;
using namespace tricolore::judging;
using namespace tricolore::tuning;

namespace {

using Rows = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::list list_of(std::span<const double> numbers) {
  nb::list list;
  for (double number : numbers) list.append(number);
  return list;
}

// Scores in rows; what is counted of each row is written to the rows of `out`.
using Scores = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Number>
using Table = nb::ndarray<const Number, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

template <class Number>
Rows2d<Number> rows2d(const Table<Number>& rows) {
  if (rows.shape(0) == 0 || rows.shape(0) > UINT32_MAX) throw nb::value_error("1 to 2^32 - 1 rows are needed");
  return {rows.data(), rows.shape(0), rows.shape(1)};
}

Draws::Runs runs_of(const Cube& cube) {
  if (cube.shape(0) == 0 || cube.shape(1) == 0) throw nb::value_error("segments and runs are needed");
  return {{cube.data(), cube.shape(0) * cube.shape(1), cube.shape(2)}, cube.shape(1)};
}

// A sparse matrix as Python has it: where rows begin (one more than there are), columns and values.
SparseRows sparse_rows(const Vector<std::int64_t>& begins, const Vector<std::int32_t>& columns,
                       const Vector<double>& values) {
  check_shape(columns.size() == values.size() && ascends(begins, columns.size()));
  return {begins.data(), columns.data(), values.data(), begins.size() - 1};
}

// The same, with columns that are below `size`; all of them are looked at, since that is faster than to stop early.
SparseRows sparse_rows(const Vector<std::int64_t>& begins, const Vector<std::int32_t>& columns,
                       const Vector<double>& values, std::size_t size) {
  std::uint32_t most = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) most = std::max(most, static_cast<std::uint32_t>(columns.data()[k]));
  check_shape(columns.size() == 0 || most < size);
  return sparse_rows(begins, columns, values);
}

// Where lists begin, one more than there are; all of `size` items are in one, and no list is empty.
std::span<const std::int64_t> list_starts(const Vector<std::int64_t>& starts, std::size_t size) {
  const std::span all(starts.data(), starts.size());
  check_shape(ascends(starts, size) && std::adjacent_find(all.begin(), all.end()) == all.end());
  return all;
}

// Numbers that are changed in place.
using Changed = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

GainLists gain_lists(SparseRows rows, const Vector<std::int64_t>& starts, const Vector<double>& gains,
                     const Vector<double>& lengths) {
  const auto lists = list_starts(starts, rows.size);
  check_shape(gains.size() == rows.size && lengths.size() + 1 == lists.size());
  return {rows, lists, gains.data(), lengths.data()};
}

// The sum of all lists and its gradient.
nb::tuple expected_gain(const Vector<std::int64_t>& begins, const Vector<std::int32_t>& columns,
                        const Vector<double>& values, const Vector<std::int64_t>& starts, const Vector<double>& gains,
                        const Vector<double>& lengths, const Vector<double>& weights) {
  const GainLists lists = gain_lists(sparse_rows(begins, columns, values, weights.size()), starts, gains, lengths);
  double sum = 0;
  const nb::object gradient = filled_array<double>(weights.size(), [&](double* out) {
    ExpectedGain expected;
    for (std::size_t i = 0; i < lists.size(); ++i) {
      if (i % 16 == 0) look_up();
      sum += expected.add(lists, i, weights.data(), out);
    }
  });
  return nb::make_tuple(sum, gradient);
}

void descend_expected_gain(const Vector<std::int64_t>& begins, const Vector<std::int32_t>& columns,
                           const Vector<double>& values, const Vector<std::int64_t>& starts,
                           const Vector<double>& gains, const Vector<double>& lengths,
                           const Vector<std::int64_t>& order, const Vector<double>& steps, const Vector<double>& lower,
                           const Vector<double>& upper, double shrink, double rate, double epochs,
                           const Changed& weights, const Changed& sums) {
  const std::size_t size = weights.size();
  const GainLists lists = gain_lists(sparse_rows(begins, columns, values, size), starts, gains, lengths);
  check_shape(steps.size() == size && lower.size() == size && upper.size() == size && sums.size() == size);
  const std::span of(order.data(), order.size());
  for (const std::int64_t list : of) check_shape(list >= 0 && static_cast<std::size_t>(list) < lists.size());
  const Descent descent{of, {steps.data(), size}, lower.data(), upper.data(), shrink, rate, epochs};
  double *moving = weights.data(), *summed = sums.data();
  const nb::gil_scoped_release unlocked;
  const LookingUp looking(heed_now_and_then());
  descend(lists, descent, moving, summed);
}

// The features of some hypotheses: rows (begins, columns, values) and totals; then which text is wrong and how, or -1.
nb::tuple read_features(FeatureReader& reader, const nb::list& texts) {
  SparseTable table;
  std::vector<double> totals;
  Py_ssize_t wrong = -1;
  std::string reason;
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(texts.ptr()) && wrong < 0; ++i) {
    Py_ssize_t size = 0;
    const char* text = PyUnicode_AsUTF8AndSize(PyList_GET_ITEM(texts.ptr(), i), &size);
    if (text == nullptr) nb::raise_python_error();
    reason = reader.read({text, static_cast<std::size_t>(size)}, table, totals);
    if (!reason.empty()) wrong = i;
  }
  return nb::make_tuple(array_of(std::move(table.begins)), array_of(std::move(table.columns)),
                        array_of(std::move(table.values)), array_of(std::move(totals)), wrong,
                        nb::str(reason.data(), reason.size()));
}

nb::list feature_groups(const FeatureReader& reader) {
  nb::list list;
  for (const auto& group : reader.groups())
    list.append(nb::make_tuple(nb::str(group.name.data(), group.name.size()), group.first, group.width));
  return list;
}

// Envelopes with all that they look at.
class EnvelopeSearch {
 public:
  using Ints = Vector<std::int64_t>;
  using Numbers = Vector<double>;

  EnvelopeSearch(Ints begins, Vector<std::int32_t> columns, Numbers values, Ints starts, Vector<std::int32_t> text_of,
                 Table<double> rows, std::size_t width)
      : begins_(std::move(begins)),
        columns_(std::move(columns)),
        values_(std::move(values)),
        starts_(std::move(starts)),
        text_of_(std::move(text_of)),
        rows_(std::move(rows)),
        width_(width) {
    const SparseRows features = sparse_rows(begins_, columns_, values_, width);
    const auto lists = list_starts(starts_, features.size);
    const Rows2d<double> table = rows2d(rows_);
    check_shape(text_of_.size() == features.size && features.size <= INT32_MAX);
    for (std::size_t k = 0; k < text_of_.size(); ++k)
      check_shape(text_of_.data()[k] >= 0 && static_cast<std::size_t>(text_of_.data()[k]) < table.size);
    const nb::gil_scoped_release unlocked;
    const LookingUp looking(heed_now_and_then());
    envelopes_.emplace(features, lists, text_of_.data(), table, width);
  }

  nb::tuple along(const Numbers& scores, const Ints& best, const Numbers& total, const Numbers& slopes, double low,
                  double high) const {
    check_shape(slopes.size() == text_of_.size());
    const Envelopes::Point point = point_of(scores, best, total);
    return found([&] { return envelopes_->along(point, slopes.data(), low, high); });
  }

  nb::tuple along_axis(const Numbers& scores, const Ints& best, const Numbers& total, std::size_t column, double low,
                       double high) const {
    check_shape(column < width_);
    const Envelopes::Point point = point_of(scores, best, total);
    return found([&] { return envelopes_->along_axis(point, column, low, high); });
  }

  nb::object varying() const { return array_of(envelopes_->varying()); }

  nb::tuple rescored(std::size_t column, const Numbers& weights, const Numbers& scores, const Ints& best) const {
    check_shape(column < width_ && weights.size() == width_);
    point_of(scores, best, std::nullopt);
    std::vector<double> new_scores(scores.data(), scores.data() + scores.size());
    std::vector<std::int64_t> new_best(best.data(), best.data() + best.size());
    {
      const nb::gil_scoped_release unlocked;
      envelopes_->rescore(column, weights.data(), new_scores.data(), new_best.data());
    }
    return nb::make_tuple(array_of(std::move(new_scores)), array_of(std::move(new_best)));
  }

 private:
  Envelopes::Point point_of(const Numbers& scores, const Ints& best, const std::optional<Numbers>& total) const {
    check_shape(scores.size() == text_of_.size() && best.size() + 1 == starts_.size());
    check_shape(!total || total->size() == rows_.shape(1));
    for (std::size_t i = 0; i < best.size(); ++i)
      check_shape(starts_.data()[i] <= best.data()[i] && best.data()[i] < starts_.data()[i + 1]);
    return {scores.data(), best.data(), total ? total->data() : nullptr};
  }

  template <class Search>
  nb::tuple found(Search&& search) const {
    SumsAlong sums;
    {
      const nb::gil_scoped_release unlocked;
      const LookingUp looking(heed_now_and_then());
      sums = search();
    }
    return nb::make_tuple(array_of(std::move(sums.at)), table_of(std::move(sums.sums), rows_.shape(1)));
  }

  Ints begins_;
  Vector<std::int32_t> columns_;
  Numbers values_;
  Ints starts_;
  Vector<std::int32_t> text_of_;
  Table<double> rows_;
  std::size_t width_;
  std::optional<Envelopes> envelopes_;
};

Reading reading(int tokenizer, bool strip_punctuation) {
  return {static_cast<Tokenizer>(tokenizer), strip_punctuation};
}

// Call count(workspace, i, row) for every item, without the GIL, and return the column sums. They are taken within
// blocks and then over blocks, in order, so that threads change nothing. `out` receives the rows if there is any.
template <class Workspace, class Count>
std::vector<double> count_rows(std::size_t size, std::size_t columns, std::size_t block_size, double* out,
                               unsigned threads, Count&& count) {
  const nb::gil_scoped_release unlocked;
  const std::size_t blocks = blocks_of(size, block_size);
  std::vector<double> block_sums(blocks * columns, 0.0);
  Workspace own;
  for_blocks(size, block_size, threads, own, heed_now_and_then(),
             [&](Workspace& workspace, std::size_t block, std::size_t first, std::size_t last) {
               std::vector<double> row(columns);
               double* sum = block_sums.data() + block * columns;
               for (std::size_t i = first; i < last; ++i) {
                 double* target = out ? out + i * columns : row.data();
                 count(workspace, i, target);
                 for (std::size_t c = 0; c < columns; ++c) sum[c] += target[c];
               }
             });
  std::vector<double> sums(columns, 0.0);
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t c = 0; c < columns; ++c) sums[c] += block_sums[block * columns + c];
  return sums;
}

double* rows_of(const std::optional<Rows>& rows, std::size_t size, std::size_t columns) {
  if (!rows) return nullptr;
  if (rows->shape(0) != size || rows->shape(1) != columns) throw nb::value_error("rows of another shape are needed");
  return rows->data();
}

// Call count(workspace) for one segment: quickly if it is small, else with the GIL released.
template <class Workspace, class Count>
void count_alone(const SegmentView& view, Count&& count) {
  constexpr std::size_t small_enough_to_keep = 4000;  // some work grows with the square of that
  std::size_t characters = view.hypothesis.size;
  for (const auto& text : view.references) characters += text.size;
  if (characters < small_enough_to_keep) {
    thread_local Workspace workspace;  // so that one pair at a time does not allocate
    try {
      count(workspace);
    } catch (...) {
      workspace = Workspace();  // it may have been left in the middle of something
      throw;
    }
  } else {  // worth releasing the GIL for, and too large to keep room for
    const nb::gil_scoped_release unlocked;
    const LookingUp looking(heed_now_and_then());
    Workspace workspace;
    count(workspace);
  }
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
  nb::tuple batch(const nb::list& hypotheses, const nb::list& references, std::optional<Rows> rows,
                  unsigned threads) const {
    const Segments segments(hypotheses, references);
    const auto sums = count_rows<NgramWorkspace>(
        segments.size(), what_.columns(), block_size, rows_of(rows, segments.size(), what_.columns()), threads,
        [&](NgramWorkspace& workspace, std::size_t i, double* row) { workspace.count(what_, segments[i], row); });
    return nb::make_tuple(list_of(sums), segments.references.fewest, segments.references.most);
  }

  // Count a batch against the references that the information was learnt from, beginning with segment `first`.
  nb::tuple batch_learnt(const nb::list& hypotheses, std::size_t first, std::optional<Rows> rows,
                         unsigned threads) const {
    Batch hyps;
    read_texts(hypotheses, "hypothesis", hyps);
    if (!what_.information || first + hyps.size() > what_.information->segments())
      throw nb::value_error("these references have not been learnt from");
    const auto sums = count_rows<NgramWorkspace>(hyps.size(), what_.columns(), block_size,
                                                 rows_of(rows, hyps.size(), what_.columns()), threads,
                                                 [&](NgramWorkspace& workspace, std::size_t i, double* row) {
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
    const OneSegment segment(hypothesis, references);
    std::vector<double> row(what_.columns());
    count_alone<NgramWorkspace>(segment.view(),
                                [&](NgramWorkspace& workspace) { workspace.count(what_, segment.view(), row.data()); });
    return nb::make_tuple(list_of(row), segment.references.size());
  }

 private:
  static constexpr std::size_t block_size = 256;

  NgramCounting what_;
  nb::object information_;  // kept alive
};

// Read texts once, and put the numbers of their words in their place; `words` keeps them.
void number_words(const Reading& how, std::vector<TextView>& texts, Words& words) {
  const LookingUp looking(heed_now_and_then());
  SegmentReader().read(how, {{nullptr, 0, 1, !texts.empty() && texts.front().ids}, texts}, words);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto numbers = words.reference(i);
    texts[i] = {numbers.data(), numbers.size(), 4, true};
  }
}

// Counts of a hypothesis against each of its references: one row a pair. `What` says what to count and how many columns
// that makes; `Workspace` counts a segment into as many rows as it has references.
template <class What, class Workspace>
class PairCounter {
 public:
  explicit PairCounter(What what) : what_(std::move(what)) {}

  // Count a batch in which every segment has one reference: as NgramCounter. If one has several, nothing is counted
  // and the sums are None: `pairs` is the way then.
  nb::tuple batch(const nb::list& hypotheses, const nb::list& references, std::optional<Rows> rows,
                  unsigned threads) const {
    const Segments segments(hypotheses, references);
    const std::size_t fewest = segments.references.fewest, most = segments.references.most;
    if (most > 1) return nb::make_tuple(nb::none(), fewest, most);
    double* out = rows_of(rows, segments.size(), what_.columns());
    return nb::make_tuple(list_of(count(segments, out, threads)), fewest, most);
  }

  // Count a batch; returns (an array of a row a pair, an array of where each segment's pairs end).
  nb::tuple pairs(const nb::list& hypotheses, const nb::list& references, unsigned threads) const {
    const Segments segments(hypotheses, references);
    const std::size_t columns = what_.columns();
    std::vector<double> rows(segments.references.texts.size() * columns);
    {
      const nb::gil_scoped_release unlocked;
      Workspace own;
      for_blocks(segments.size(), What::block_size, threads, own, heed_now_and_then(),
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
    const std::size_t of_one = texts.size() - size;
    std::vector<double> rows(size * of_one * columns);
    {
      const nb::gil_scoped_release unlocked;
      std::vector<TextView> views = texts.views();
      Words words;
      if constexpr (What::compares_words_only) number_words(what_.reading, views, words);
      const std::span refs = std::span<const TextView>(views).subspan(size);
      Workspace own;
      for_blocks(of_one == 0 ? 0 : size, 1, threads, own, heed_now_and_then(),
                 [&](Workspace& workspace, std::size_t i, std::size_t, std::size_t) {
                   workspace.count(what_, {views[i], refs}, rows.data() + i * of_one * columns);
                 });
    }
    return table_of(std::move(rows), columns);
  }

  // Count one segment; returns its rows.
  nb::list segment(nb::handle hypothesis, nb::handle references) const {
    const OneSegment segment(hypothesis, references);
    const std::size_t columns = what_.columns();
    std::vector<double> rows(segment.references.size() * columns);
    count_alone<Workspace>(segment.view(),
                           [&](Workspace& workspace) { workspace.count(what_, segment.view(), rows.data()); });
    nb::list lists;
    for (std::size_t k = 0; k < segment.references.size(); ++k)
      lists.append(list_of(std::span(rows).subspan(k * columns, columns)));
    return lists;
  }

 private:
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
      .def("segment", &Counter::segment, nb::arg("hypothesis"), nb::arg("references"));
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
    for_blocks(texts.size(), 1, threads, own, heed_now_and_then(),
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

nb::list pairwise_characters(const nb::list& groups, int character_orders, int word_orders, bool whitespace,
                             unsigned threads) {
  const ChrfCounting what{character_orders, word_orders, whitespace};
  std::vector<int> orders{character_orders};
  if (word_orders > 0) orders.push_back(word_orders);
  return count_groups(groups, orders, threads,
                      [&](PairwiseWorkspace& workspace, const TextGroup& group, std::span<const double> weights,
                          std::vector<GroupMatches>& out) { workspace.count(what, group, weights, out); });
}

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

// The steps that make a reference a hypothesis, a letter each; see EditScript.
nb::str edit_script(nb::handle hypothesis, nb::handle reference, int tokenizer, bool strip_punctuation,
                    std::optional<std::size_t> room) {
  const OneSegment segment(hypothesis, reference);
  if (segment.references.size() != 1) throw nb::value_error("one reference is needed");
  std::string steps;
  {
    const nb::gil_scoped_release unlocked;
    const LookingUp looking(heed_now_and_then());
    SegmentReader reader;
    Words words;
    reader.read(reading(tokenizer, strip_punctuation), segment.view(), words);
    steps = (room ? EditScript(*room) : EditScript()).steps(words.hypothesis, words.references, words.types);
  }
  return nb::str(steps.data(), steps.size());
}

Equivalents::Numbers numbers_of(nb::handle sequence) {
  Equivalents::Numbers numbers;
  for (nb::handle number : sequence) numbers.push_back(nb::cast<std::uint32_t>(number));
  return numbers;
}

// What matches although it is not equal: nothing if there are neither senses nor phrases.
std::shared_ptr<const Equivalents> equivalents_of(const nb::list& senses, const nb::list& phrases) {
  if (nb::len(senses) == 0 && nb::len(phrases) == 0) return nullptr;
  std::vector<Equivalents::Numbers> of_words;
  for (nb::handle of_word : senses) of_words.push_back(numbers_of(of_word));
  std::vector<std::pair<Equivalents::Numbers, Equivalents::Numbers>> pairs;
  for (nb::handle pair : phrases) pairs.emplace_back(numbers_of(pair[0]), numbers_of(pair[1]));
  return std::make_shared<const Equivalents>(std::move(of_words), std::move(pairs));
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

// Rows of `second` are counted with the rows of `first`, which come round again if they are fewer.
void pair_counts(const Scores& first, const Scores& second, const Rows& out, unsigned threads) {
  const std::size_t rows = second.shape(0), size = second.shape(1), period = first.shape(0);
  check_shape(first.shape(1) == size && out.shape(0) == rows && out.shape(1) == Concordance::columns &&
              (rows == 0 || (period > 0 && rows % period == 0)));
  const double *x = first.data(), *y = second.data();
  count_rows<Concordance>(rows, Concordance::columns, 16, out.data(), threads,
                          [=](Concordance& concordance, std::size_t i, double* row) {
                            concordance.count(x + i % period * size, y + i * size, size, row);
                          });
}

void midranks(const Scores& values, const Rows& out, unsigned threads) {
  const std::size_t size = values.shape(1);
  check_shape(out.shape(0) == values.shape(0) && out.shape(1) == size);
  const double* data = values.data();
  count_rows<Ranking>(values.shape(0), size, 16, out.data(), threads,
                      [=](Ranking& ranking, std::size_t i, double* row) { ranking.rank(data + i * size, size, row); });
}

// The rows of `first` are the groups; those of `second` are as many, or any number of times as many: one problem each.
void calibrate_ties(const Scores& first, const Scores& second, const Rows& out, unsigned threads) {
  const std::size_t groups = first.shape(0), size = first.shape(1), problems = out.shape(0);
  check_shape(second.shape(1) == size && second.shape(0) == problems * groups &&
              out.shape(1) == TieCalibration::columns);
  const double *x = first.data(), *y = second.data();
  count_rows<TieCalibration>(problems, TieCalibration::columns, 1, out.data(), threads,
                             [=](TieCalibration& calibration, std::size_t i, double* row) {
                               calibration.calibrate(x, y + i * groups * size, groups, size, row);
                             });
}

// A resample a row: how often each group was drawn, and each of the points that groups have.
void calibrate_resampled_ties(const Scores& first, const Scores& second, const Scores& group_times,
                              const Scores& point_times, const Rows& out, unsigned threads) {
  const std::size_t groups = first.shape(0), size = first.shape(1), resamples = out.shape(0);
  check_shape(second.shape(0) == groups && second.shape(1) == size && group_times.shape(0) == resamples &&
              group_times.shape(1) == groups && point_times.shape(0) == resamples && point_times.shape(1) == size &&
              out.shape(1) == TieCalibration::columns);
  const double *of_groups = group_times.data(), *of_points = point_times.data();
  std::optional<ResampledTies> ties;
  {
    const nb::gil_scoped_release unlocked;
    const LookingUp looking(heed_now_and_then());
    ties.emplace(first.data(), second.data(), groups, size);
  }
  count_rows<std::vector<double>>(resamples, TieCalibration::columns, 1, out.data(), threads,
                                  [&](std::vector<double>& weights, std::size_t i, double* row) {
                                    ties->calibrate(of_groups + i * groups, of_points + i * size, weights, row);
                                  });
}

}  // namespace

NB_MODULE(_native, m) {
  m.doc() = "The counting core: text in, numbers out, no formulas.";
  m.attr("unicode_version") = unicode_version;
  nb::set_leak_warnings(false);  // a metric held by a module is alive at exit, and that is no mistake
  // What is too large to be counted is out of memory, as what cannot be allocated is; not a wrong value.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::length_error& error) {
      PyErr_SetString(PyExc_MemoryError, error.what());
    }
  });

  m.def("all_plain", &all_plain, nb::arg("cells"));
  m.def("tokenize", &tokenize, nb::arg("text"), nb::arg("tokenizer"), nb::arg("strip_punctuation"));
  m.def("edit_script", &edit_script, nb::arg("hypothesis"), nb::arg("reference"), nb::arg("tokenizer"),
        nb::arg("strip_punctuation"), nb::arg("room").none() = nb::none());

  nb::class_<NgramCounts>(m, "NgramCounts", "Counts of the n-grams of a corpus whose prefix occurs twice or more.")
      .def(
          "__init__",
          [](NgramCounts* self, const nb::list& references, int tokenizer, bool strip_punctuation, int order) {
            const References refs(references);
            const nb::gil_scoped_release unlocked;
            new (self)
                NgramCounts(refs.texts.views(), refs.ends, reading(tokenizer, strip_punctuation), order, heed_signals);
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

  m.def("pairwise_words", &pairwise_words, nb::arg("groups"), nb::arg("tokenizer"), nb::arg("strip_punctuation"),
        nb::arg("orders"), nb::arg("threads"));
  m.def("pairwise_characters", &pairwise_characters, nb::arg("groups"), nb::arg("character_orders"),
        nb::arg("word_orders"), nb::arg("whitespace"), nb::arg("threads"));

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
      +[](int tokenizer, bool strip_punctuation, bool left_first) {
        return OrderCounting{reading(tokenizer, strip_punctuation), left_first};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("left_first"));

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
      +[](int tokenizer, bool strip_punctuation, std::size_t beam, nb::list senses, nb::list phrases) {
        return ChunkCounting{reading(tokenizer, strip_punctuation), beam, equivalents_of(senses, phrases)};
      },
      nb::arg("tokenizer"), nb::arg("strip_punctuation"), nb::arg("beam"), nb::arg("senses"), nb::arg("phrases"));

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

  nb::class_<Draws>(m, "Draws", "NumPy's default_rng, and sums of rows over what it draws.")
      .def(nb::init<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>(), nb::arg("state_high"),
           nb::arg("state_low"), nb::arg("inc_high"), nb::arg("inc_low"))
      .def(
          "integers",
          [](Draws& self, std::uint32_t below, std::size_t rows, std::size_t columns) {
            if (below == 0) throw nb::value_error("a number above 0 is needed");
            return filled_table<std::int64_t>(rows, columns, [&](std::int64_t* out) {
              for (std::size_t i = 0; i < rows * columns; ++i) out[i] = self.below(below);
            });
          },
          nb::arg("below"), nb::arg("rows"), nb::arg("columns"))
      .def(
          "resampled_sums",
          [](Draws& self, const Table<double>& rows, std::size_t samples) {
            const Rows2d<double> table = rows2d(rows);
            return filled_table<double>(samples, table.columns,
                                        [&](double* out) { self.resampled_sums(table, samples, out); });
          },
          nb::arg("rows"), nb::arg("samples"))
      .def(
          "resampled_sums_single",
          [](Draws& self, const Table<float>& rows, std::size_t samples) {
            const Rows2d<float> table = rows2d(rows);
            return filled_table<float>(samples, table.columns,
                                       [&](float* out) { self.resampled_sums_single(table, samples, out); });
          },
          nb::arg("rows"), nb::arg("samples"))
      .def(
          "selected_sums",
          [](Draws& self, const Table<double>& rows, std::size_t trials) {
            const Rows2d<double> table = rows2d(rows);
            return filled_table<double>(trials, table.columns,
                                        [&](double* out) { self.selected_sums(table, trials, out); });
          },
          nb::arg("rows"), nb::arg("trials"))
      .def(
          "chosen_sums",
          [](Draws& self, const Cube& first, const Cube& second, std::size_t trials) {
            const Draws::Runs a = runs_of(first), b = runs_of(second);
            if (first.shape(0) != second.shape(0)) throw nb::value_error("as many segments are needed");
            if (combinations(a.runs + b.runs, a.runs) == 0) throw nb::value_error("too many runs");
            // One table for both, cut in two by the caller.
            const std::size_t columns = a.rows.columns + b.rows.columns;
            return filled_table<double>(1, trials * columns, [&](double* out) {
              self.chosen_sums(first.shape(0), a, b, trials, out, out + trials * a.rows.columns);
            });
          },
          nb::arg("first"), nb::arg("second"), nb::arg("trials"))
      .def(
          "multeval_sums",
          [](Draws& self, const Cube& runs, std::size_t trials) {
            const Draws::Runs of_system = runs_of(runs);
            const std::size_t columns = of_system.rows.columns, one = trials * columns;
            return filled_table<double>(4 * trials, columns, [&](double* out) {
              self.multeval_sums(runs.shape(0), of_system, trials, out, out + one, out + 2 * one, out + 3 * one);
            });
          },
          nb::arg("runs"), nb::arg("trials"));

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

  m.def("pair_counts", &pair_counts, nb::arg("first"), nb::arg("second"), nb::arg("out"), nb::arg("threads"));
  m.def("midranks", &midranks, nb::arg("values"), nb::arg("out"), nb::arg("threads"));
  m.def("calibrate_ties", &calibrate_ties, nb::arg("first"), nb::arg("second"), nb::arg("out"), nb::arg("threads"));
  m.def("calibrate_resampled_ties", &calibrate_resampled_ties, nb::arg("first"), nb::arg("second"),
        nb::arg("group_times"), nb::arg("point_times"), nb::arg("out"), nb::arg("threads"));

  nb::class_<FeatureReader>(m, "FeatureReader", "Reads features of hypotheses; names are given columns as they come.")
      .def(nb::init<>())
      .def("read", &read_features, nb::arg("texts"))
      .def(
          "add", [](FeatureReader& self, const nb::str& name, int width) { return self.add(name.c_str(), width); },
          nb::arg("name"), nb::arg("width"))
      .def_prop_ro("groups", &feature_groups);
  m.def(
      "sparse_dot",
      [](const Vector<std::int64_t>& begins, const Vector<std::int32_t>& columns, const Vector<double>& values,
         const Vector<double>& weights) {
        const SparseRows rows = sparse_rows(begins, columns, values, weights.size());
        return filled_array<double>(rows.size, [&](double* out) {
          for (std::size_t i = 0; i < rows.size; ++i) out[i] = rows.dot(i, weights.data());
        });
      },
      nb::arg("begins"), nb::arg("columns"), nb::arg("values"), nb::arg("weights"));
  m.def(
      "sparse_sum",
      [](const Vector<std::int64_t>& begins, const Vector<std::int32_t>& columns, const Vector<double>& values,
         const Vector<double>& factors, std::size_t size) {
        const SparseRows rows = sparse_rows(begins, columns, values, size);
        check_shape(factors.size() == rows.size);
        return filled_array<double>(size, [&](double* out) {
          for (std::size_t i = 0; i < rows.size; ++i) rows.add(i, factors.data()[i], out);
        });
      },
      nb::arg("begins"), nb::arg("columns"), nb::arg("values"), nb::arg("factors"), nb::arg("size"));
  m.def("expected_gain", &expected_gain, nb::arg("begins"), nb::arg("columns"), nb::arg("values"), nb::arg("starts"),
        nb::arg("gains"), nb::arg("lengths"), nb::arg("weights"));
  m.def("descend_expected_gain", &descend_expected_gain, nb::arg("begins"), nb::arg("columns"), nb::arg("values"),
        nb::arg("starts"), nb::arg("gains"), nb::arg("lengths"), nb::arg("order"), nb::arg("steps"), nb::arg("lower"),
        nb::arg("upper"), nb::arg("shrink"), nb::arg("rate"), nb::arg("epochs"), nb::arg("weights"), nb::arg("sums"));
  m.def(
      "sparse_variances",
      [](const Vector<std::int64_t>& begins, const Vector<std::int32_t>& columns, const Vector<double>& values,
         const Vector<std::int64_t>& starts, const Vector<double>& factors, std::size_t size) {
        const SparseRows rows = sparse_rows(begins, columns, values, size);
        const auto lists = list_starts(starts, rows.size);
        check_shape(factors.size() + 1 == lists.size());
        return filled_array<double>(size,
                                    [&](double* out) { add_variances(rows, lists, factors.data(), {out, size}); });
      },
      nb::arg("begins"), nb::arg("columns"), nb::arg("values"), nb::arg("starts"), nb::arg("factors"), nb::arg("size"));
  m.def(
      "mark_distinct",
      [](const Vector<std::int64_t>& begins, const Vector<std::int32_t>& columns, const Vector<double>& values,
         const Vector<std::int64_t>& starts, const Vector<std::int32_t>& of) {
        const SparseRows rows = sparse_rows(begins, columns, values);
        const auto lists = list_starts(starts, rows.size);
        check_shape(of.size() == rows.size);
        return filled_array<std::uint8_t>(rows.size,
                                          [&](std::uint8_t* out) { mark_distinct(rows, lists, of.data(), out); });
      },
      nb::arg("begins"), nb::arg("columns"), nb::arg("values"), nb::arg("starts"), nb::arg("of"));
  m.def(
      "find_best",
      [](const Vector<double>& scores, const Vector<std::int64_t>& starts) {
        const auto lists = list_starts(starts, scores.size());
        return filled_array<std::int64_t>(lists.size() - 1,
                                          [&](std::int64_t* out) { find_best(scores.data(), lists, out); });
      },
      nb::arg("scores"), nb::arg("starts"));

  nb::class_<EnvelopeSearch>(m, "EnvelopeSearch", "Sums of rows of statistics along lines through weights.")
      .def(nb::init<Vector<std::int64_t>, Vector<std::int32_t>, Vector<double>, Vector<std::int64_t>,
                    Vector<std::int32_t>, Table<double>, std::size_t>(),
           nb::arg("begins"), nb::arg("columns"), nb::arg("values"), nb::arg("starts"), nb::arg("text_of"),
           nb::arg("rows"), nb::arg("width"))
      .def("along", &EnvelopeSearch::along, nb::arg("scores"), nb::arg("best"), nb::arg("total"), nb::arg("slopes"),
           nb::arg("low"), nb::arg("high"))
      .def("along_axis", &EnvelopeSearch::along_axis, nb::arg("scores"), nb::arg("best"), nb::arg("total"),
           nb::arg("column"), nb::arg("low"), nb::arg("high"))
      .def("varying", &EnvelopeSearch::varying)
      .def("rescored", &EnvelopeSearch::rescored, nb::arg("column"), nb::arg("weights"), nb::arg("scores"),
           nb::arg("best"));

  graphs::bind_graphs(m);
  graphs::lattices::bind_lattices(m);
  graphs::forests::bind_forests(m);
}
