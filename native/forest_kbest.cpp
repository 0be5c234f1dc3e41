#include "forest_kbest.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace tricolore::graphs::forests {

namespace {

// A text by a polynomial modulo 2^61 - 1, so that texts can be joined without being written down. Texts whose hashes
// are equal are compared word by word.
class TextHash {
 public:
  static TextHash of_word(std::int32_t word) {
    std::uint64_t mixed = static_cast<std::uint64_t>(word) + 0x9e3779b97f4a7c15;
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return {(mixed >> 31) % modulus, base};
  }

  TextHash() = default;
  void append(const TextHash& text) {
    value_ = add(times(value_, text.power_), text.value_);
    power_ = times(power_, text.power_);
  }
  // The power tells texts of different lengths apart.
  std::uint64_t value() const { return value_ ^ (power_ << 3); }

 private:
  static constexpr std::uint64_t modulus = (std::uint64_t{1} << 61) - 1;
  static constexpr std::uint64_t base = 0x1b873593cc9e2d51 % modulus;

  TextHash(std::uint64_t value, std::uint64_t power) : value_(value), power_(power) {}
  static std::uint64_t add(std::uint64_t a, std::uint64_t b) { return a + b >= modulus ? a + b - modulus : a + b; }
  static std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    // By halves of b, for compilers without 128-bit numbers: a · 2^61 is a again.
    const std::uint64_t low = b & 0x7fffffff, high = b >> 31;
    return add(shifted(product(a, high), 31), product(a, low));
  }
  // a · b for b below 2^31.
  static std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    const std::uint64_t low = (a & 0x7fffffff) * b, high = (a >> 31) * b;
    return add(low % modulus, shifted(high % modulus, 31));
  }
  // a · 2^bits.
  static std::uint64_t shifted(std::uint64_t a, unsigned bits) { return add((a << bits) & modulus, a >> (61 - bits)); }

  std::uint64_t value_ = 0, power_ = 1;
};

// A derivation of a node: an edge, and which of the derivations found for each node on its right-hand side.
struct Derivation {
  double score;
  std::int32_t edge;
  std::size_t ranks;  // where its ranks begin
};

// Huang & Chiang (2005), algorithm 3: a node looks for its next best derivation only when it is asked for it. A stack
// of its own stands for recursion, for forests may be deep.
//
// A text of a node is made of texts of the nodes below, and its best derivation of their best ones: so it is enough
// that every node keeps the best derivation of each of its best texts.
class Search {
 public:
  Search(const ForestView& forest, bool distinct, std::size_t limit)
      : forest_(forest), distinct_(distinct), limit_(limit), nodes_(forest.nodes) {
    begin();
  }

  // Whether there is a derivation of this rank (from 0).
  bool find(std::int32_t root, std::size_t wanted) {
    asked_.push_back({root, wanted});
    while (!asked_.empty()) {
      if (++steps_ % 1024 == 0) check_interrupt();
      const auto [node, rank] = asked_.back();
      if (settled(node, rank)) {
        asked_.pop_back();
      } else if (nodes_[node].going_on) {
        go_on(node);
      } else {
        take_best(node);
      }
    }
    return nodes_[root].found.size() > wanted;
  }

  const Derivation& found(std::int32_t node, std::size_t rank) const { return nodes_[node].found[rank]; }
  std::span<const std::int32_t> ranks(const Derivation& derivation) const {
    return std::span(ranks_).subspan(derivation.ranks);
  }

 private:
  struct State {
    std::vector<Derivation> found;       // best first
    std::vector<TextHash> texts;         // of those found
    std::vector<Derivation> candidates;  // a heap
    std::unordered_multimap<std::uint64_t, std::int32_t> by_text;
    Derivation last;        // taken from the heap; those that come next by it are not in the heap yet
    bool going_on = false;  // whether there is such a one
  };
  struct Asked {
    std::int32_t node;
    std::size_t rank;
  };

