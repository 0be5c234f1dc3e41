#include "lattice_paths.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <queue>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "interruption.hpp"
#include "lattice_sums.hpp"

namespace tricolore::graphs::lattices {

void Paths::finish(const LatticeView& lattice) {
  const auto begin = static_cast<std::size_t>(starts.back());
  double score = lattice.finals[begin == arcs.size() ? 0 : lattice.targets[arcs.back()]];
  for (auto k = arcs.size(); k-- > begin;) score = lattice.scores[arcs[k]] + score;
  scores.push_back(score);
  starts.push_back(static_cast<std::int64_t>(arcs.size()));
}

Paths best_path(const LatticeView& lattice) {
  const OutArcs out(lattice);
  const auto ahead = best_ahead(lattice, out);
  Paths paths;
  for (std::size_t state = 0; lattice.finals[state] != ahead[state];) {
    auto a = out.begin(state);
    while (lattice.scores[a] + ahead[lattice.targets[a]] != ahead[state]) ++a;
    paths.arcs.push_back(static_cast<std::int32_t>(a));
    state = lattice.targets[a];
  }
  paths.finish(lattice);
  return paths;
}

namespace {

// The best texts first. What a path loses at each state against the best way on from there is never negative and adds
// up to how far it is behind the best path; so the loss of a beginning is also that of the best way to complete it, and
// a search that always takes up the beginning with the least loss never takes up one in vain. A beginning of a text is
// all states that it may lead to, each with the least loss (determinisation on the fly, Mohri & Riley 2002), so that it
// does not matter how many paths have the same text.
class BestFirst {
 public:
  BestFirst(const LatticeView& lattice, bool distinct, std::size_t limit, std::size_t most_arcs)
      : lattice_(lattice),
        out_(lattice),
        ahead_(best_ahead(lattice, out_)),
        distinct_(distinct),
        limit_(limit),
        most_arcs_(most_arcs),
        step_of_(lattice.states(), none),
        has_empty_(lattice.states()) {
    std::int32_t labels = 0;
    for (std::size_t a = 0; a < lattice.arcs(); ++a) {
      labels = std::max(labels, label(a) + 1);
      if (label(a) == no_word) has_empty_[lattice.sources[a]] = 1;
    }
    option_of_.assign(static_cast<std::size_t>(labels) + 1, none);
  }

