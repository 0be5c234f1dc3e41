// How two lists of scores order the same things: pairs that agree, disagree and tie; ranks; ties that are worth making.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tricolore::judging {

// Counts the pairs of the points at which both lists have a number; nan is missing. A row is: pairs in the same order,
// in opposite order, tied in the first list only, in the second only, in both; points, and different values of the
// first list and of the second among them.
class Concordance {
 public:
  static constexpr std::size_t columns = 8;
  void count(const double* first, const double* second, std::size_t size, double* row);

 private:
  void read(const double* first, const double* second, std::size_t size);
  void count_all_pairs(double* row) const;
  void count_by_sorting(double* row);
  std::uint64_t inversions();

  std::vector<double> first_, second_, room_;
  std::vector<std::pair<double, double>> points_;
};

// The rank of each number, from 1; equal numbers share the mean of their ranks; nan stays nan.
class Ranking {
 public:
  void rank(const double* values, std::size_t size, double* ranks);

 private:
  std::vector<std::pair<double, std::size_t>> order_;
};

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

// The same for resamples: pairs are sorted once, and counted as often as their group and both points were drawn. Copies
// of one point are no pair.
class ResampledTies {
 public:
  ResampledTies(const double* first, const double* second, std::size_t groups, std::size_t size);
  // How often each group was drawn, and each of the points that groups have; `weights` is room to work in.
  void calibrate(const double* group_times, const double* point_times, std::vector<double>& weights, double* row) const;

 private:
  struct Pair {
    double difference;
    std::uint32_t group, one, other;
    std::int32_t gain;  // 1 where the first list ties, -1 where both have the same order
  };

  std::size_t groups_, size_;
  std::vector<Pair> pairs_;
  std::vector<bool> present_;
};

}  // namespace tricolore::judging
