#include "independent_sets.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "interruption.hpp"

namespace tricolore::counting {

namespace {

constexpr std::uint32_t gone = 0xFFFFFFFFu;  // the degree of a node that has been taken or left

// A set of nodes, as bits.
template <std::size_t words>
struct Bits {
  std::array<std::uint64_t, words> bits{};

  static Bits of(std::size_t node) {
    Bits one;
    one.add(node);
    return one;
  }
  void add(std::size_t node) { bits[node / 64] |= std::uint64_t{1} << (node % 64); }
  void remove(std::size_t node) { bits[node / 64] &= ~(std::uint64_t{1} << (node % 64)); }
  bool has(std::size_t node) const { return (bits[node / 64] >> (node % 64)) & 1; }
  bool empty() const { return *this == Bits(); }
  std::size_t size() const {
    std::size_t found = 0;
    for (const std::uint64_t word : bits) found += static_cast<std::size_t>(std::popcount(word));
    return found;
  }
  std::size_t first() const {
    std::size_t w = 0;
    while (bits[w] == 0) ++w;
    return 64 * w + static_cast<std::size_t>(std::countr_zero(bits[w]));
  }
  Bits operator&(const Bits& other) const {
    Bits both;
    for (std::size_t w = 0; w < words; ++w) both.bits[w] = bits[w] & other.bits[w];
    return both;
  }
  Bits operator|(const Bits& other) const {
    Bits either;
    for (std::size_t w = 0; w < words; ++w) either.bits[w] = bits[w] | other.bits[w];
    return either;
  }
  Bits without(const Bits& other) const {
    Bits rest;
    for (std::size_t w = 0; w < words; ++w) rest.bits[w] = bits[w] & ~other.bits[w];
    return rest;
  }
  bool operator==(const Bits&) const = default;

  // Call with each node, from the first on; the set must not change meanwhile.
  template <class Visit>
  void each(Visit visit) const {
    for (std::size_t w = 0; w < words; ++w)
      for (std::uint64_t left = bits[w]; left != 0; left &= left - 1)
        visit(64 * w + static_cast<std::size_t>(std::countr_zero(left)));
  }
};

}  // namespace

// Searches one part.
template <std::size_t words>
class IndependentSets::Search {
 public:
  using Set = Bits<words>;

  Search(const std::vector<GridNode>& nodes, const std::vector<Edge>& edges, std::size_t& work)
      : nodes_(nodes), work_(work), near_(nodes.size()), seen_(3 * nodes.size()), counts_(2 * nodes.size()) {
    number_lines();
    for (const auto& [a, b] : edges) {
      near_[a].add(b);
      near_[b].add(a);
    }
  }

  std::optional<std::size_t> largest() {
    Set all;
    for (std::size_t v = 0; v < nodes_.size(); ++v) all.add(v);
    const std::size_t found = largest(all, 0);
    if (work_ > most_work) return std::nullopt;
    return found;
  }

 private:
  // Give rows, columns and classes numbers below that of nodes.
  void number_lines() {
    const auto number = [&](auto field) {
      order_.resize(nodes_.size());
      std::iota(order_.begin(), order_.end(), 0);
      std::sort(order_.begin(), order_.end(),
                [&](std::uint32_t a, std::uint32_t b) { return nodes_[a].*field < nodes_[b].*field; });
      std::uint32_t next = 0, before = 0;
      for (std::size_t k = 0; k < order_.size(); ++k) {
        const std::uint32_t value = nodes_[order_[k]].*field;
        if (k > 0 && value != before) ++next;
        before = value;
        nodes_[order_[k]].*field = next;
      }
    };
    number(&GridNode::row);
    number(&GridNode::column);
    number(&GridNode::kind);
  }

  // The size of a largest set, if it is more than `enough`; if not, something up to that.
  std::size_t largest(Set left, std::size_t enough) {
    std::size_t taken = reduce(left);
    if (left.empty() || work_ > most_work) return taken;
    const Set part = connected(left);
    if (part != left) {
      const Set others = left.without(part);
      return taken + largest(part, 0) + largest(others, 0);
    }
    const std::size_t bound = most(left);
    if (taken + bound <= enough) return enough;
    enough = enough > taken ? enough - taken : 0;
    enough = std::max(enough, greedy(left));
    if (bound <= enough || work_ > most_work) return taken + enough;
    std::size_t busiest = left.first(), neighbours = 0;
    left.each([&](std::size_t v) {
      const std::size_t degree = (near_[v] & left).size();
      if (degree > neighbours) neighbours = degree, busiest = v;
    });
    left.remove(busiest);
    enough = std::max(enough, largest(left, enough));
    if (bound <= enough) return taken + enough;
    return taken + std::max(enough, 1 + largest(left.without(near_[busiest]), enough - 1));
  }

  // Take nodes with at most one neighbour, and drop those that are no better than a neighbour; how many were taken.
  std::size_t reduce(Set& left) {
    std::size_t taken = 0;
    for (bool changed = true; changed && work_ <= most_work;) {
      changed = false;
      const Set before = left;
      before.each([&](std::size_t v) {
        if (!left.has(v)) return;
        Set around = near_[v] & left;
        const std::size_t degree = around.size();
        note_work((degree + 1) * words);
        if (degree <= 1) {
          left.remove(v);
          left = left.without(around);
          ++taken;
          changed = true;
          return;
        }
        around.add(v);
        around.each([&](std::size_t u) {
          if (u == v || !around.without(near_[u] | Set::of(u)).empty()) return;
          left.remove(u);
          changed = true;
        });
      });
    }
    return taken;
  }

