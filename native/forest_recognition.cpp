#include "forest_recognition.hpp"

#include <algorithm>
#include <compare>
#include <limits>
#include <string>
#include <utility>

#include "interruption.hpp"
#include "processors.hpp"

namespace tricolore::graphs::forests {

namespace {

constexpr double nowhere = -std::numeric_limits<double>::infinity();

// to[i] = max(to[i], from[i] + added).
TRICOLORE_FOR_EACH_PROCESSOR void lift(double* to, const double* from, double added, std::size_t size) {
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
