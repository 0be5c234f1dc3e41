// Sums and maxima over all paths of a lattice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "graphs.hpp"

namespace tricolore::graphs::lattices {

// Where the arcs of each state begin.
class OutArcs {
 public:
  explicit OutArcs(const LatticeView& lattice);

  std::size_t begin(std::size_t state) const { return begins_[state]; }
  std::size_t end(std::size_t state) const { return begins_[state + 1]; }

 private:
  std::vector<std::size_t> begins_;
};

// The best score of a path from each state to an end, added from the end backwards.
std::vector<double> best_ahead(const LatticeView& lattice, const OutArcs& out);

// A path as a walk: P(path) ∝ exp(score) is the product of a chance for each arc it takes, given that it is in the
// arc's source, and the chance that it ends where it does.
struct Walk {
  double total;                // log Σ exp(score) over all paths
  std::vector<double> arcs;    // the chance to leave the source by the arc
  std::vector<double> ends;    // the chance to end in the state, once there
  std::vector<double> visits;  // the chance to come to the state
};

Walk walk_of(const LatticeView& lattice, const OutArcs& out);

}  // namespace tricolore::graphs::lattices