  // What can be reached from the first node.
  Set connected(const Set& left) {
    Set part = Set::of(left.first()), fresh = part;
    while (!fresh.empty()) {
      Set next;
      fresh.each([&](std::size_t v) { next = next | near_[v]; });
      note_work(fresh.size() * words);
      fresh = (next & left).without(part);
      part = part | fresh;
    }
    return part;
  }

  // No set has more nodes than this.
  std::size_t most(const Set& left) {
    const std::size_t size = nodes_.size();
    ++stamp_;
    std::fill(counts_.begin(), counts_.end(), 0);
    left.each([&](std::size_t v) {
      const GridNode& node = nodes_[v];
      const auto note = [&](std::size_t line, std::size_t count) {
        if (seen_[line] == stamp_) return;
        seen_[line] = stamp_;
        ++counts_[count];
      };
      note(node.row, node.kind);
      note(size + node.column, size + node.kind);
    });
    std::size_t found = 0;
    for (std::size_t k = 0; k < size; ++k) found += std::min(counts_[k], counts_[size + k]);
    note_work(2 * size);
    return found;
  }

  // The size of a set that is found by always taking a node with the fewest neighbours.
  std::size_t greedy(Set left) {
    std::size_t taken = 0;
    while (!left.empty() && work_ <= most_work) {
      std::size_t best = 0, fewest = nodes_.size() + 1;
      left.each([&](std::size_t v) {
        const std::size_t degree = (near_[v] & left).size();
        if (degree < fewest) fewest = degree, best = v;
      });
      note_work(left.size() * words);
      left.remove(best);
      left = left.without(near_[best]);
      ++taken;
    }
    return taken;
  }

  void note_work(std::size_t steps) {
    work_ += steps;
    check_interrupt(steps);
  }

  std::vector<GridNode> nodes_;
  std::size_t& work_;
  std::vector<Set> near_;
  std::vector<std::uint32_t> order_;
  std::vector<std::size_t> seen_, counts_;  // by row, then by column; by class, in rows and in columns
  std::size_t stamp_ = 0;
};

std::optional<std::size_t> IndependentSets::largest(const std::vector<GridNode>& nodes,
                                                    const std::vector<Edge>& edges) {
  work_ = 0;
  link(nodes.size(), edges);
  number_.assign(nodes.size(), gone);
  std::size_t found = take_easy();
  for (std::uint32_t first = 0; first < nodes.size(); ++first) {
    if (degrees_[first] == gone) continue;
    gather(first);
    of_part_.clear();
    for (const std::uint32_t node : part_) of_part_.push_back(nodes[node]);
    if (part_.size() > large) return std::nullopt;
    const auto in_part = part_.size() <= small ? Search<small / 64>(of_part_, part_edges_, work_).largest()
                                               : Search<large / 64>(of_part_, part_edges_, work_).largest();
    if (!in_part) return std::nullopt;
    found += *in_part;
  }
  return found;
}

void IndependentSets::link(std::size_t nodes, const std::vector<Edge>& edges) {
  ends_.assign(nodes + 1, 0);
  for (const auto& [a, b] : edges) ++ends_[a], ++ends_[b];
  degrees_.assign(ends_.begin(), ends_.end() - 1);
  std::partial_sum(ends_.begin(), ends_.end(), ends_.begin());
  neighbours_.resize(2 * edges.size());
  for (const auto& [a, b] : edges) {
    neighbours_[--ends_[a]] = b;
    neighbours_[--ends_[b]] = a;
  }
}

// Take nodes with at most one neighbour until there is none; how many were taken.
std::size_t IndependentSets::take_easy() {
  std::size_t taken = 0;
  easy_.clear();
  for (std::uint32_t v = 0; v < degrees_.size(); ++v)
    if (degrees_[v] <= 1) easy_.push_back(v);
  while (!easy_.empty()) {
    const std::uint32_t v = easy_.back();
    easy_.pop_back();
    if (degrees_[v] == gone) continue;
    ++taken;
    degrees_[v] = gone;
    for (std::uint32_t k = ends_[v]; k < ends_[v + 1]; ++k)
      if (degrees_[neighbours_[k]] != gone) remove(neighbours_[k]);
  }
  return taken;
}

void IndependentSets::remove(std::uint32_t node) {
  degrees_[node] = gone;
  for (std::uint32_t k = ends_[node]; k < ends_[node + 1]; ++k) {
    std::uint32_t& degree = degrees_[neighbours_[k]];
    if (degree != gone && --degree <= 1) easy_.push_back(neighbours_[k]);
  }
}

// The part of a node, with its edges; it is then gone.
void IndependentSets::gather(std::uint32_t first) {
  part_.clear();
  const auto note = [&](std::uint32_t node) {
    degrees_[node] = gone;
    number_[node] = static_cast<std::uint32_t>(part_.size());
    part_.push_back(node);
  };
  note(first);
  for (std::size_t at = 0; at < part_.size(); ++at)
    for (std::uint32_t k = ends_[part_[at]]; k < ends_[part_[at] + 1]; ++k)
      if (degrees_[neighbours_[k]] != gone) note(neighbours_[k]);
  part_edges_.clear();
  for (const std::uint32_t v : part_)
    for (std::uint32_t k = ends_[v]; k < ends_[v + 1]; ++k)
      if (const std::uint32_t u = neighbours_[k]; u > v && number_[u] != gone)
        part_edges_.emplace_back(number_[v], number_[u]);
}

}  // namespace tricolore::counting
