// Lattices and forests as arrays, and the order that makes one pass over them enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tricolore::graphs {

// A label that is no word.
inline constexpr std::int32_t no_word = -1;

// A lattice: states in topological order, the first is the start; arcs in the order of their sources. Scores add along
// a path; that of its last state belongs to it, and is minus infinity where no path may end.
struct LatticeView {
  std::span<const std::int32_t> sources, targets, labels;
  std::span<const double> scores;
  std::span<const double> finals;

  std::size_t arcs() const { return sources.size(); }
  std::size_t states() const { return finals.size(); }
};

// A forest: nodes in topological order, what they are made of before them, the root last; edges in the order of their
// heads. The right-hand side of edge e is items[starts[e]] to before items[starts[e + 1]]: words, and nodes as ~node.
struct ForestView {
  std::span<const std::int32_t> heads;
  std::span<const std::int64_t> starts;
  std::span<const std::int32_t> items;
  std::span<const double> scores;
  std::size_t nodes;

  std::size_t edges() const { return heads.size(); }
  std::size_t root() const { return nodes - 1; }
  std::span<const std::int32_t> right(std::size_t edge) const {
    return items.subspan(starts[edge], starts[edge + 1] - starts[edge]);
  }
};

// New numbers for states or nodes, in topological order; -1 for those on no complete path, which are left out.
struct Order {
  std::vector<std::int32_t> numbers;
  std::size_t size = 0;             // how many are kept
  std::vector<std::int32_t> cycle;  // states, each leading to the next and the last to the first, if there is a cycle
};

// States that are in order already keep it.
Order order_states(std::size_t states, std::span<const std::int32_t> sources, std::span<const std::int32_t> targets,
                   std::int32_t start, std::span<const std::uint8_t> is_final);
Order order_nodes(std::size_t nodes, std::span<const std::int32_t> heads, std::span<const std::int64_t> starts,
                  std::span<const std::int32_t> items, std::int32_t root);

}  // namespace tricolore::graphs
