// Upper envelopes of lines. Along w + γd the score of a hypothesis is the line a + γb, and the one that is chosen at γ
// is the highest there (Och 2003). What is chosen changes at the breaks of the envelope, and with it the sum of the
// rows of statistics of what is chosen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features.hpp"
#include "resampling.hpp"

namespace tricolore::tuning {

// Sums of rows along a line: `at` are the breaks, ascending; sums[i] holds to the left of at[i], the last to the right
// of all. Breaks at one place are one.
struct SumsAlong {
  std::vector<double> at;
  std::vector<double> sums;  // at.size() + 1 rows
};

class Envelopes {
 public:
  // `starts` says where the hypotheses of each source begin, `text_of` which row of statistics each has. All of what is
  // given must outlive this. `width` is the number of columns of `features`.
  Envelopes(SparseRows features, std::span<const std::int64_t> starts, const std::int32_t* text_of, Rows2d<double> rows,
            std::size_t width);

  // Where one stands, γ = 0: the scores of all hypotheses, the best of each source, the sum of the rows of these.
  struct Point {
    const double* scores;
    const std::int64_t* best;
    const double* total;
  };

  // Along a direction in which hypotheses have these slopes, or along the axis of one feature; low <= 0 <= high.
  SumsAlong along(Point point, const double* slopes, double low, double high) const;
  SumsAlong along_axis(Point point, std::size_t column, double low, double high) const;

  // For each feature the number of sources between whose hypotheses it differs.
  const std::vector<std::int64_t>& varying() const { return varying_; }
  // After the weight of one feature has changed: compute the scores of the hypotheses that have it anew, to the last
  // bit as if all were, and the best of their sources.
  void rescore(std::size_t column, const double* weights, double* scores, std::int64_t* best) const;

 private:
  // The values of a feature in one source, from `first` to `last` of all.
  struct Block {
    std::int32_t source;
    bool varies;
    std::int64_t first, last;
  };
  class Walk;

  void build_columns(std::size_t width);

  SparseRows features_;
  std::span<const std::int64_t> starts_;
  const std::int32_t* text_of_;
  Rows2d<double> rows_;

  std::vector<std::int64_t> columns_;  // where the blocks of each feature begin
  std::vector<Block> blocks_;
  std::vector<std::int64_t> varying_;
  std::vector<std::int32_t> hypotheses_;  // that have the values below
  std::vector<double> values_;
};

}  // namespace tricolore::tuning
