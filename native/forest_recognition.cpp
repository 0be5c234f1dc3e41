#include "forest_recognition.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <string>
#include <utility>

#include "forest_automaton.hpp"
#include "interruption.hpp"

namespace tricolore::graphs::forests {

namespace {

using namespace recognition;

class Oracle {
 public:
  Oracle(const ForestView& forest, const WordTokens& tokens, std::span<const std::int32_t> reference,
         counting::Recognition how, std::size_t limit)
      : forest_(forest),
        edges_(forest),
        tokens_(tokens),
        automaton_(how, reference, types_of(tokens, reference)),
        ends_(find_ends(limit)),
        values_(automaton_, ends_, limit) {
    check_work();
    find_values();
    find_empty();
  }

  Recognised best() {
    choose_ends();
    mark();
    find_scores();
    Recognised found{0.0, {}};
    found.derivation.add(choose_root(), [&](const Pick& pick, std::vector<Pick>& tails) { return trace(pick, tails); });
    found.weight = weight_of(found.derivation);
    return found;
  }

 private:
  // A way through a node, from state to state; or the best way without a token.
  static constexpr std::int32_t without = -1;
  struct Way {
    std::int32_t from, to;
    auto operator<=>(const Way&) const = default;
  };
  struct Pick {
    std::int32_t node;
    Way way;
  };

  static std::uint32_t types_of(const WordTokens& tokens, std::span<const std::int32_t> reference) {
    std::int32_t highest = -1;
    for (const auto id : tokens.ids) highest = std::max(highest, id);
    for (const auto id : reference) highest = std::max(highest, id);
    return static_cast<std::uint32_t>(highest + 1);
  }

  void set_steps(std::size_t edge) {
    steps_.clear();
    for (const auto item : forest_.right(edge)) {
      if (item < 0) {
        steps_.push_back({true, ~item});
      } else {
        for (const auto token : tokens_.of(item)) steps_.push_back({false, token});
      }
    }
  }

  std::vector<Ends> find_ends(std::size_t limit) {
    const std::size_t size = automaton_.length();
    Values::check_room(forest_.nodes, size, limit);
    std::vector<Ends> found(forest_.nodes);
    for (std::size_t node = 0; node < forest_.nodes; ++node) {
      if (node % 1024 == 0) check_interrupt();
      auto& of_node = found[node];
      of_node.begins.resize(size);
      of_node.ends.resize(size);
      for (std::size_t e = edges_.begin(node); e < edges_.end(node); ++e) {
        set_steps(e);
        // Adds what steps can begin or end with, as long as those before them can be empty.
        const auto gather = [&](auto begin, auto end, auto which) {
          for (auto step = begin; step != end; ++step) {
            if (!step->is_node) {
              for (const auto i : automaton_.occurrences(step->number)) (of_node.*which)[i] = true;
              of_node.some = true;
              return false;
            }
            const auto& below = found[step->number];
            for (std::size_t i = 0; i < size; ++i) {
              if ((below.*which)[i]) (of_node.*which)[i] = true;
            }
            of_node.some = of_node.some || below.some;
            if (!below.empty) return false;
          }
          return true;
        };
        if (gather(steps_.begin(), steps_.end(), &Ends::begins)) of_node.empty = true;
        gather(steps_.rbegin(), steps_.rend(), &Ends::ends);
      }
    }
    return found;
  }

  // About how long it will take: each node on a right-hand side is multiplied by what comes before it.
  void check_work() const {
    constexpr double most = 2e12;  // some minutes
    const auto length = static_cast<double>(automaton_.positions());
    double steps = 0.0;
    for (std::size_t e = 0; e < forest_.edges(); ++e) {
      for (const auto item : forest_.right(e)) steps += item < 0 ? 1.0 : 0.0;
    }
    if (steps * length * length * length / 6 > most)
      throw std::overflow_error("it would take too long to recognise it by a reference of " +
                                std::to_string(automaton_.length()) +
                                " tokens; expected a smaller forest or a shorter reference");
  }

  void find_values() {
    for (std::size_t node = 0; node < forest_.nodes; ++node) {
      if (!ends_[node].some) continue;
      const bool is_root = node == forest_.root();
      for (std::size_t e = edges_.begin(node); e < edges_.end(node); ++e) {
        check_interrupt();
        set_steps(e);
        for (std::size_t i = 0; i < (is_root ? 1 : automaton_.positions()); ++i) {
          for (std::size_t m = 0; m < automaton_.runs() && m <= i; ++m) {
            if (!values_.has_row(node, i, m)) continue;
            go(automaton_.state(i, m));
            const double* last = values_of(steps_.size());
            double* row = values_.row(node, i, m);
            for (std::size_t j = i; j < automaton_.positions(); ++j) row[j - i] = std::max(row[j - i], last[j]);
            row += automaton_.positions() - i;
            for (const auto column : values_.columns(node)) *row = std::max(*row, last[column]), ++row;
          }
        }
      }
    }
  }

