// How often n-grams are expected in the derivations of a forest, and in how many they are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphs.hpp"

namespace tricolore::graphs::forests {

// All n-grams up to an order, by order: the numbers of their words one after another, and a value each.
struct NgramValues {
  std::vector<std::vector<std::int32_t>> words;
  std::vector<std::vector<double>> values;
};

// Σ P(d) · #g(d) for each n-gram g, P(d) ∝ exp(scale · score). Throws std::overflow_error if there are more than
// `limit` n-grams, or more than a few times as many where they begin and end.
NgramValues expected_ngrams(const ForestView& forest, std::size_t order, double scale, std::size_t limit);

// The probability of derivations in which g is at least once.
NgramValues ngram_posteriors(const ForestView& forest, std::size_t order, double scale, std::size_t limit);

}  // namespace tricolore::graphs::forests
