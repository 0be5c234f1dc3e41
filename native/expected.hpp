// What lists of hypotheses gain on average when one of each is drawn by its score, and which weights gain more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "features.hpp"

namespace tricolore::tuning {

// Hypotheses in lists: features and a gain each; and how much each list counts.
struct GainLists {
  SparseRows rows;
  std::span<const std::int64_t> starts;  // one more than there are lists
  const double* gains;
  const double* lengths;

  std::size_t size() const { return starts.size() - 1; }
};

class ExpectedGain {
 public:
  // The expected gain of one list times its length; the same of its gradient is added to `gradient`. A hypothesis is
  // drawn with a probability proportional to e^score; the highest score is taken off first, so that nothing overflows.
  double add(const GainLists& lists, std::size_t list, const double* weights, double* gradient);

 private:
  std::vector<double> chances_;
};

// How weights move: list after list, each along its own gradient.
struct Descent {
  std::span<const std::int64_t> order;  // of the lists
  std::span<const double> steps;        // the length of a step, a feature each
  const double *lower, *upper;          // where weights are kept
  double shrink;                        // how strongly one list draws weights to 0; felt where a step ends, not begins
  double rate;                          // what steps are multiplied by at first; it falls as 1 / (1 + epochs)
  double epochs;                        // done before
};

// One epoch: changes `weights` and adds them to `sums` after every step.
void descend(const GainLists& lists, const Descent& descent, double* weights, double* sums);

}  // namespace tricolore::tuning
