// Features of hypotheses, and searches for weights.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "envelopes.hpp"
#include "expected.hpp"
#include "features.hpp"
#include "interruption.hpp"
#include "python.hpp"
#include "rows.hpp"

namespace tricolore::tuning {

namespace {

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
      if (i % 16 == 0) check_interrupt();
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
  const InterruptChecks checked(check_signals_sometimes());
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
    const InterruptChecks checked(check_signals_sometimes());
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
      const InterruptChecks checked(check_signals_sometimes());
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

}  // namespace

void bind_tuning(nb::module_& m) {
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
}

}  // namespace tricolore::tuning
