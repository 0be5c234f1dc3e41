#include "lattice_recognition.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "interruption.hpp"
#include "lattice_sums.hpp"

namespace tricolore::graphs::lattices {

namespace {

constexpr double nowhere = -std::numeric_limits<double>::infinity();

using Row = std::span<double>;
using ConstRow = std::span<const double>;
using Marks = std::vector<std::uint8_t>;

// A row of the automaton's states for each state of the lattice. `values_` are the weights of the best ways there,
// found from the start on. A move is tight if it is part of one of them; `scores_` are the best scores of the lattice's
// paths from there to a best end along tight moves, found from the ends back. What was found is then read off.
class Recogniser {
 public:
  Recogniser(const LatticeView& lattice, const WordTokens& words, counting::RecognitionAutomaton& automaton)
      : lattice_(lattice),
        out_(lattice),
        words_(words),
        automaton_(automaton),
        width_(automaton.states()),
        values_(lattice.states() * width_, nowhere),
        scores_(lattice.states() * width_, nowhere),
        leads_(lattice.states()) {}

  Recognised find() {
    go_forward();
    go_back();
    return {best_, read_off()};
  }

 private:
  Row values(std::size_t state) { return {values_.data() + state * width_, width_}; }
  Row scores(std::size_t state) { return {scores_.data() + state * width_, width_}; }
  std::span<const std::uint32_t> tokens(std::size_t arc) const { return words_.of(lattice_.labels[arc]); }
  bool is_final(std::size_t state) const { return lattice_.finals[state] > nowhere; }

  void go_forward() {
    automaton_.begin(values(0));
    for (std::size_t s = 0; s < lattice_.states(); ++s) {
      check_interrupt();
      automaton_.skip(values(s));
      if (is_final(s)) best_ = std::max(best_, automaton_.end(values(s)));
      for (auto a = out_.begin(s); a < out_.end(s); ++a) {
        const Row after = values(lattice_.targets[a]);
        const ConstRow before = read_all_but_last(a);
        if (tokens(a).empty())
          std::transform(after.begin(), after.end(), before.begin(), after.begin(),
                         [](double x, double y) { return std::max(x, y); });
        else
          automaton_.read(tokens(a).back(), before, after);
      }
    }
  }

  // The values before the last token of an arc; those between tokens are kept in `between_`.
  ConstRow read_all_but_last(std::size_t arc) {
    const auto read = tokens(arc);
    ConstRow before = values(lattice_.sources[arc]);
    if (read.size() < 2) return before;
    between_.resize(std::max(between_.size(), read.size() - 1));
    for (std::size_t k = 0; k + 1 < read.size(); ++k) {
      between_[k].assign(width_, nowhere);
      automaton_.read(read[k], before, between_[k]);
      automaton_.skip(between_[k]);
      before = between_[k];
    }
    return before;
  }

  // The values before token k of an arc; before none after the last.
  ConstRow before_token(std::size_t arc, std::size_t k) {
    if (k == 0) return values(lattice_.sources[arc]);
    return k < tokens(arc).size() ? ConstRow(between_[k - 1]) : ConstRow(values(lattice_.targets[arc]));
  }

  void go_back() {
    for (std::size_t s = lattice_.states(); s-- > 0;) {
      check_interrupt();
      const Row row = scores(s);
      if (is_final(s)) {
        for (std::size_t q = 0; q < width_; ++q)
          if (is_best_end(s, q)) row[q] = lattice_.finals[s];
      }
      for (auto a = out_.begin(s); a < out_.end(s); ++a)
        if (leads_[lattice_.targets[a]]) go_back_along(a);
      go_back_by_deletions(values(s), row);
      leads_[s] = std::any_of(row.begin(), row.end(), [](double score) { return score > nowhere; });
    }
  }

  bool is_best_end(std::size_t state, std::size_t q) {
    return is_final(state) && automaton_.ends(q) && values(state)[q] == best_;
  }

