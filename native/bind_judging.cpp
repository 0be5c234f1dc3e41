// Scores that order things alike, ties, and random draws.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <vector>

#include "bind.hpp"
#include "concordance.hpp"
#include "interruption.hpp"
#include "parallel.hpp"
#include "python.hpp"
#include "resampled_concordance.hpp"
#include "resampling.hpp"
#include "rows.hpp"
#include "swapped_scores.hpp"
#include "tie_calibration.hpp"

namespace tricolore::judging {

namespace {

// Scores in rows; what is counted of each row is written to the rows of `out`.
using Scores = Table<double>;

template <class Number>
using List = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

using Cube = nb::ndarray<const double, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

Draws::Runs runs_of(const Cube& cube) {
  if (cube.shape(0) == 0 || cube.shape(1) == 0) throw nb::value_error("segments and runs are needed");
  return {{cube.data(), cube.shape(0) * cube.shape(1), cube.shape(2)}, cube.shape(1)};
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

// Prepares something once, then works on the resamples, as many at a time as fit into the lanes of the processor.
template <class Prepared, class Workspace = typename Prepared::Workspace, class Prepare, class Work>
void for_resamples(std::size_t resamples, unsigned threads, Prepare&& prepare, Work&& work) {
  static_assert(ResampledTies::lanes == ResampledConcordance::lanes);
  const nb::gil_scoped_release unlocked;
  std::optional<Prepared> prepared;
  {
    const InterruptChecks checked(check_signals_sometimes());
    prepared.emplace(prepare());
  }
  Workspace own;
  for_blocks(resamples, ResampledTies::lanes, threads, own, check_signals_sometimes(),
             [&](Workspace& workspace, std::size_t, std::size_t first, std::size_t last) {
               work(*prepared, workspace, first, last - first);
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
  for_resamples<ResampledTies>(
      resamples, threads, [&] { return ResampledTies(first.data(), second.data(), groups, size); },
      [&](const ResampledTies& ties, ResampledTies::Workspace& workspace, std::size_t i, std::size_t number) {
        ties.calibrate({of_groups + i * groups, of_points + i * size, number}, workspace,
                       out.data() + i * TieCalibration::columns);
      });
}

// Groups of points, a row each; `times` says how often each place was drawn, a resample a row, and `places` where each
// point finds its number there. A row of `out` is a resample and a group.
void resampled_pair_counts(const Scores& first, const Scores& second, const List<std::uint32_t>& places,
                           const Table<std::uint32_t>& times, const Rows& out, unsigned threads) {
  using Kernel = ResampledConcordance;
  const std::size_t groups = first.shape(0), size = first.shape(1), resamples = times.shape(0), number = times.shape(1);
  constexpr std::size_t columns = Concordance::columns, lanes = Kernel::lanes;
  check_shape(second.shape(0) == groups && second.shape(1) == size && places.shape(0) == size &&
              out.shape(0) == resamples * groups && out.shape(1) == columns);
  for (std::size_t i = 0; i < size; ++i) check_shape(places.data()[i] < number);
  struct Workspace {
    Kernel::Workspace own;
    std::vector<std::uint32_t> times;
  };
  const auto prepared = [&] {
    std::vector<Kernel> kernels;
    for (std::size_t g = 0; g < groups; ++g)
      kernels.emplace_back(first.data() + g * size, second.data() + g * size, places.data(), size);
    return kernels;
  };
  for_resamples<std::vector<Kernel>, Workspace>(
      resamples, threads, prepared,
      [&](const std::vector<Kernel>& kernels, Workspace& workspace, std::size_t i, std::size_t some) {
        workspace.times.assign(number * lanes, 0);
        for (std::size_t l = 0; l < some; ++l)
          for (std::size_t k = 0; k < number; ++k) workspace.times[k * lanes + l] = times.data()[(i + l) * number + k];
        for (std::size_t g = 0; g < groups; ++g)
          kernels[g].count(workspace.times.data(), some, workspace.own, out.data() + (i * groups + g) * columns,
                           groups * columns);
      });
}

SwappedScores swapped_scores(const Scores& human, const Scores& first, const Scores& second,
                             const Table<std::uint8_t>& swaps) {
  const std::size_t groups = human.shape(0), systems = human.shape(1);
  check_shape(first.shape(0) == groups && first.shape(1) == systems && second.shape(0) == groups &&
              second.shape(1) == systems && swaps.shape(1) == systems && systems <= SwappedStatistics::most_systems);
  for (std::size_t i = 0; i < swaps.shape(0) * systems; ++i) check_shape(swaps.data()[i] < 2);
  return {human.data(), first.data(), second.data(), groups, systems, swaps.data(), swaps.shape(0)};
}

// Groups are rows. Sums are taken within blocks of groups and then over blocks, so that threads change nothing.
void swapped_statistics(const Scores& human, const Scores& first, const Scores& second,
                        const Table<std::uint8_t>& swaps, const Rows& out, unsigned threads) {
  constexpr std::size_t groups_at_once = 128;
  const SwappedScores scores = swapped_scores(human, first, second, swaps);
  check_shape(out.shape(0) == scores.number && out.shape(1) == SwappedStatistics::columns);
  const std::size_t size = scores.number * SwappedStatistics::columns;
  const nb::gil_scoped_release unlocked;
  std::vector<std::vector<double>> sums(blocks_of(scores.groups, groups_at_once));
  SwappedStatistics own;
  for_blocks(scores.groups, groups_at_once, threads, own, check_signals_sometimes(),
             [&](SwappedStatistics& statistics, std::size_t block, std::size_t begin, std::size_t end) {
               sums[block].assign(size, 0.0);
               for (std::size_t group = begin; group < end; ++group) statistics.add(scores, group, sums[block].data());
             });
  std::fill_n(out.data(), size, 0.0);
  for (const auto& part : sums)
    for (std::size_t i = 0; i < part.size(); ++i) out.data()[i] += part[i];
}

void swapped_ties(const Scores& human, const Scores& first, const Scores& second, const Table<std::uint8_t>& swaps,
                  const Rows& out) {
  const SwappedScores scores = swapped_scores(human, first, second, swaps);
  check_shape(out.shape(0) == scores.number && out.shape(1) == 1);
  const nb::gil_scoped_release unlocked;
  const InterruptChecks checked(check_signals_sometimes());
  calibrate_swapped_ties(scores, out.data());
}

}  // namespace

void bind_judging(nb::module_& m) {
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
          "resampled_lists",  // the same as lists, which takes no NumPy
          [](Draws& self, const Table<double>& rows, std::size_t samples) {
            const Rows2d<double> table = rows2d(rows);
            std::vector<double> sums(samples * table.columns);
            unlocked([&] { self.resampled_sums(table, samples, sums.data()); });
            nb::list lists;
            for (std::size_t s = 0; s < samples; ++s) {
              nb::list row;
              for (std::size_t c = 0; c < table.columns; ++c) row.append(sums[s * table.columns + c]);
              lists.append(row);
            }
            return lists;
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

  m.def("pair_counts", &pair_counts, nb::arg("first"), nb::arg("second"), nb::arg("out"), nb::arg("threads"));
  m.def("midranks", &midranks, nb::arg("values"), nb::arg("out"), nb::arg("threads"));
  m.def("calibrate_ties", &calibrate_ties, nb::arg("first"), nb::arg("second"), nb::arg("out"), nb::arg("threads"));
  m.def("calibrate_resampled_ties", &calibrate_resampled_ties, nb::arg("first"), nb::arg("second"),
        nb::arg("group_times"), nb::arg("point_times"), nb::arg("out"), nb::arg("threads"));
  m.def("swapped_statistics", &swapped_statistics, nb::arg("human"), nb::arg("first"), nb::arg("second"),
        nb::arg("swaps"), nb::arg("out"), nb::arg("threads"));
  m.def("swapped_ties", &swapped_ties, nb::arg("human"), nb::arg("first"), nb::arg("second"), nb::arg("swaps"),
        nb::arg("out"));
  m.def("resampled_pair_counts", &resampled_pair_counts, nb::arg("first"), nb::arg("second"), nb::arg("places"),
        nb::arg("times"), nb::arg("out"), nb::arg("threads"));
}

}  // namespace tricolore::judging
