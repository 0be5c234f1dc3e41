// How two lists of scores order the same things: pairs that agree, disagree and tie; ranks; ties that are worth making.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tricolore {

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
// tied where it ties, in its order where it does not. The share of such pairs is averaged over groups of points. Pairs
// of the same item (of copies, in a resample) do not count.
class TieCalibration {
 public:
  struct Groups {
    const double* first;
    const double* second;
    const std::int64_t* items;  // of the points of each group, or null where all differ
    std::size_t number, size;
  };

  static constexpr std::size_t columns = 4;
  // A row is: the best share, the least difference with which it is reached, groups that have a pair, pairs.
  void calibrate(const Groups& groups, double* row);

 private:
  struct Change {
    double difference, gain;  // what the sum of shares gains when pairs of this difference are tied
  };
  std::size_t read_group(const Groups& groups, std::size_t group, double& right);

  std::vector<Change> changes_;
};

}  // namespace tricolore
