// Two metrics whose scores are swapped, system by system: statistics of each group of systems, over many swaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tricolore::judging {

// Sums over pairs of systems that depend on which of two scores either has: Σ_{i<j} q_ij(s_i, s_j). Systems are taken
// five at a time; the sums of two such chunks are tabulated for all their swaps.
template <class Number>
class PairSums {
 public:
  static constexpr std::size_t bits = 5, choices = 1 << bits;

  // Which swap is made of each chunk of systems: chunks x swaps. There are two chunks at least.
  static std::size_t chunks_of(std::size_t systems);
  // `terms` are q_ij(s, t) at 4 (i · systems + j) + 2 s + t, for i < j.
  void add(const std::vector<Number>& terms, std::size_t systems, const std::uint8_t* chunks, std::size_t swaps,
           Number* sums);

 private:
  void fill(const std::vector<Number>& terms, std::size_t systems, std::size_t a, std::size_t b);
  void add_within(const std::vector<Number>& terms, std::size_t systems, std::size_t a, bool rows);

  std::vector<Number> table_;
};

// Scores of people and of two metrics: a group a row, a system a column. nan is missing, in all of them.
struct SwappedScores {
  const double *human, *first, *second;
  std::size_t groups, systems;
  const std::uint8_t* swaps;  // swaps x systems: 1 where a system has the score of the second metric
  std::size_t number;
};

// Statistics of the scores after each swap, summed over groups.
class SwappedStatistics {
 public:
  // Pairs in the same order, in opposite order, tied by people only, by the metric only, by both; sums of values, and
  // how many groups have one: Pearson's and Spearman's correlation, Kendall's tau-b and tau-c.
  static constexpr std::size_t columns = 13;
  // More systems have too many pairs.
  static constexpr std::size_t most_systems = 1024;

  // Adds the statistics of one group to the rows.
  void add(const SwappedScores& scores, std::size_t group, double* rows);

 private:
  void read(const SwappedScores& scores, std::size_t group);
  void make_terms();
  void add_pearson(std::size_t number, double* rows);
  double exact_pearson(std::size_t swap, bool& defined);
  void add_ranked(std::size_t number, double* rows);

  std::size_t size_ = 0;       // systems that are present
  std::vector<double> x_, y_;  // people's scores, as deviations from their mean; the first's and the second's
  std::vector<std::int64_t> twice_rank_;  // of people's scores
  std::vector<std::uint32_t> rank_;       // of the scores of both metrics, among all of them
  std::vector<std::uint32_t> tied_;       // room to count in
  bool varies_ = false;                   // people's scores
  std::int64_t pairs_ = 0, human_ties_ = 0, human_values_ = 0;
  std::vector<std::uint8_t> swaps_, chunks_;
  std::vector<std::int64_t> counted_, ranked_, counts_, ranks_;
  std::vector<double> sums_;
  PairSums<std::int64_t> pair_sums_;
};

// The best share of pairs that are as people have them, averaged over groups, if the scores after each swap are tied up
// to some difference: see TieCalibration. One number for each swap.
void calibrate_swapped_ties(const SwappedScores& scores, double* best);

}  // namespace tricolore::judging
