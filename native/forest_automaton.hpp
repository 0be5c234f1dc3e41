// What forest_recognition.cpp goes through: an automaton that reads a forest part by part, and its best values.
#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "forest_recognition.hpp"
#include "processors.hpp"

namespace tricolore::graphs::forests::recognition {

constexpr double nowhere = -std::numeric_limits<double>::infinity();

// to[i] = max(to[i], from[i] + added).
TRICOLORE_FOR_EACH_PROCESSOR static void lift(double* to, const double* from, double added, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) to[i] = std::max(to[i], from[i] + added);
}

// What one step of an edge reads: a token, or all tokens of a node.
struct Step {
  bool is_node;
  std::int32_t number;
};

// The automaton of RecognitionAutomaton (grr.hpp), for graphs whose parts are read without knowing what came before: a
// part leads from any state to any other. In states (i, m) at m * positions + i:
//
// - Insertions, deletions and substitutions forget the run, and change places without changing the sum; so deletions
//   need only come right before a match, or at the very end.
// - A run of matches that is under way on entry, m > 0, matters only to parts that can begin with r[i]. For all others,
//   (i, m) leads wherever (i, 0) does. In the same way a run is under way on leaving only where a part can end with
//   r[i - 1]. Such positions are few. i never falls.
class Automaton {
 public:
  Automaton(counting::Recognition how, std::span<const std::int32_t> reference, std::uint32_t types)
      : how_(how), size_(reference.size()), types_(types) {
    runs_ = std::min(static_cast<std::size_t>(how.order), size_ + 1);
    reference_.assign(reference.begin(), reference.end());
    occurrences_.set(reference_, types);
    best_.resize(positions());
    deleted_.resize(positions());
  }

  std::size_t length() const { return size_; }
  std::size_t positions() const { return size_ + 1; }
  std::size_t runs() const { return runs_; }
  std::size_t states() const { return positions() * runs_; }
  std::size_t position(std::size_t state) const { return state % positions(); }
  std::size_t run(std::size_t state) const { return state / positions(); }
  std::size_t state(std::size_t position, std::size_t run) const { return run * positions() + position; }
  std::span<const std::uint32_t> occurrences(std::int32_t token) const { return occurrences_.of(token); }
  const counting::Recognition& how() const { return how_; }
  std::span<const std::uint32_t> reference() const { return reference_; }
  std::uint32_t types() const { return types_; }

  // Values of states after a token, given those before it, from a position on.
  void read(std::int32_t token, const double* before, std::size_t from, double* after) {
    look_at(before, from);
    after[from] = best_[from] - how_.alpha;
    for (std::size_t i = from + 1; i <= size_; ++i) after[i] = std::max(best_[i] - how_.alpha, best_[i - 1]);
    for (const auto i : occurrences_.of(token)) {
      if (i < from) continue;
      for (std::size_t m = 0; m < runs_; ++m) {
        double& value = after[state(i + 1, longer(m))];
        value = std::max(value, before[state(i, m)] + static_cast<double>(m + 1));
      }
      double& value = after[state(i + 1, longer(0))];
      value = std::max(value, deleted_[i] + 1.0);
    }
  }

  // All states from which reading a token leads to a value that has been found.
  template <class Found>
  void sources(std::int32_t token, const double* before, std::size_t from, std::size_t target, double value,
               Found&& found) {
    look_at(before, from);
    const std::size_t j = position(target), k = run(target);
    const auto all_best = [&](std::size_t i) {
      for (std::size_t m = 0; m < runs_; ++m) {
        if (before[state(i, m)] == best_[i]) found(state(i, m));
      }
    };
    if (k == 0) {
      if (best_[j] - how_.alpha == value) all_best(j);
      if (j > from && best_[j - 1] == value) all_best(j - 1);
    }
    if (j == 0 || j - 1 < from || reference_[j - 1] != static_cast<std::uint32_t>(token)) return;
    const std::size_t i = j - 1;
    for (std::size_t m = 0; m < runs_; ++m) {
      if (longer(m) == k && before[state(i, m)] + static_cast<double>(m + 1) == value) found(state(i, m));
    }
    if (longer(0) != k || deleted_[i] + 1.0 != value) return;
    for (std::size_t d = i; d > from; --d) {
      if (best_[d - 1] - how_.beta == deleted_[d]) all_best(d - 1);
      if (deleted_[d - 1] - how_.beta != deleted_[d]) break;
    }
  }

  // What it is worth to end in a state.
  double end(std::size_t state) const { return -how_.beta * static_cast<double>(size_ - position(state)); }

 private:
  std::size_t longer(std::size_t m) const { return std::min(m + 1, runs_ - 1); }

  // The best value of each position, whatever the run; and with at least one deletion that leads there.
  void look_at(const double* before, std::size_t from) {
    for (std::size_t i = from; i <= size_; ++i) best_[i] = before[i];
    for (std::size_t m = 1; m < runs_; ++m) {
      for (std::size_t i = from; i <= size_; ++i) best_[i] = std::max(best_[i], before[state(i, m)]);
    }
    deleted_[from] = nowhere;
    for (std::size_t i = from + 1; i <= size_; ++i) deleted_[i] = std::max(deleted_[i - 1], best_[i - 1]) - how_.beta;
  }