  void go_back_along(std::size_t arc) {
    const auto read = tokens(arc);
    const double score = lattice_.scores[arc];
    const Row into = scores(lattice_.sources[arc]);
    const ConstRow there = scores(lattice_.targets[arc]);
    if (read.empty()) {
      const ConstRow before = before_token(arc, 0), after = values(lattice_.targets[arc]);
      for (std::size_t q = 0; q < width_; ++q)
        if (before[q] == after[q]) into[q] = std::max(into[q], score + there[q]);
      return;
    }
    read_all_but_last(arc);
    later_.assign(there.begin(), there.end());
    for (double& later : later_) later += score;
    for (auto k = read.size(); k-- > 0;) {
      const ConstRow before = before_token(arc, k), after = before_token(arc, k + 1);
      earlier_.assign(width_, nowhere);
      automaton_.each_reading(read[k], [&](std::size_t from, std::size_t to, double weight) {
        if (later_[to] > earlier_[from] && before[from] + weight == after[to]) earlier_[from] = later_[to];
      });
      if (k > 0) go_back_by_deletions(before, earlier_);
      later_.swap(earlier_);
    }
    for (std::size_t q = 0; q < width_; ++q) into[q] = std::max(into[q], later_[q]);
  }

  void go_back_by_deletions(ConstRow values, Row scores) const {
    automaton_.each_deletion(
        [&](std::size_t from, std::size_t to, double weight) {
          if (scores[to] > scores[from] && values[from] + weight == values[to]) scores[from] = scores[to];
        },
        true);
  }

  // From the start, by the first arc that leads to the best score: `here` are the automaton's states that the path so
  // far leads to in a best way, and from which that score can be had.
  std::vector<std::int32_t> read_off() {
    std::vector<std::int32_t> arcs;
    std::size_t state = 0;
    double wanted = scores(0)[0];
    Marks here(width_), there;
    here[0] = 1;
    while (true) {
      delete_from(values(state), here);
      for (std::size_t q = 0; q < width_; ++q) here[q] &= scores(state)[q] == wanted;
      if (lattice_.finals[state] == wanted && ends_in(state, here)) return arcs;
      auto a = out_.begin(state);
      double left = nowhere;
      for (; a < out_.end(state); ++a) {
        if (!leads_[lattice_.targets[a]]) continue;
        there = here;
        left = go_along(a, wanted, there);
        if (left > nowhere) break;
      }
      if (a == out_.end(state)) throw std::logic_error("a best path was lost");
      arcs.push_back(static_cast<std::int32_t>(a));
      state = lattice_.targets[a];
      here.swap(there);
      wanted = left;
    }
  }

  bool ends_in(std::size_t state, const Marks& marks) {
    for (std::size_t q = 0; q < width_; ++q)
      if (marks[q] && is_best_end(state, q)) return true;
    return false;
  }

  // Moves the marks along an arc by tight moves; returns the best score from there on of those with the score that is
  // wanted.
  double go_along(std::size_t arc, double wanted, Marks& marks) {
    const auto read = tokens(arc);
    const Row last = values(lattice_.targets[arc]);
    if (read.empty()) {
      for (std::size_t q = 0; q < width_; ++q) marks[q] &= before_token(arc, 0)[q] == last[q];
    } else {
      read_all_but_last(arc);
      for (std::size_t k = 0; k < read.size(); ++k) {
        const ConstRow before = before_token(arc, k), after = before_token(arc, k + 1);
        Marks moved(width_);
        automaton_.each_reading(read[k], [&](std::size_t from, std::size_t to, double weight) {
          if (marks[from] && before[from] + weight == after[to]) moved[to] = 1;
        });
        if (k + 1 < read.size()) delete_from(after, moved);
        marks.swap(moved);
      }
    }
    double best = nowhere;
    const ConstRow there = scores(lattice_.targets[arc]);
    for (std::size_t q = 0; q < width_; ++q)
      if (marks[q] && there[q] > nowhere && lattice_.scores[arc] + there[q] == wanted) best = std::max(best, there[q]);
    return best;
  }

  void delete_from(ConstRow values, Marks& marks) const {
    automaton_.each_deletion([&](std::size_t from, std::size_t to, double weight) {
      if (marks[from] && values[from] + weight == values[to]) marks[to] = 1;
    });
  }

  LatticeView lattice_;
  OutArcs out_;
  WordTokens words_;
  counting::RecognitionAutomaton& automaton_;
  std::size_t width_;
  std::vector<double> values_, scores_;
  std::vector<std::uint8_t> leads_;  // whether a best path may go through a state
  double best_ = nowhere;
  std::vector<std::vector<double>> between_;
  std::vector<double> later_, earlier_;
};

}  // namespace

Recognised best_recognised(const LatticeView& lattice, const WordTokens& words,
                           counting::RecognitionAutomaton& automaton) {
  return Recogniser(lattice, words, automaton).find();
}

}  // namespace tricolore::graphs::lattices