  auto worse() const {
    return [this](const Derivation& a, const Derivation& b) {
      if (a.score != b.score) return a.score < b.score;
      if (a.edge != b.edge) return a.edge > b.edge;
      const auto size = forest_.right(a.edge).size();
      const auto of_a = ranks(a).first(size), of_b = ranks(b).first(size);
      return std::lexicographical_compare(of_b.begin(), of_b.end(), of_a.begin(), of_a.end());
    };
  }

  // Every node starts with its edges, all nodes below at their best.
  void begin() {
    std::size_t widest = 0;
    for (std::size_t e = 0; e < forest_.edges(); ++e) widest = std::max(widest, forest_.right(e).size());
    ranks_.assign(widest, 0);
    const NodeEdges edges(forest_);
    for (std::size_t node = 0; node < forest_.nodes; ++node) {
      if (node % 1024 == 0) check_interrupt();
      auto& candidates = nodes_[node].candidates;
      candidates.reserve(edges.end(node) - edges.begin(node));
      for (std::size_t e = edges.begin(node); e < edges.end(node); ++e) {
        double score = forest_.scores[e];
        for (const auto item : forest_.right(e)) {
          if (item < 0) score += nodes_[~item].found[0].score;
        }
        candidates.push_back({score, static_cast<std::int32_t>(e), 0});
      }
      keep(candidates.size());
      std::make_heap(candidates.begin(), candidates.end(), worse());
      take_best(static_cast<std::int32_t>(node));
    }
  }

  void keep(std::size_t more) {
    if ((kept_ += more) > limit_)
      throw std::overflow_error(
          "more than " + std::to_string(limit_) +
          " derivations of nodes would have to be kept; expected a smaller forest, fewer to find or a higher limit");
  }

  bool settled(std::int32_t node, std::size_t rank) const {
    const auto& state = nodes_[node];
    return state.found.size() > rank || (!state.going_on && state.candidates.empty());
  }

  void take_best(std::int32_t node) {
    auto& state = nodes_[node];
    std::pop_heap(state.candidates.begin(), state.candidates.end(), worse());
    state.last = state.candidates.back();
    state.candidates.pop_back();
    state.going_on = true;
    if (distinct_) {
      const TextHash text = text_of(state.last);
      const auto [begin, end] = state.by_text.equal_range(text.value());
      for (auto it = begin; it != end; ++it) {
        if (same_text(state.last, state.found[it->second])) return;
      }
      state.by_text.emplace(text.value(), static_cast<std::int32_t>(state.found.size()));
      state.texts.push_back(text);
    }
    state.found.push_back(state.last);
  }

  // What comes next by the last derivation: each node below, one at a time, by its next best. Only nodes from the last
  // one that is not at its best on, so that no combination comes twice.
  void go_on(std::int32_t node) {
    auto& state = nodes_[node];
    const auto right = forest_.right(state.last.edge);
    const auto base = ranks(state.last).first(right.size());
    std::size_t first = 0;
    for (std::size_t k = 0; k < right.size(); ++k) {
      if (base[k] > 0) first = k;
    }
    for (std::size_t k = first; k < right.size(); ++k) {
      if (right[k] < 0 && !settled(~right[k], base[k] + 1)) {
        asked_.push_back({~right[k], static_cast<std::size_t>(base[k]) + 1});
        return;
      }
    }
    state.going_on = false;
    const std::size_t from = state.last.ranks;
    for (std::size_t k = first; k < right.size(); ++k) {
      const auto next = static_cast<std::size_t>(ranks_[from + k]) + 1;
      if (right[k] >= 0 || nodes_[~right[k]].found.size() <= next) continue;
      keep(1);
      Derivation derivation{forest_.scores[state.last.edge], state.last.edge, ranks_.size()};
      for (std::size_t j = 0; j < right.size(); ++j) ranks_.push_back(ranks_[from + j]);
      ranks_[derivation.ranks + k] = static_cast<std::int32_t>(next);
      for (std::size_t j = 0; j < right.size(); ++j) {
        if (right[j] < 0) derivation.score += nodes_[~right[j]].found[ranks_[derivation.ranks + j]].score;
      }
      state.candidates.push_back(derivation);
      std::push_heap(state.candidates.begin(), state.candidates.end(), worse());
    }
  }