  Paths find(std::size_t number) {
    if (number == 0) return {};
    number_ = number;
    steps_.push_back({0.0, 0, -1, none, 0});
    step_of_[0] = 0;
    follow_empty(0);
    complete(add_prefix(0));
    while (found_.size() < number_ && !open_.empty()) {
      const Open next = *open_.begin();
      open_.erase(open_.begin());
      if (next.label == over)
        add(options(next.prefix)[option_of(over)].step);
      else
        complete(read(next.prefix, next.label));
    }
    return sorted();
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFF;
  static constexpr std::int32_t over = -2;  // the label of an end

  // A state at the end of a path: the last arc of the path and the step before it.
  struct Step {
    double loss;
    std::int32_t state, arc;
    std::uint32_t before, depth;
  };
  // A beginning of a text: its steps, one a state.
  struct Prefix {
    std::uint32_t begin, end;
  };
  // A prefix and the word that it might be continued with, or that it ends.
  struct Open {
    double loss;
    std::uint64_t number;
    std::uint32_t prefix;
    std::int32_t label;
    bool operator<(const Open& other) const { return std::tie(loss, number) < std::tie(other.loss, other.number); }
  };
  // The best way to continue with a label: a step and an arc from there, or -1 for the end.
  struct Option {
    double loss;
    std::int32_t label;
    std::uint32_t step;
    std::int32_t arc;
  };

  std::int32_t label(std::size_t arc) const {
    return distinct_ ? lattice_.labels[arc] : static_cast<std::int32_t>(arc);
  }
  double loss(std::size_t arc) const {
    return ahead_[lattice_.sources[arc]] - (lattice_.scores[arc] + ahead_[lattice_.targets[arc]]);
  }

  // Goes on from a prefix in the best way until there is a text; other ways are kept for later.
  void complete(std::uint32_t prefix) {
    while (true) {
      check_interrupt();
      const auto& ways = options(prefix);
      const Option* best = &ways[0];
      for (const Option& way : ways)
        if (precedes(way, *best)) best = &way;
      for (const Option& way : ways) {
        if (&way == best || way.loss > most_loss_) continue;
        open_.insert({way.loss, counter_++, prefix, way.label});
        keep_what_is_needed();
      }
      if (best->label == over) return add(best->step);
      prefix = read(prefix, best->label);
    }
  }

  // All that is open leads to a text that loses no more, so that no more are needed than are asked for, and nothing
  // that loses more than the last of them.
  void keep_what_is_needed() {
    const std::size_t needed = number_ - found_.size();
    if (open_.size() > needed) open_.erase(std::prev(open_.end()));
    if (open_.size() == needed) most_loss_ = std::prev(open_.end())->loss;
  }

  // All ways to continue a prefix, in the order in which they are met.
  const std::vector<Option>& options(std::uint32_t prefix) {
    for (const Option& way : options_) option_of_[slot(way.label)] = none;
    options_.clear();
    for (auto step = prefixes_[prefix].begin; step < prefixes_[prefix].end; ++step) {
      const auto state = static_cast<std::size_t>(steps_[step].state);
      if (lattice_.finals[state] > -std::numeric_limits<double>::infinity())
        offer({steps_[step].loss + (ahead_[state] - lattice_.finals[state]), over, step, -1});
      for (auto a = out_.begin(state); a < out_.end(state); ++a)
        if (label(a) != no_word) offer({steps_[step].loss + loss(a), label(a), step, static_cast<std::int32_t>(a)});
    }
    return options_;
  }

  static std::size_t slot(std::int32_t label) { return label == over ? 0 : static_cast<std::size_t>(label) + 1; }
  std::uint32_t option_of(std::int32_t label) const { return option_of_[slot(label)]; }

  void offer(const Option& way) {
    auto& at = option_of_[slot(way.label)];
    if (at == none) {
      at = static_cast<std::uint32_t>(options_.size());
      options_.push_back(way);
    } else if (precedes(way, options_[at])) {
      options_[at] = way;
    }
  }

  // The prefix continued by a word.
  std::uint32_t read(std::uint32_t prefix, std::int32_t word) {
    const auto begin = static_cast<std::uint32_t>(steps_.size());
    for (auto step = prefixes_[prefix].begin; step < prefixes_[prefix].end; ++step) {
      const auto state = static_cast<std::size_t>(steps_[step].state);
      for (auto a = out_.begin(state); a < out_.end(state); ++a)
        if (label(a) == word) reach(step, a);
    }
    follow_empty(begin);
    return add_prefix(begin);
  }

  // A step along an arc, unless there is one to the same state that is as good.
  void reach(std::uint32_t before, std::size_t arc) {
    const auto target = lattice_.targets[arc];
    const Step step{steps_[before].loss + loss(arc), target, static_cast<std::int32_t>(arc), before,
                    steps_[before].depth + 1};
    if (step.loss > most_loss_) return;
    auto& at = step_of_[target];
    if (at == none) {
      at = static_cast<std::uint32_t>(steps_.size());
      steps_.push_back(step);
      check_room();
    } else if (step.loss < steps_[at].loss || (step.loss == steps_[at].loss && comes_first(step, steps_[at]))) {
      steps_[at] = step;
    }
  }

  // Steps along arcs without a word, in the order of states, so that none is taken before it is the best.
  void follow_empty(std::uint32_t begin) {
    std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> states;
    for (auto step = begin; step < steps_.size(); ++step)
      if (has_empty_[steps_[step].state]) states.push(steps_[step].state);
    while (!states.empty()) {
      const auto state = static_cast<std::size_t>(states.top());
      states.pop();
      for (auto a = out_.begin(state); a < out_.end(state); ++a) {
        if (label(a) != no_word) continue;
        const auto known = steps_.size();
        reach(step_of_[state], a);
        if (steps_.size() > known && has_empty_[lattice_.targets[a]]) states.push(lattice_.targets[a]);
      }
    }
  }

  std::uint32_t add_prefix(std::uint32_t begin) {
    for (auto step = begin; step < steps_.size(); ++step) step_of_[steps_[step].state] = none;
    prefixes_.push_back({begin, static_cast<std::uint32_t>(steps_.size())});
    return static_cast<std::uint32_t>(prefixes_.size() - 1);
  }

  bool precedes(const Option& a, const Option& b) const {
    if (a.loss != b.loss) return a.loss < b.loss;
    return comes_first(as_step(a), as_step(b));
  }
  Step as_step(const Option& way) const {
    if (way.label == over) return steps_[way.step];
    return {0.0, 0, way.arc, way.step, steps_[way.step].depth + 1};
  }

  // Whether the arcs that lead to a step come before those of another: the first arc that differs decides; a path that
  // ends comes before those that go on.
  bool comes_first(Step a, Step b) const {
    const bool shorter = a.depth < b.depth;
    while (a.depth > b.depth) a = steps_[a.before];
    while (b.depth > a.depth) b = steps_[b.before];
    if (a.before == b.before && a.arc == b.arc) return shorter;
    while (a.before != b.before) {
      a = steps_[a.before];
      b = steps_[b.before];
    }
    return a.arc < b.arc;
  }

  void add(std::uint32_t step) {
    const auto begin = found_.arcs.size();
    for (; steps_[step].before != none; step = steps_[step].before) found_.arcs.push_back(steps_[step].arc);
    std::reverse(found_.arcs.begin() + static_cast<std::ptrdiff_t>(begin), found_.arcs.end());
    found_.finish(lattice_);
    if (found_.size() > 1 && found_.arcs.size() > most_arcs_)
      throw std::overflow_error("paths of more than " + std::to_string(most_arcs_) +
                                " arcs in all would have to be written down; expected fewer paths");
  }

  // Losses are rounded otherwise than scores: those that are all but equal may have to change places.
  Paths sorted() const {
    std::vector<std::size_t> order(found_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return found_.scores[a] > found_.scores[b]; });
    Paths paths;
    for (const auto k : order) {
      paths.arcs.insert(paths.arcs.end(), found_.arcs.begin() + found_.starts[k],
                        found_.arcs.begin() + found_.starts[k + 1]);
      paths.finish(lattice_);
    }
    return paths;
  }