  counting::Recognition how_;
  std::size_t size_, runs_ = 1;
  std::uint32_t types_;
  std::vector<std::uint32_t> reference_;
  Occurrences occurrences_;
  std::vector<double> best_, deleted_;
};

// What is known of a node before any value: whether it can be read without a token, or with some; and the positions of
// the reference where its first and its last token can match.
struct Ends {
  bool empty = false, some = false;
  std::vector<bool> begins, ends;
};

// The best values of the ways from state to state through each node. Of a node there is a row for every (i, 0), and for
// (i, m) where the node can begin with r[i]. The row of (i, m) has a column for each (j, 0) with j >= i, and for all
// (j, k) with k > 0 where the node can end with r[j - 1].
class Values {
 public:
  Values(const Automaton& automaton, const std::vector<Ends>& ends, std::size_t limit) : automaton_(automaton) {
    const std::size_t size = automaton.length();
    entries_.resize(ends.size() * size);
    bases_.push_back(0);
    column_starts_.push_back(0);
    for (std::size_t node = 0; node < ends.size(); ++node) {
      const auto& of_node = ends[node];
      for (std::size_t j = 1; j <= size && of_node.some; ++j) {
        for (std::size_t k = 1; of_node.ends[j - 1] && k < automaton.runs() && k <= j; ++k)
          columns_.push_back(static_cast<std::int32_t>(automaton.state(j, k)));
      }
      column_starts_.push_back(columns_.size());
      std::size_t cells = of_node.some ? dense_row(node, size + 1) : 0;
      for (std::size_t i = 0; i < size && of_node.some; ++i) {
        if (!of_node.begins[i] || std::min(i, automaton.runs() - 1) == 0) continue;
        entries_[node * size + i] = cells;
        cells += std::min(i, automaton.runs() - 1) * width(node, i);
      }
      bases_.push_back(bases_.back() + cells);
      if (bases_.back() > limit)
        refuse(static_cast<double>(bases_.back()) / static_cast<double>(node + 1) * static_cast<double>(ends.size()));
    }
    cells_.assign(bases_.back(), nowhere);
  }

  // Refuses what is too much in any case.
  static void check_room(std::size_t nodes, std::size_t length, std::size_t limit) {
    const double cells =
        0.5 * static_cast<double>(length + 1) * static_cast<double>(length + 2) * static_cast<double>(nodes);
    if (cells > static_cast<double>(limit)) refuse(cells);
  }

  bool has_row(std::size_t node, std::size_t i, std::size_t m) const {
    return m == 0 || (i < automaton_.length() && entries_[node * automaton_.length() + i] != 0);
  }
  // The state whose row stands for this one.
  std::size_t entry(std::size_t node, std::size_t state) const {
    const std::size_t i = automaton_.position(state);
    return has_row(node, i, automaton_.run(state)) ? state : i;
  }
  const double* row(std::size_t node, std::size_t i, std::size_t m) const {
    const std::size_t offset = m > 0 && has_row(node, i, m)
                                   ? entries_[node * automaton_.length() + i] + (m - 1) * width(node, i)
                                   : dense_row(node, i);
    return cells_.data() + bases_[node] + offset;
  }
  double* row(std::size_t node, std::size_t i, std::size_t m) {
    return const_cast<double*>(std::as_const(*this).row(node, i, m));
  }
  // The states with a run under way that a node can lead to.
  std::span<const std::int32_t> columns(std::size_t node) const {
    return std::span(columns_).subspan(column_starts_[node], column_starts_[node + 1] - column_starts_[node]);
  }
  double value(std::size_t node, std::size_t from, std::size_t to) const {
    const std::size_t i = automaton_.position(from), j = automaton_.position(to);
    if (j < i || bases_[node] == bases_[node + 1]) return nowhere;
    const double* cells = row(node, i, automaton_.run(from));
    if (automaton_.run(to) == 0) return cells[j - i];
    const auto all = columns(node);
    const auto it = std::find(all.begin(), all.end(), static_cast<std::int32_t>(to));
    return it == all.end() ? nowhere : cells[automaton_.positions() - i + (it - all.begin())];
  }

 private:
  [[noreturn]] static void refuse(double cells) {
    throw std::overflow_error("about " + std::to_string(static_cast<std::uint64_t>(cells)) +
                              " numbers would have to be kept; expected a smaller forest or a shorter reference");
  }
  std::size_t width(std::size_t node, std::size_t i) const { return automaton_.positions() - i + columns(node).size(); }
  // Where the row of (i, 0) begins: each row before it is shorter by one.
  std::size_t dense_row(std::size_t node, std::size_t i) const {
    return i * (automaton_.positions() + columns(node).size()) - i * (i - (i > 0)) / 2;
  }

  const Automaton& automaton_;
  std::vector<std::size_t> entries_;  // nodes x length: where the rows of (i, 1) and on begin, if there are any
  std::vector<std::size_t> bases_, column_starts_;
  std::vector<std::int32_t> columns_;
  std::vector<double> cells_;
};

}  // namespace tricolore::graphs::forests::recognition
