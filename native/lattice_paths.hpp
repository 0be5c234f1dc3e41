// Single paths of a lattice: the best, the best few, and random ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphs.hpp"

namespace tricolore::graphs::lattices {

// The arcs of several paths, one path after another.
struct Paths {
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> arcs;
  std::vector<double> scores;

  std::size_t size() const { return scores.size(); }
  // Ends a path whose arcs have been added; its score is added up from the end backwards.
  void finish(const LatticeView& lattice);
};

// The best path; at each state, of ways on that are equally good, the first: to end, then the arcs in their order.
Paths best_path(const LatticeView& lattice);

// The best `number` texts, each by its best path, or the best paths; the first is the best path. Throws
// std::overflow_error if more than `limit` beginnings of paths have to be kept, or if several paths have more than
// `most_arcs` arcs in all: they may take far more room than the lattice.
Paths best_paths(const LatticeView& lattice, std::size_t number, bool distinct, std::size_t limit,
                 std::size_t most_arcs);

// A path for every row of numbers below one: at each state the next of them says how the path goes on. Rows are as long
// as the longest path has states.
Paths drawn_paths(const LatticeView& lattice, std::span<const double> numbers, std::size_t rows);

// How many arcs the longest path has.
std::size_t longest_path(const LatticeView& lattice);

}  // namespace tricolore::graphs::lattices