  void check_room() const {
    if (steps_.size() > limit_)
      throw std::overflow_error("more than " + std::to_string(limit_) +
                                " beginnings of paths would have to be kept; expected a smaller lattice, fewer paths "
                                "or a higher limit");
  }

  LatticeView lattice_;
  OutArcs out_;
  std::vector<double> ahead_;
  bool distinct_;
  std::size_t limit_, most_arcs_;
  std::vector<Step> steps_;
  std::vector<Prefix> prefixes_;
  std::set<Open> open_;
  std::uint64_t counter_ = 0;
  std::size_t number_ = 0;  // how many are asked for
  double most_loss_ = std::numeric_limits<double>::infinity();
  std::vector<std::uint32_t> step_of_, option_of_;  // by state and by label, in the prefix at hand
  std::vector<std::uint8_t> has_empty_;
  std::vector<Option> options_;
  Paths found_;
};

}  // namespace

Paths best_paths(const LatticeView& lattice, std::size_t number, bool distinct, std::size_t limit,
                 std::size_t most_arcs) {
  return BestFirst(lattice, distinct, limit, most_arcs).find(number);
}

Paths drawn_paths(const LatticeView& lattice, std::span<const double> numbers, std::size_t rows) {
  const OutArcs out(lattice);
  const Walk walk = walk_of(lattice, out);
  const std::size_t columns = rows == 0 ? 0 : numbers.size() / rows;
  // The first way on whose chance, with all before it, is above the number; the last that has any if none is.
  const auto next = [&](std::size_t state, double number) {
    double sum = walk.ends[state];
    if (number < sum) return out.end(state);
    auto last = out.end(state);
    for (auto a = out.begin(state); a < out.end(state); ++a) {
      if (walk.arcs[a] > 0.0) last = a;
      sum += walk.arcs[a];
      if (number < sum) return a;
    }
    return last;
  };
  Paths paths;
  for (std::size_t row = 0; row < rows; ++row) {
    check_interrupt();
    const double* number = numbers.data() + row * columns;
    std::size_t state = 0;
    for (auto a = next(state, *number); a != out.end(state); a = next(state, *++number)) {
      paths.arcs.push_back(static_cast<std::int32_t>(a));
      state = lattice.targets[a];
    }
    paths.finish(lattice);
  }
  return paths;
}

std::size_t longest_path(const LatticeView& lattice) {
  std::vector<std::size_t> arcs(lattice.states());
  for (std::size_t a = 0; a < lattice.arcs(); ++a)
    arcs[lattice.targets[a]] = std::max(arcs[lattice.targets[a]], arcs[lattice.sources[a]] + 1);
  return *std::max_element(arcs.begin(), arcs.end());
}

}  // namespace tricolore::graphs::lattices
