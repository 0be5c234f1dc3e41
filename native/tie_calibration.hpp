// Up to which difference scores should be taken as tied, so that they agree best with others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "processors.hpp"

namespace tricolore::judging {

// Finds the difference up to which the second list should be taken as tied, so that most pairs are as in the first:
// tied where it ties, in its order where it does not. The share of such pairs is averaged over groups of points. A row
// is: the best share, the least difference with which it is reached, groups that have a pair, pairs.
class TieCalibration {
 public:
  static constexpr std::size_t columns = 4;
  // `first` and `second` have a group a row.
  void calibrate(const double* first, const double* second, std::size_t groups, std::size_t size, double* row);

 private:
  struct Change {
    double difference, gain;  // what the sum of shares gains when pairs of this difference are tied
  };
  std::size_t read_group(const double* first, const double* second, std::size_t size, double& right);

  std::vector<Change> changes_;
};

// The same for resamples: pairs are sorted once, and counted as often as their group and both points were drawn, in
// several resamples at once. Copies of one point are no pair.
class ResampledTies {
 public:
  static constexpr std::size_t lanes = 16;  // resamples at once

  ResampledTies(const double* first, const double* second, std::size_t groups, std::size_t size);

  // How often each group was drawn, and each of the points that groups have, in up to `lanes` resamples, a row each.
  struct Times {
    const double *groups, *points;
    std::size_t resamples;
  };
  struct Workspace {
    std::vector<double> weights, points;  // `lanes` numbers for each group, and for each point
    std::vector<double> used, pairs;
  };
  void calibrate(const Times& times, Workspace& workspace, double* rows) const;

 private:
  void weigh(const Times& times, Workspace& workspace, bool whole) const;

  // Two points of a group, by their places in it.
  struct Points {
    std::uint32_t one, other;
  };
  struct Sums;
  TRICOLORE_FOR_EACH_PROCESSOR
  void add_right(std::size_t from, std::size_t to, const Workspace& workspace, Sums& sums) const;
  TRICOLORE_FOR_EACH_PROCESSOR
  std::size_t tie(std::size_t difference, std::size_t to, std::size_t pair, const Workspace& workspace,
                  Sums& sums) const;

  std::size_t groups_, size_;
  std::vector<double> points_of_;  // points present in each group
  std::vector<bool> present_;
  // Pairs by the differences of the second list. A mark is twice the group, and one more where the first list ties.
  std::vector<std::uint32_t> marks_;
  std::vector<Points> points_;
  std::vector<std::uint32_t> right_groups_;  // those that both lists order alike
  std::vector<Points> right_points_;
  std::vector<double> differences_;
  std::vector<std::uint32_t> ends_;  // of the pairs with each difference
};

}  // namespace tricolore::judging