  // The values of states before each step and after the last, from a state; ways on which nothing has been read yet
  // are apart.
  void go(std::size_t from) {
    const std::size_t states = automaton_.states(), first = automaton_.position(from);
    from_ = from;
    after_.resize((steps_.size() + 1) * states);
    empty_.assign(steps_.size() + 1, false);
    clear(values_of(0), first);
    empty_[0] = true;
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      double* after = values_of(k + 1);
      clear(after, first);
      if (steps_[k].is_node) {
        go_through(steps_[k].number, k, first, after);
        empty_[k + 1] = empty_[k] && ends_[steps_[k].number].empty;
      } else {
        automaton_.read(steps_[k].number, before(k), first, after);
      }
    }
  }

  double* values_of(std::size_t k) { return after_.data() + k * automaton_.states(); }
  void clear(double* values, std::size_t first) const {
    for (std::size_t m = 0; m < automaton_.runs(); ++m)
      std::fill(values + automaton_.state(first, m), values + automaton_.state(automaton_.length(), m) + 1, nowhere);
  }
  // The values before a step, with the ways on which nothing has been read.
  const double* before(std::size_t k) {
    if (!empty_[k]) return values_of(k);
    const double* values = values_of(k);
    joined_.assign(values, values + automaton_.states());
    joined_[from_] = std::max(joined_[from_], 0.0);
    return joined_.data();
  }

  void go_through(std::size_t node, std::size_t k, std::size_t first, double* after) {
    const double* values = values_of(k);
    if (ends_[node].some) {
      const auto columns = values_.columns(node);
      running_.assign(columns.size(), nowhere);
      const auto enter = [&](std::size_t i, std::size_t m, double value) {
        const double* row = values_.row(node, i, m);
        lift(after + i, row, value, automaton_.positions() - i);
        lift(running_.data(), row + (automaton_.positions() - i), value, columns.size());
      };
      if (empty_[k]) enter(automaton_.position(from_), automaton_.run(from_), 0.0);
      for (std::size_t i = first; k > 0 && i < automaton_.positions(); ++i) {
        double value = values[i];
        for (std::size_t m = 1; m < automaton_.runs(); ++m) {
          const double of_run = values[automaton_.state(i, m)];
          if (of_run == nowhere) continue;
          if (values_.has_row(node, i, m)) {
            enter(i, m, of_run);
          } else {
            value = std::max(value, of_run);
          }
        }
        if (value != nowhere) enter(i, 0, value);
      }
      for (std::size_t c = 0; c < columns.size(); ++c) after[columns[c]] = std::max(after[columns[c]], running_[c]);
    }
    if (!ends_[node].empty) return;
    for (std::size_t m = 0; m < automaton_.runs(); ++m)
      lift(after + automaton_.state(first, m), values + automaton_.state(first, m), 0.0,
           automaton_.positions() - first);
  }

  // The best score of a node without tokens, and the edge.
  void find_empty() {
    empty_scores_.assign(forest_.nodes, nowhere);
    empty_edges_.resize(forest_.nodes);
    for (std::size_t node = 0; node < forest_.nodes; ++node) {
      if (!ends_[node].empty) continue;
      for (std::size_t e = edges_.begin(node); e < edges_.end(node); ++e) {
        double score = forest_.scores[e];
        for (const auto item : forest_.right(e)) {
          if (item < 0) {
            score += empty_scores_[~item];
          } else if (!tokens_.of(item).empty()) {
            score = nowhere;
          }
        }
        if (score <= empty_scores_[node]) continue;
        empty_scores_[node] = score;
        empty_edges_[node] = static_cast<std::int32_t>(e);
      }
    }
  }

  // The states in which the best derivations leave the root.
  void choose_ends() {
    best_ = ends_[forest_.root()].empty ? automaton_.end(0) : nowhere;
    const auto value = [&](std::size_t state) {
      return values_.value(forest_.root(), 0, state) + automaton_.end(state);
    };
    for (std::size_t s = 0; s < automaton_.states(); ++s) best_ = std::max(best_, value(s));
    wanted_.resize(forest_.nodes);
    for (std::size_t s = 0; s < automaton_.states(); ++s) {
      if (value(s) == best_) wanted_[forest_.root()].push_back({0, static_cast<std::int32_t>(s)});
    }
  }

