#include "lattice_rescoring.hpp"

#include <algorithm>
#include <stdexcept>

#include "interruption.hpp"
#include "ngram_tree.hpp"

namespace tricolore::graphs::lattices {

namespace {

// Aho & Corasick (1975): after some words it stands at the longest of their ends that begins an n-gram and may be
// continued. All other histories are worth the same from there on.
class NgramAutomaton {
 public:
  explicit NgramAutomaton(const WeightedNgrams& ngrams) {
    std::vector<double> own{0.0};
    for (std::size_t g = 0; g < ngrams.values.size(); ++g) {
      std::int32_t node = 0;
      for (auto k = ngrams.starts[g]; k < ngrams.starts[g + 1]; ++k) node = ngrams_.child(node, ngrams.words[k]);
      own.resize(ngrams_.size(), 0.0);
      own[node] += ngrams.values[g];
    }
    link(own);
  }

  struct Move {
    std::int32_t history;
    double worth;
  };

  Move read(std::int32_t history, std::int32_t word) {
    while (true) {
      const auto longer = ngrams_.find(history, word);
      if (longer != NgramTree::none) return {kept_[longer], worth_[longer]};
      if (history == 0) return {0, 0.0};
      history = suffix_[history];
    }
  }

 private:
  // Shorter ones first: where each node goes if its first word is forgotten.
  void link(const std::vector<double>& own) {
    const auto size = static_cast<std::int32_t>(ngrams_.size());
    std::vector<std::int32_t> order(size);
    for (std::int32_t node = 0; node < size; ++node) order[node] = node;
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return ngrams_.length(a) < ngrams_.length(b); });
    std::vector<std::uint8_t> continued(size);
    for (std::int32_t node = 1; node < size; ++node) continued[ngrams_.before(node)] = 1;
    suffix_.assign(size, 0);
    kept_.assign(size, 0);
    worth_ = own;
    for (const auto node : order) {
      if (node == 0) continue;
      auto shorter = ngrams_.before(node);
      while (shorter != 0) {
        shorter = suffix_[shorter];
        const auto found = ngrams_.find(shorter, ngrams_.last(node));
        if (found != NgramTree::none) {
          suffix_[node] = found;
          break;
        }
      }
      worth_[node] += worth_[suffix_[node]];
      kept_[node] = continued[node] ? node : kept_[suffix_[node]];
    }
  }

  NgramTree ngrams_;
  std::vector<std::int32_t> suffix_;  // the longest proper end that is a node
  std::vector<std::int32_t> kept_;    // the longest end, itself included, that some n-gram continues
  std::vector<double> worth_;         // of all n-grams that end here
};

}  // namespace

SplitLattice split_by_ngrams(const LatticeView& lattice, const WeightedNgrams& ngrams, double word, std::size_t limit) {
  NgramAutomaton automaton(ngrams);
  const std::size_t states = lattice.states();
  std::vector<std::vector<std::int32_t>> histories(states);  // of each state, in the end sorted
  std::vector<std::size_t> numbers(states + 1);              // of the first split state
  std::vector<std::int32_t> target_histories;
  SplitLattice split;
  histories[0] = {0};
  std::size_t a = 0;
  for (std::size_t s = 0; s < states; ++s) {
    check_interrupt();
    auto& here = histories[s];
    std::sort(here.begin(), here.end());
    here.erase(std::unique(here.begin(), here.end()), here.end());
    here.shrink_to_fit();
    numbers[s + 1] = numbers[s] + here.size();
    auto end = a;
    while (end < lattice.arcs() && static_cast<std::size_t>(lattice.sources[end]) == s) ++end;
    if (split.sources.size() + here.size() * (end - a) > limit) throw std::overflow_error("too many arcs");
    for (std::size_t k = 0; k < here.size(); ++k) {
      split.state_of.push_back(static_cast<std::int32_t>(s));
      for (auto arc = a; arc < end; ++arc) {
        const auto label = lattice.labels[arc];
        auto move = NgramAutomaton::Move{here[k], 0.0};
        if (label != no_word) {
          move = automaton.read(here[k], label);
          move.worth += word;
        }
        histories[lattice.targets[arc]].push_back(move.history);
        target_histories.push_back(move.history);
        split.sources.push_back(static_cast<std::int32_t>(numbers[s] + k));
        split.arc_of.push_back(static_cast<std::int32_t>(arc));
        split.worth.push_back(move.worth);
      }
    }
    a = end;
  }
  split.targets.resize(split.sources.size());
  for (std::size_t k = 0; k < split.targets.size(); ++k) {
    const auto target = static_cast<std::size_t>(lattice.targets[split.arc_of[k]]);
    const auto& there = histories[target];
    const auto at = std::lower_bound(there.begin(), there.end(), target_histories[k]) - there.begin();
    split.targets[k] = static_cast<std::int32_t>(numbers[target] + static_cast<std::size_t>(at));
  }
  return split;
}

}  // namespace tricolore::graphs::lattices
