// Single derivations of a forest: the best, the best few, random ones, all; and what they say.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "forest_sums.hpp"
#include "graphs.hpp"
#include "interruption.hpp"
#include "resampling.hpp"

namespace tricolore::graphs::forests {

// The edges of several derivations, one derivation after another; each edge before those below it, from left to right.
// A derivation may be far larger than the forest, so that there is a limit.
struct Derivations {
  static constexpr std::size_t most_edges = std::size_t{1} << 25;

  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> edges;

  // Adds a derivation, from the root down. A pick says what becomes of a node: choose(pick, tails) returns its edge,
  // and appends to `tails` a pick for each node on the edge's right-hand side.
  template <class Pick, class Choose>
  void add(const Pick& root, Choose&& choose) {
    std::vector<Pick> waiting{root}, tails;
    while (!waiting.empty()) {
      const Pick pick = waiting.back();
      waiting.pop_back();
      tails.clear();
      edges.push_back(choose(pick, tails));
      waiting.insert(waiting.end(), tails.rbegin(), tails.rend());
      if (edges.size() % 4096 == 0) check_interrupt();
      if (edges.size() > most_edges || waiting.size() > most_edges)
        throw std::overflow_error("derivations of more than 33,554,432 edges in all are too many to write down");
    }
    starts.push_back(static_cast<std::int64_t>(edges.size()));
  }
};

Derivations best_derivation(const ForestView& forest);

// `number` of them; for each node with several edges, in the order of the derivation, the next draw says which.
Derivations drawn_derivations(const ForestView& forest, double scale, std::size_t number, Draws& draws);

// All of them, in the order of their edges; there must be no more than `most`, else there are none in the result.
Derivations all_derivations(const ForestView& forest, std::uint64_t most);

// What derivations say, and their scores.
struct Yields {
  std::vector<double> scores;
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> words;
};

Yields read_derivations(const ForestView& forest, std::span<const std::int64_t> starts,
                        std::span<const std::int32_t> edges);

}  // namespace tricolore::graphs::forests
