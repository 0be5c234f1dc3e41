// N-grams of a lattice: how many a path has in the mean, and how likely it has any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphs.hpp"

namespace tricolore::graphs::lattices {

// A value for each n-gram of one length n: its words are keys[n * i] to keys[n * i + n - 1].
struct NgramValues {
  std::vector<std::int32_t> keys;
  std::vector<double> values;
};

// For n = 1 to `order`, with P(path) ∝ exp(score): Σ P(path)·#g(path), how often the n-gram g is in a path, in the
// mean. Throws std::overflow_error if more than `limit` n-grams, told apart by where they begin and end, have to be
// made.
std::vector<NgramValues> expected_ngrams(const LatticeView& lattice, int order, std::size_t limit);

// The same, with the probability that g is in a path at all.
std::vector<NgramValues> ngram_posteriors(const LatticeView& lattice, int order, std::size_t limit);

}  // namespace tricolore::graphs::lattices
