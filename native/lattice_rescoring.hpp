// A lattice scored by n-grams: its states are split by as much history as the n-grams need.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphs.hpp"

namespace tricolore::graphs::lattices {

// N-grams of any length, one after another, and what each is worth wherever it ends.
struct WeightedNgrams {
  std::span<const std::int64_t> starts;
  std::span<const std::int32_t> words;
  std::span<const double> values;
};

// States and arcs in order, as in a LatticeView; which of the lattice they were made of; and what each arc is worth.
struct SplitLattice {
  std::vector<std::int32_t> sources, targets, arc_of, state_of;
  std::vector<double> worth;
};

// The worth of a path is that of all n-grams in its words, and `word` for each word. Throws std::overflow_error if more
// than `limit` arcs are needed.
SplitLattice split_by_ngrams(const LatticeView& lattice, const WeightedNgrams& ngrams, double word, std::size_t limit);

}  // namespace tricolore::graphs::lattices
