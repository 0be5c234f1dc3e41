// Pairs that two lists of scores order alike, in resamples of their points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "processors.hpp"

namespace tricolore::judging {

// Counts what Concordance does, for resamples: points are sorted once, and counted as often as they were drawn, in
// several resamples at once. Copies of one point are tied.
class ResampledConcordance {
 public:
  static constexpr std::size_t lanes = 16;  // resamples at once

  // `places[i]` says which number of draws is that of point i.
  ResampledConcordance(const double* first, const double* second, const std::uint32_t* places, std::size_t size);

  struct Workspace {
    std::vector<std::uint32_t> tree, waiting;
  };
  // `times` has `lanes` numbers for each place, one per resample. Rows are `stride` apart; the first `resamples` of the
  // lanes get one.
  void count(const std::uint32_t* times, std::size_t resamples, Workspace& workspace, double* rows,
             std::size_t stride) const;

 private:
  struct Sums;
  TRICOLORE_FOR_EACH_PROCESSOR
  void walk(std::size_t from, std::size_t to, const std::uint32_t* times, Workspace& workspace, Sums& sums) const;

  // Points that are equal in both lists.
  struct Cell {
    std::uint32_t end;   // of its points
    std::uint32_t rank;  // from 1, in the list with fewer values
    bool last;           // of those that are equal in the other list
  };

  std::vector<std::uint32_t> places_;  // by the list with more values, then by the other
  std::vector<Cell> cells_;
  std::size_t values_ = 0;  // of the list with fewer
  bool turned_ = false;     // whether that is the first list
};

}  // namespace tricolore::judging