  TextHash text_of(const Derivation& derivation) const {
    TextHash text;
    const auto right = forest_.right(derivation.edge);
    for (std::size_t k = 0; k < right.size(); ++k)
      text.append(right[k] < 0 ? nodes_[~right[k]].texts[ranks_[derivation.ranks + k]] : TextHash::of_word(right[k]));
    return text;
  }

  // Reads a derivation, and may pass over what it shares with another one.
  class Cursor {
   public:
    Cursor(const Search& search, const Derivation& derivation) : search_(search) { enter(derivation); }

    // What comes next: a word, or a node as ~node and the rank of its derivation; false at the end.
    bool peek(std::int32_t& item, std::int32_t& rank) {
      while (!open_.empty() && open_.back().position == search_.forest_.right(open_.back().edge).size())
        open_.pop_back();
      if (open_.empty()) return false;
      const auto& top = open_.back();
      item = search_.forest_.right(top.edge)[top.position];
      rank = search_.ranks_[top.ranks + top.position];
      return true;
    }
    void pass() { ++open_.back().position; }
    void enter(std::int32_t node, std::int32_t rank) {
      pass();
      enter(search_.nodes_[node].found[rank]);
    }

   private:
    struct Open {
      std::int32_t edge;
      std::size_t ranks, position;
    };
    void enter(const Derivation& derivation) { open_.push_back({derivation.edge, derivation.ranks, 0}); }

    const Search& search_;
    std::vector<Open> open_;
  };

  bool same_text(const Derivation& a, const Derivation& b) const {
    Cursor first(*this, a), second(*this, b);
    for (std::size_t steps = 1;; ++steps) {
      if (steps % 4096 == 0) check_interrupt();
      std::int32_t x, y, x_rank, y_rank;
      const bool more = first.peek(x, x_rank), second_more = second.peek(y, y_rank);
      if (!more && !second_more) return true;
      if (more && second_more && x == y && (x >= 0 || x_rank == y_rank)) {
        first.pass();
        second.pass();
      } else if (more && x < 0 && (!second_more || y >= 0 || ~x >= ~y)) {
        first.enter(~x, x_rank);  // what is above may hold what is below
      } else if (second_more && y < 0) {
        second.enter(~y, y_rank);
      } else {
        return false;
      }
    }
  }

  const ForestView& forest_;
  bool distinct_;
  std::size_t limit_, kept_ = 0, steps_ = 0;
  std::vector<State> nodes_;
  std::vector<std::int32_t> ranks_;  // of all derivations, an item of the right-hand side each; begins with zeros
  std::vector<Asked> asked_;
};

}  // namespace

Derivations best_derivations(const ForestView& forest, std::size_t number, bool distinct, std::size_t limit) {
  best_below(forest, NodeEdges(forest));  // refuses scores that are too large
  Search search(forest, distinct, limit);
  struct Nth {
    std::int32_t node, rank;
  };
  const auto choose = [&](Nth nth, std::vector<Nth>& tails) {
    const auto& derivation = search.found(nth.node, nth.rank);
    const auto ranks = search.ranks(derivation);
    const auto right = forest.right(derivation.edge);
    for (std::size_t k = 0; k < right.size(); ++k) {
      if (right[k] < 0) tails.push_back({~right[k], ranks[k]});
    }
    return derivation.edge;
  };
  Derivations found;
  const auto root = static_cast<std::int32_t>(forest.root());
  for (std::size_t k = 0; k < number && search.find(root, k); ++k)
    found.add(Nth{root, static_cast<std::int32_t>(k)}, choose);
  return found;
}

}  // namespace tricolore::graphs::forests
