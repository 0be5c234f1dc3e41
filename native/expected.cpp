#include "expected.hpp"

#include <algorithm>
#include <cmath>

#include "interruption.hpp"

namespace tricolore::tuning {

double ExpectedGain::add(const GainLists& lists, std::size_t list, const double* weights, double* gradient) {
  const std::size_t first = static_cast<std::size_t>(lists.starts[list]);
  const std::size_t size = static_cast<std::size_t>(lists.starts[list + 1]) - first;
  const double* gains = lists.gains + first;
  chances_.resize(size);
  for (std::size_t k = 0; k < size; ++k) chances_[k] = lists.rows.dot(first + k, weights);
  const double highest = *std::max_element(chances_.begin(), chances_.end());
  double total = 0, expected = 0;
  for (std::size_t k = 0; k < size; ++k) {
    chances_[k] = std::exp(chances_[k] - highest);
    total += chances_[k];
    expected += chances_[k] * gains[k];
  }
  expected /= total;
  const double scale = lists.lengths[list] / total;
  for (std::size_t k = 0; k < size; ++k) {
    const double pull = scale * chances_[k] * (gains[k] - expected);
    if (pull != 0) lists.rows.add(first + k, pull, gradient);
  }
  return lists.lengths[list] * expected;
}

void descend(const GainLists& lists, const Descent& descent, double* weights, double* sums) {
  const std::size_t size = descent.steps.size();
  const double* steps = descent.steps.data();
  const double lists_number = static_cast<double>(lists.size());
  ExpectedGain expected;
  std::vector<double> gradient(size);
  double* moves = gradient.data();
  std::size_t done = 0;
  for (const std::int64_t list : descent.order) {
    if (done % 16 == 0) check_interrupt();
    expected.add(lists, static_cast<std::size_t>(list), weights, moves);
    const double rate = descent.rate / (1 + descent.epochs + static_cast<double>(done++) / lists_number);
    // Every weight shrinks at every step, also where a list has no feature: that is one plain pass, and fast.
    for (std::size_t j = 0; j < size; ++j) {
      const double step = rate * steps[j];
      const double weight = (weights[j] + step * moves[j]) / (1 + step * descent.shrink);
      weights[j] = std::min(std::max(weight, descent.lower[j]), descent.upper[j]);
      sums[j] += weights[j];
      moves[j] = 0;
    }
  }
}

}  // namespace tricolore::tuning
