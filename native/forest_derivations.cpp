#include "forest_derivations.hpp"

#include <algorithm>

namespace tricolore::graphs::forests {

namespace {

void append_nodes(const ForestView& forest, std::size_t edge, std::vector<std::int32_t>& nodes) {
  for (const auto item : forest.right(edge)) {
    if (item < 0) nodes.push_back(~item);
  }
}

}  // namespace

Derivations best_derivation(const ForestView& forest) {
  const auto best = best_below(forest, NodeEdges(forest));
  Derivations found;
  found.add(static_cast<std::int32_t>(forest.root()), [&](std::int32_t node, std::vector<std::int32_t>& tails) {
    append_nodes(forest, best.edges[node], tails);
    return best.edges[node];
  });
  return found;
}

Derivations drawn_derivations(const ForestView& forest, double scale, std::size_t number, Draws& draws) {
  const NodeEdges edges(forest);
  auto below = branching_of(forest, edges, scale).chances;  // the chance of this edge or one before it
  for (std::size_t node = 0; node < forest.nodes; ++node) {
    for (std::size_t e = edges.begin(node) + 1; e < edges.end(node); ++e) below[e] += below[e - 1];
  }
  const auto choose = [&](std::int32_t node, std::vector<std::int32_t>& tails) {
    const auto begin = below.begin() + static_cast<std::ptrdiff_t>(edges.begin(node));
    const auto last = below.begin() + static_cast<std::ptrdiff_t>(edges.end(node)) - 1;
    auto edge = begin;
    if (begin != last) {
      edge = std::upper_bound(begin, last, draws.uniform() * *last);
      // Rounding must not choose an edge that has no chance.
      while (edge != begin && *edge == *(edge - 1)) --edge;
    }
    const auto chosen = static_cast<std::int32_t>(edge - below.begin());
    append_nodes(forest, chosen, tails);
    return chosen;
  };
  Derivations found;
  for (std::size_t k = 0; k < number; ++k) found.add(static_cast<std::int32_t>(forest.root()), choose);
  return found;
}

Derivations all_derivations(const ForestView& forest, std::uint64_t most) {
  const NodeEdges edges(forest);
  const auto counts = count_below(forest, edges, most);
  Derivations found;
  if (counts[forest.root()] > most) return found;
  struct Nth {
    std::int32_t node;
    std::uint64_t rank;
  };
  std::vector<std::uint64_t> ways(forest.edges());
  for (std::size_t e = 0; e < forest.edges(); ++e) {
    ways[e] = 1;
    for (const auto item : forest.right(e)) {
      if (item < 0) ways[e] *= counts[~item];
    }
  }
  const auto choose = [&](Nth nth, std::vector<Nth>& tails) {
    std::size_t edge = edges.begin(nth.node);
    while (nth.rank >= ways[edge]) nth.rank -= ways[edge++];
    std::uint64_t rest = ways[edge];  // in how many ways the nodes to come can go on
    for (const auto item : forest.right(edge)) {
      if (item >= 0) continue;
      rest /= counts[~item];
      tails.push_back({~item, nth.rank / rest});
      nth.rank %= rest;
    }
    return static_cast<std::int32_t>(edge);
  };
  for (std::uint64_t rank = 0; rank < counts[forest.root()]; ++rank)
    found.add(Nth{static_cast<std::int32_t>(forest.root()), rank}, choose);
  return found;
}

Yields read_derivations(const ForestView& forest, std::span<const std::int64_t> starts,
                        std::span<const std::int32_t> edges) {
  constexpr std::size_t most_words = std::size_t{1} << 28;
  struct Open {
    std::size_t item, end;  // what is to be read of the right-hand side
    double score;
  };
  Yields yields;
  std::vector<Open> open;
  for (std::size_t k = 0; k + 1 < starts.size(); ++k) {
    auto next = static_cast<std::size_t>(starts[k]);
    const auto end = static_cast<std::size_t>(starts[k + 1]);
    const auto begin = [&](std::size_t node) {
      if (next == end || static_cast<std::size_t>(forest.heads[edges[next]]) != node)
        throw std::invalid_argument("these edges are no derivation");
      const auto edge = edges[next++];
      open.push_back({static_cast<std::size_t>(forest.starts[edge]), static_cast<std::size_t>(forest.starts[edge + 1]),
                      forest.scores[edge]});
      if (next % 4096 == 0) check_interrupt();
    };
    begin(forest.root());
    for (;;) {
      if (open.back().item == open.back().end) {
        const double score = open.back().score;
        open.pop_back();
        if (open.empty()) {
          if (next != end) throw std::invalid_argument("these edges are no derivation");
          yields.scores.push_back(score);
          break;
        }
        open.back().score += score;
        continue;
      }
      const auto item = forest.items[open.back().item++];
      if (item < 0) {
        begin(static_cast<std::size_t>(~item));
        continue;
      }
      if (yields.words.size() == most_words)
        throw std::overflow_error("derivations of more than 268,435,456 words in all are too many to write down");
      yields.words.push_back(item);
    }
    yields.starts.push_back(static_cast<std::int64_t>(yields.words.size()));
  }
  return yields;
}

}  // namespace tricolore::graphs::forests
