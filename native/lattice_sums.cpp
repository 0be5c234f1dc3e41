#include "lattice_sums.hpp"

#include <algorithm>
#include <cmath>

#include "interruption.hpp"

namespace tricolore::graphs::lattices {

OutArcs::OutArcs(const LatticeView& lattice) : begins_(lattice.states() + 1) {
  for (const auto source : lattice.sources) ++begins_[source + 1];
  for (std::size_t s = 0; s < lattice.states(); ++s) begins_[s + 1] += begins_[s];
}

std::vector<double> best_ahead(const LatticeView& lattice, const OutArcs& out) {
  std::vector<double> ahead(lattice.finals.begin(), lattice.finals.end());
  for (std::size_t s = lattice.states(); s-- > 0;) {
    if (s % 4096 == 0) check_interrupt();
    for (auto a = out.begin(s); a < out.end(s); ++a)
      ahead[s] = std::max(ahead[s], lattice.scores[a] + ahead[lattice.targets[a]]);
  }
  return ahead;
}

Walk walk_of(const LatticeView& lattice, const OutArcs& out) {
  const std::size_t states = lattice.states();
  Walk walk{0.0, std::vector<double>(lattice.arcs()), std::vector<double>(states), std::vector<double>(states)};
  std::vector<double> ahead(states);
  for (std::size_t s = states; s-- > 0;) {
    if (s % 4096 == 0) check_interrupt();
    double most = lattice.finals[s];
    for (auto a = out.begin(s); a < out.end(s); ++a) {
      walk.arcs[a] = lattice.scores[a] + ahead[lattice.targets[a]];
      most = std::max(most, walk.arcs[a]);
    }
    double sum = walk.ends[s] = std::exp(lattice.finals[s] - most);
    for (auto a = out.begin(s); a < out.end(s); ++a) sum += walk.arcs[a] = std::exp(walk.arcs[a] - most);
    walk.ends[s] /= sum;
    for (auto a = out.begin(s); a < out.end(s); ++a) walk.arcs[a] /= sum;
    ahead[s] = most + std::log(sum);
  }
  walk.total = ahead[0];
  walk.visits[0] = 1.0;
  for (std::size_t a = 0; a < lattice.arcs(); ++a)
    walk.visits[lattice.targets[a]] += walk.visits[lattice.sources[a]] * walk.arcs[a];
  return walk;
}

}  // namespace tricolore::graphs::lattices
