#include "pair_counter.hpp"

#include <algorithm>
#include <cstdint>

#include "batch.hpp"
#include "bind.hpp"
#include "fuzzy_groups.hpp"
#include "interruption.hpp"
#include "parallel.hpp"
#include "python.hpp"
#include "token_lists.hpp"

namespace tricolore::counting {

namespace {

// A worker that is made when there is work.
using Hand = std::unique_ptr<PairCounting::Worker>;

PairCounting::Worker& at_work(Hand& hand, const PairCounting& what) {
  if (!hand) hand = what.worker();
  return *hand;
}

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

}  // namespace

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

namespace {

// Rows one after another, as a list each.
nb::list lists_of(std::span<const double> rows, std::size_t columns) {
  nb::list lists;
  for (std::size_t at = 0; at < rows.size(); at += columns) lists.append(list_of(rows.subspan(at, columns)));
  return lists;
}

nb::list counted(const PairCounting& what, const SegmentView& segment) {
  std::vector<double> rows(segment.references.size() * what.columns());
  what.count_alone(segment, rows.data());
  return lists_of(rows, what.columns());
}

}  // namespace

nb::tuple PairCounter::batch(nb::handle hypotheses, nb::handle references, std::optional<Rows> rows,
                             unsigned threads) const {
  const Segments segments(hypotheses, references);
  const std::size_t fewest = segments.references.fewest, most = segments.references.most;
  if (most > 1) return nb::make_tuple(nb::none(), fewest, most);
  const auto sums = count_rows<Hand>(
      segments.size(), what_->columns(), what_->block_size(), rows_of(rows, segments.size(), what_->columns()), threads,
      [&](Hand& hand, std::size_t i, double* row) { at_work(hand, *what_).count(segments[i], row); });
  return nb::make_tuple(list_of(sums), fewest, most);
}

// A row a pair; the pairs of each segment end where `ends` says.
template <class SegmentsOf>
std::vector<double> PairCounter::count_pairs(const SegmentsOf& segments, std::span<const std::size_t> ends,
                                             unsigned threads) const {
  const nb::gil_scoped_release unlocked;
  std::vector<double> rows(ends.empty() ? 0 : ends.back() * what_->columns());
  Hand own;
  for_blocks(segments.size(), what_->block_size(), threads, own, check_signals_sometimes(),
             [&](Hand& hand, std::size_t, std::size_t first, std::size_t last) {
               for (std::size_t i = first; i < last; ++i) {
                 const std::size_t begin = i == 0 ? 0 : ends[i - 1];
                 at_work(hand, *what_).count(segments[i], rows.data() + begin * what_->columns());
               }
             });
  return rows;
}

nb::tuple PairCounter::pairs(nb::handle hypotheses, nb::handle references, unsigned threads) const {
  const Segments segments(hypotheses, references);
  auto rows = count_pairs(segments, segments.references.ends, threads);
  std::vector<std::int64_t> ends(segments.references.ends.begin(), segments.references.ends.end());
  return nb::make_tuple(table_of(std::move(rows), what_->columns()), array_of(std::move(ends)));
}

nb::tuple PairCounter::numbered_pairs(const NumberedSegments& segments, unsigned threads) const {
  auto rows = count_pairs(segments, segments.pair_ends(), threads);
  std::vector<std::int64_t> ends(segments.pair_ends().begin(), segments.pair_ends().end());
  return nb::make_tuple(table_of(std::move(rows), what_->columns()), array_of(std::move(ends)));
}

nb::object PairCounter::each(const nb::list& hypotheses, const nb::list& references, unsigned threads) const {
  Batch texts;
  read_texts(hypotheses, "hypothesis", texts);
  const std::size_t size = texts.size(), columns = what_->columns();
  read_texts(references, "reference", texts);
  std::vector<double> rows(size * (texts.size() - size) * columns);
  {
    const nb::gil_scoped_release unlocked;
    count_each(texts.views(), size, rows.data(), threads);
  }
  return table_of(std::move(rows), columns);
}

nb::list PairCounter::segment(nb::handle hypothesis, nb::handle references) const {
  const OneSegment segment(hypothesis, references);
  return counted(*what_, segment.view());
}

nb::object PairCounter::tokens(nb::handle hypothesis, nb::handle references) const {
  const auto items = items_of(references.ptr());
  const TokenLists* lists = items.empty() ? nullptr : read_tokens(hypothesis.ptr(), items);
  if (lists == nullptr) return nb::none();
  return counted(*what_, lists->segment());
}

nb::object PairCounter::batch_tokens(nb::handle hypotheses, nb::handle references, unsigned threads) const {
  TokenCorpus corpus;
  if (!corpus.read(hypotheses.ptr(), references.ptr())) return nb::none();
  std::vector<std::size_t> ends;
  for (std::size_t i = 0; i < corpus.size(); ++i) ends.push_back(corpus.segment_ends()[i] - i - 1);  // less hypotheses
  const std::vector<double> rows = count_pairs(corpus, ends, threads);
  nb::list segments;
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    const std::size_t columns = what_->columns();
    segments.append(lists_of(std::span(rows).subspan(begin * columns, (end - begin) * columns), columns));
    begin = end;
  }
  return segments;
}

void PairCounter::count_each(std::vector<TextView> texts, std::size_t hypotheses, double* rows,
                             unsigned threads) const {
  if (const auto* fuzzy = what_->as_fuzzy(); fuzzy && count_fuzzy_group(*fuzzy, texts, hypotheses, rows, threads))
    return;
  Words words;
  if (const auto* reading = what_->reading_of_words()) number_words(*reading, texts, words);
  const std::span<const TextView> hyps(texts.data(), hypotheses),
      refs(texts.data() + hypotheses, texts.size() - hypotheses);
  Hand own;
  for_blocks(refs.empty() ? 0 : hypotheses, 1, threads, own, check_signals_sometimes(),
             [&](Hand& hand, std::size_t i, std::size_t, std::size_t) {
               at_work(hand, *what_).count_each(hyps, i, refs, rows + i * refs.size() * what_->columns());
             });
}

}  // namespace tricolore::counting
