// Sums and maxima over all derivations of a forest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphs.hpp"

namespace tricolore::graphs::forests {

// Where the edges of each node begin.
class NodeEdges {
 public:
  explicit NodeEdges(const ForestView& forest);

  std::size_t begin(std::size_t node) const { return begins_[node]; }
  std::size_t end(std::size_t node) const { return begins_[node + 1]; }

 private:
  std::vector<std::size_t> begins_;
};

// The best derivation of each node: its score, and its first edge. The score of a derivation is that of its first edge
// plus those of what is below, from left to right; of equally good edges the first is taken. Throws
// std::overflow_error where scores grow beyond all numbers.
struct BestBelow {
  std::vector<double> scores;
  std::vector<std::int32_t> edges;
};

BestBelow best_below(const ForestView& forest, const NodeEdges& edges);

// A derivation as a walk that branches: P(derivation) ∝ exp(scale · score) is the product of a chance for each of its
// edges, given the edge's head.
struct Branching {
  double total;                 // log Σ exp(scale · score) over all derivations
  std::vector<double> chances;  // of each edge, given its head
  std::vector<double> uses;     // how often each node is expected in a derivation
};

Branching branching_of(const ForestView& forest, const NodeEdges& edges, double scale);

// How many derivations each node has, or `most` + 1 where there are more than that.
std::vector<std::uint64_t> count_below(const ForestView& forest, const NodeEdges& edges, std::uint64_t most);

}  // namespace tricolore::graphs::forests