  // From the top: all ways through nodes that are part of a best way.
  void mark() {
    for (std::size_t node = forest_.nodes; node-- > 0;) {
      auto& ways = wanted_[node];
      std::sort(ways.begin(), ways.end());
      ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
      each_best_edge(node, [&](std::size_t, std::span<const Way>) {
        for (const auto& [step, way] : passed_) wanted_[step].push_back(way);
      });
    }
  }

  // From below: the best score of each such way.
  void find_scores() {
    scores_.resize(forest_.nodes);
    for (std::size_t node = 0; node < forest_.nodes; ++node) {
      scores_[node].assign(wanted_[node].size(), nowhere);
      each_best_edge(node, [&](std::size_t edge, std::span<const Way> ways) {
        add_scores(edge);
        for (const auto& way : ways) {
          double& best = scores_[node][&way - wanted_[node].data()];
          if (values_of(steps_.size())[way.to] == values_.value(node, way.from, way.to))
            best = std::max(best, scores_of(steps_.size())[way.to]);
        }
      });
    }
  }

  // For every state on entry and every edge that is on a best way from there: what is done with the edge and the ways
  // wanted from that state. The states of the edge that are on such ways are marked, and the ways passed through nodes.
  template <class Use>
  void each_best_edge(std::size_t node, Use&& use) {
    const auto& all = wanted_[node];
    for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
      while (end < all.size() && all[end].from == all[begin].from) ++end;
      const std::span<const Way> ways(all.data() + begin, end - begin);
      for (std::size_t e = edges_.begin(node); e < edges_.end(node); ++e) {
        check_interrupt();
        if (mark_edge(node, e, ways)) use(e, ways);
      }
    }
  }

  bool mark_edge(std::size_t node, std::size_t edge, std::span<const Way> ways) {
    const std::size_t states = automaton_.states();
    set_steps(edge);
    go(ways.front().from);
    passed_.clear();
    marked_.assign((steps_.size() + 1) * states, false);
    bool any = false;
    for (const auto& way : ways) {
      if (values_of(steps_.size())[way.to] != values_.value(node, way.from, way.to)) continue;
      marked_[steps_.size() * states + way.to] = any = true;
    }
    for (std::size_t k = steps_.size(); any && k-- > 0;) {
      for (std::size_t s = 0; s < states; ++s) {
        if (!marked_[(k + 1) * states + s]) continue;
        each_way_in(k, s, [&](std::int32_t source, std::int32_t through) {
          if (source != without) marked_[k * states + source] = true;
          if (through != without) passed_.push_back({steps_[k].number, {through, static_cast<std::int32_t>(s)}});
        });
      }
    }
    return any;
  }

  // All ways by which step k leads to its best value of a state: from which state (`without`: nothing has been read
  // before), and on which row through a node (`without`: through a node without tokens, or it is a token).
  template <class Found>
  void each_way_in(std::size_t k, std::size_t target, Found&& found) {
    const double value = values_of(k + 1)[target];
    const auto& step = steps_[k];
    const std::size_t first = automaton_.position(from_);
    if (!step.is_node) {
      const double* values = values_of(k);
      automaton_.sources(step.number, before(k), first, target, value, [&](std::size_t state) {
        if (empty_[k] && state == from_ && joined_[state] == 0.0) found(without, without);
        if (values[state] != nowhere && (!empty_[k] || values[state] == joined_[state]))
          found(static_cast<std::int32_t>(state), without);
      });
      return;
    }
    const auto node = static_cast<std::size_t>(step.number);
    const double* values = values_of(k);
    if (empty_[k] && values_.value(node, from_, target) == value)
      found(without, static_cast<std::int32_t>(values_.entry(node, from_)));
    for (std::size_t m = 0; m < automaton_.runs(); ++m) {
      for (std::size_t i = first; i <= automaton_.position(target); ++i) {
        const std::size_t state = automaton_.state(i, m);
        if (values[state] == nowhere || values[state] + values_.value(node, state, target) != value) continue;
        found(static_cast<std::int32_t>(state), static_cast<std::int32_t>(values_.entry(node, state)));
      }
    }
    if (ends_[node].empty && values[target] == value) found(static_cast<std::int32_t>(target), without);
  }

  // The best score of the ways to each marked state of an edge; where nothing has been read, of what was passed.
  void add_scores(std::size_t edge) {
    const std::size_t states = automaton_.states();
    edge_scores_.assign((steps_.size() + 1) * states, nowhere);
    unread_scores_.assign(steps_.size() + 1, forest_.scores[edge]);
    for (std::size_t k = 0; k < steps_.size(); ++k) {
      if (empty_[k + 1]) unread_scores_[k + 1] = unread_scores_[k] + empty_scores_[steps_[k].number];
      for (std::size_t s = 0; s < states; ++s) {
        if (!marked_[(k + 1) * states + s]) continue;
        double& best = scores_of(k + 1)[s];
        each_way_in(k, s, [&](std::int32_t source, std::int32_t through) {
          best = std::max(best, score_by(k, s, source, through));
        });
      }
    }
  }

