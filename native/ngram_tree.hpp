// N-grams as the nodes of a tree, numbered as they come: each is another one and a word more; 0 is the empty one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "vocabulary.hpp"

namespace tricolore::graphs {

class NgramTree {
 public:
  static constexpr std::int32_t empty = 0, none = -1;

  // No more than `limit` are kept; the next throws std::overflow_error.
  explicit NgramTree(std::size_t limit = std::numeric_limits<std::int32_t>::max()) : limit_(limit) { clear(); }

  void clear() {
    nodes_.assign(1, {none, none, 0});
    room_ = 512;
    numbers_.reset(room_);
  }

  std::size_t size() const { return nodes_.size(); }
  std::int32_t before(std::int32_t node) const { return nodes_[node].before; }  // without its last word
  std::int32_t last(std::int32_t node) const { return nodes_[node].last; }
  std::size_t length(std::int32_t node) const { return nodes_[node].length; }

  // The n-gram longer by a word, or `none`.
  std::int32_t find(std::int32_t node, std::int32_t word) {
    const std::uint32_t number = numbers_.find(node, word);
    return number == absent ? none : static_cast<std::int32_t>(number + 1);
  }

  // The same; made if there is none. Its number is higher.
  std::int32_t child(std::int32_t node, std::int32_t word) {
    const auto number = static_cast<std::int32_t>(numbers_.intern(node, word) + 1);
    if (static_cast<std::size_t>(number) == size()) add(node, word);
    return number;
  }

  // An n-gram and the words of another after it.
  std::int32_t joined(std::int32_t first, std::int32_t second) {
    return second == empty ? first : child(joined(first, before(second)), last(second));  // as deep as it is long
  }

  void words(std::int32_t node, std::vector<std::int32_t>& found) const {
    found.resize(length(node));
    for (std::size_t i = found.size(); i-- > 0; node = before(node)) found[i] = last(node);
  }

 private:
  struct Node {
    std::int32_t before, last;
    std::uint32_t length;
  };

  void add(std::int32_t before, std::int32_t last) {
    if (size() > limit_)
      throw std::overflow_error("there are more than " + std::to_string(limit_) +
                                " n-grams; expected a smaller forest, a lower order or a higher limit");
    nodes_.push_back({before, last, nodes_[before].length + 1});
    if (size() <= room_) return;
    room_ *= 2;
    numbers_.reset(room_);
    for (std::size_t node = 1; node < size(); ++node) numbers_.intern(nodes_[node].before, nodes_[node].last);
  }

  std::size_t limit_, room_ = 0;
  std::vector<Node> nodes_;
  PairNumbers numbers_;  // of all nodes but the first
};

}  // namespace tricolore::graphs
