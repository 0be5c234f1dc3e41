// Sequences of words as the nodes of a tree, numbered as they come; the root, 0, is the empty one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "vocabulary.hpp"

namespace tricolore::graphs::lattices {

class Trie {
 public:
  struct Node {
    std::uint32_t parent;
    std::int32_t word;
    std::uint32_t depth;
  };

  Trie() { clear(); }

  void clear() {
    nodes_.assign(1, {0, -1, 0});
    table_.reset(slots_for(0));
  }

  std::size_t size() const { return nodes_.size(); }
  const Node& operator[](std::size_t node) const { return nodes_[node]; }

  // The node longer by a word, or `absent`.
  std::uint32_t find(std::uint32_t node, std::int32_t word) {
    const auto& entry = look_up(node, word);
    return table_.taken(entry) ? entry.value : absent;
  }

  // The same; made if there is none.
  std::uint32_t child(std::uint32_t node, std::int32_t word) {
    auto& entry = look_up(node, word);
    if (table_.taken(entry)) return entry.value;
    const auto made = static_cast<std::uint32_t>(nodes_.size());
    table_.take(entry, pack(node, word), made);
    nodes_.push_back({node, word, nodes_[node].depth + 1});
    if (nodes_.size() * 2 > table_.slots()) grow();
    return made;
  }

  // Writes the words of a node, as many as its depth.
  void write(std::uint32_t node, std::int32_t* words) const {
    for (auto k = nodes_[node].depth; k > 0; --k, node = nodes_[node].parent) words[k - 1] = nodes_[node].word;
  }

 private:
  using Table = StampedTable<std::uint32_t>;

  static std::uint64_t pack(std::uint32_t node, std::int32_t word) {
    return (std::uint64_t{node} << 32) | static_cast<std::uint32_t>(word);
  }
  Table::Entry& look_up(std::uint32_t node, std::int32_t word) {
    return table_.find(pack(node, word), pack(node, word), [](std::uint32_t) { return true; });
  }
  void grow() {
    table_.reset(2 * table_.slots());
    for (std::uint32_t node = 1; node < nodes_.size(); ++node)
      table_.take(look_up(nodes_[node].parent, nodes_[node].word), pack(nodes_[node].parent, nodes_[node].word), node);
  }

  std::vector<Node> nodes_;
  Table table_;
};

}  // namespace tricolore::graphs::lattices