  double* scores_of(std::size_t k) { return edge_scores_.data() + k * automaton_.states(); }

  double score_by(std::size_t k, std::size_t target, std::int32_t source, std::int32_t through) {
    const double score = source == without ? unread_scores_[k] : scores_of(k)[source];
    const auto& step = steps_[k];
    if (!step.is_node) return score;
    if (through == without) return score + empty_scores_[step.number];
    return score + score_of(step.number, {through, static_cast<std::int32_t>(target)});
  }

  double score_of(std::size_t node, Way way) const {
    const auto& ways = wanted_[node];
    return scores_[node][std::lower_bound(ways.begin(), ways.end(), way) - ways.begin()];
  }

  Pick choose_root() const {
    const auto root = static_cast<std::int32_t>(forest_.root());
    Pick best{root, {without, without}};
    double highest = ends_[root].empty && automaton_.end(0) == best_ ? empty_scores_[root] : nowhere;
    for (std::size_t w = 0; w < wanted_[root].size(); ++w) {
      if (scores_[root][w] <= highest) continue;
      highest = scores_[root][w];
      best.way = wanted_[root][w];
    }
    return best;
  }

  // The first edge by which a way through a node has its value and its score, and the ways below.
  std::int32_t trace(const Pick& pick, std::vector<Pick>& tails) {
    if (pick.way.from == without) {
      const auto edge = empty_edges_[pick.node];
      for (const auto item : forest_.right(edge)) {
        if (item < 0) tails.push_back({~item, {without, without}});
      }
      return edge;
    }
    const double score = score_of(pick.node, pick.way);
    for (std::size_t e = edges_.begin(pick.node);; ++e) {
      if (!mark_edge(pick.node, e, {&pick.way, 1})) continue;
      add_scores(e);
      if (scores_of(steps_.size())[pick.way.to] != score) continue;
      trace_back(pick.way.to, tails);
      return static_cast<std::int32_t>(e);
    }
  }

  void trace_back(std::int32_t state, std::vector<Pick>& tails) {
    for (std::size_t k = steps_.size(); k-- > 0;) {
      Way through{without, without};
      if (state != without) {
        const auto target = state;
        bool done = false;
        each_way_in(k, target, [&](std::int32_t source, std::int32_t by) {
          if (done || score_by(k, target, source, by) != scores_of(k + 1)[target]) return;
          done = true;
          state = source;
          if (by != without) through = {by, target};
        });
      }
      if (steps_[k].is_node) tails.push_back({steps_[k].number, through});
    }
    std::reverse(tails.begin(), tails.end());
  }

  // As it is counted for any text.
  double weight_of(const Derivations& derivation) const {
    const auto yield = read_derivations(forest_, derivation.starts, derivation.edges);
    counting::RecognitionAutomaton automaton;
    automaton.set(automaton_.how(), automaton_.reference(), automaton_.types());
    std::vector<double> values(automaton.states()), next(automaton.states());
    automaton.begin(values);
    for (const auto word : yield.words) {
      check_interrupt();
      for (const auto token : tokens_.of(word)) {
        automaton.clear(next);
        automaton.read(static_cast<std::uint32_t>(token), values, next);
        automaton.skip(next);
        values.swap(next);
      }
    }
    return automaton.end(values);
  }

  const ForestView& forest_;
  NodeEdges edges_;
  const WordTokens& tokens_;
  Automaton automaton_;
  std::vector<Step> steps_;  // of the edge that is looked at
  std::vector<Ends> ends_;
  Values values_;
  std::vector<double> empty_scores_;
  std::vector<std::int32_t> empty_edges_;

  // Of the edge that is looked at, from one state on.
  std::size_t from_ = 0;
  std::vector<double> after_, joined_, running_;
  std::vector<bool> empty_, marked_;
  std::vector<std::pair<std::int32_t, Way>> passed_;
  std::vector<double> edge_scores_, unread_scores_;

  double best_ = nowhere;
  std::vector<std::vector<Way>> wanted_;     // of each node, in order
  std::vector<std::vector<double>> scores_;  // of those
};

}  // namespace

Recognised best_recognised(const ForestView& forest, const WordTokens& tokens, std::span<const std::int32_t> reference,
                           counting::Recognition how, std::size_t limit) {
  return Oracle(forest, tokens, reference, how, limit).best();
}

}  // namespace tricolore::graphs::forests
