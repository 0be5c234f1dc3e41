#include "forest_sums.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "interruption.hpp"

namespace tricolore::graphs::forests {

namespace {

// Sums of finite scores may still be too large, for a derivation may be larger than the forest.
double checked(double score) {
  if (!std::isfinite(score)) throw std::overflow_error("scores of derivations grow beyond all numbers");
  return score;
}

}  // namespace

NodeEdges::NodeEdges(const ForestView& forest) : begins_(forest.nodes + 1) {
  for (const auto head : forest.heads) ++begins_[head + 1];
  for (std::size_t node = 0; node < forest.nodes; ++node) begins_[node + 1] += begins_[node];
}

BestBelow best_below(const ForestView& forest, const NodeEdges& edges) {
  BestBelow best{std::vector<double>(forest.nodes), std::vector<std::int32_t>(forest.nodes)};
  for (std::size_t node = 0; node < forest.nodes; ++node) {
    if (node % 1024 == 0) check_interrupt();
    for (std::size_t e = edges.begin(node); e < edges.end(node); ++e) {
      double score = forest.scores[e];
      for (const auto item : forest.right(e)) {
        if (item < 0) score += best.scores[~item];
      }
      checked(score);
      if (e > edges.begin(node) && score <= best.scores[node]) continue;
      best.scores[node] = score;
      best.edges[node] = static_cast<std::int32_t>(e);
    }
  }
  return best;
}

Branching branching_of(const ForestView& forest, const NodeEdges& edges, double scale) {
  Branching found{0.0, std::vector<double>(forest.edges()), std::vector<double>(forest.nodes)};
  auto& chances = found.chances;
  std::vector<double> inside(forest.nodes);
  for (std::size_t node = 0; node < forest.nodes; ++node) {
    if (node % 1024 == 0) check_interrupt();
    const std::size_t begin = edges.begin(node), end = edges.end(node);
    double highest = -HUGE_VAL;
    for (std::size_t e = begin; e < end; ++e) {
      double score = scale * forest.scores[e];
      for (const auto item : forest.right(e)) {
        if (item < 0) score += inside[~item];
      }
      highest = std::max(highest, chances[e] = checked(score));
    }
    double sum = 0.0;
    for (std::size_t e = begin; e < end; ++e) sum += chances[e] = std::exp(chances[e] - highest);
    for (std::size_t e = begin; e < end; ++e) chances[e] /= sum;
    inside[node] = highest + std::log(sum);
  }
  found.total = inside[forest.root()];
  // From the root down; only sums of what is positive, so that small numbers are right too.
  auto& uses = found.uses;
  uses[forest.root()] = 1.0;
  for (std::size_t node = forest.nodes; node-- > 0;) {
    if (!std::isfinite(uses[node])) throw std::overflow_error("a node is expected more often than can be counted");
    for (std::size_t e = edges.begin(node); e < edges.end(node); ++e) {
      for (const auto item : forest.right(e)) {
        if (item < 0) uses[~item] += uses[node] * chances[e];
      }
    }
  }
  return found;
}

std::vector<std::uint64_t> count_below(const ForestView& forest, const NodeEdges& edges, std::uint64_t most) {
  std::vector<std::uint64_t> counts(forest.nodes);
  for (std::size_t node = 0; node < forest.nodes; ++node) {
    for (std::size_t e = edges.begin(node); e < edges.end(node) && counts[node] <= most; ++e) {
      std::uint64_t product = 1;
      for (const auto item : forest.right(e)) {
        if (item >= 0) continue;
        const std::uint64_t below = counts[~item];  // never 0
        product = below > most / product ? most + 1 : product * below;
        if (product > most) break;
      }
      counts[node] = std::min(most + 1, counts[node] + product);
    }
  }
  return counts;
}

}  // namespace tricolore::graphs::forests
