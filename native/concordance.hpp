// How two lists of scores order the same things: pairs that agree, disagree and tie; ranks.
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

}  // namespace tricolore::judging
