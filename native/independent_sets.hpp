// The largest sets of nodes of a graph no two of which are joined, exactly, where little work will do.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tricolore::counting {

// A node stands in a row and in a column, and has a class; all nodes of a row, and all of a column, are of one class.
// Nodes of one row are joined with each other, and so are those of one column.
struct GridNode {
  std::uint32_t row, column, kind;
};

// Nodes are first taken as long as one with at most one neighbour is left, which is never wrong. Of what remains, each
// connected part is searched on its own: a node goes if a neighbour's neighbours are all among its own; then the node
// with most neighbours is taken or left. Of a class, no set has more nodes than rows, or than columns.
class IndependentSets {
 public:
  using Edge = std::pair<std::uint32_t, std::uint32_t>;

  // How many nodes there are in a largest set; nothing if that takes too long to find out. Edges are given once each.
  std::optional<std::size_t> largest(const std::vector<GridNode>& nodes, const std::vector<Edge>& edges);

 private:
  static constexpr std::size_t small = 64, large = 512;           // nodes of a part that can be searched
  static constexpr std::size_t most_work = std::size_t{1} << 22;  // steps of a search, of about a nanosecond each

  void link(std::size_t nodes, const std::vector<Edge>& edges);
  std::size_t take_easy();
  void remove(std::uint32_t node);
  void gather(std::uint32_t first);

  template <std::size_t words>
  class Search;

  std::vector<std::uint32_t> ends_, neighbours_, degrees_;  // of each node
  std::vector<std::uint32_t> easy_, part_, number_;
  std::vector<GridNode> of_part_;
  std::vector<Edge> part_edges_;
  std::size_t work_ = 0;
};

}  // namespace tricolore::counting
