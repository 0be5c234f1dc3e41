#include "lattice_ngrams.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "first_occurrences.hpp"
#include "interruption.hpp"
#include "lattice_sums.hpp"
#include "ngram_tree.hpp"

namespace tricolore::graphs::lattices {

namespace {

// Counts what is kept or done, and gives up where it is too much.
class Allowance {
 public:
  explicit Allowance(std::size_t limit) : limit_(limit), left_(limit) {}
  void use(std::size_t number) {
    if (number > left_)
      throw std::overflow_error("more than " + std::to_string(limit_) +
                                " steps; expected a smaller lattice, a lower order or a higher limit");
    left_ -= number;
    if ((used_ += number) >= 1 << 14) {
      used_ = 0;
      check_interrupt();
    }
  }

 private:
  std::size_t limit_, left_, used_ = 0;
};

// The next words from each state, arcs without a word passed over.
class NextWords {
 public:
  struct Next {
    std::int32_t word, target;
    double chance;
  };

  NextWords(const LatticeView& lattice, const OutArcs& out, const Walk& walk, Allowance& allowance)
      : lattice_(lattice),
        out_(out),
        walk_(walk),
        allowance_(allowance),
        known_(lattice.states()),
        chance_to_(lattice.states()),
        waits_(lattice.states()) {}

  const std::vector<Next>& of(std::int32_t state) {
    auto& found = known_[state];
    if (found.empty() && out_.begin(state) < out_.end(state)) {
      find(state, found);
      allowance_.use(found.size());
    }
    return found;
  }

 private:
  void find(std::int32_t from, std::vector<Next>& found) {
    std::priority_queue<std::int32_t, std::vector<std::int32_t>, std::greater<>> states;
    states.push(from);
    chance_to_[from] = 1.0;
    while (!states.empty()) {
      const auto state = states.top();
      states.pop();
      allowance_.use(1);
      const double chance = std::exchange(chance_to_[state], 0.0);
      waits_[state] = 0;
      for (auto a = out_.begin(state); a < out_.end(state); ++a) {
        const auto target = lattice_.targets[a];
        if (lattice_.labels[a] != no_word) {
          found.push_back({lattice_.labels[a], target, chance * walk_.arcs[a]});
          continue;
        }
        chance_to_[target] += chance * walk_.arcs[a];
        if (!waits_[target]) {
          waits_[target] = 1;
          states.push(target);
        }
      }
    }
  }

  const LatticeView& lattice_;
  const OutArcs& out_;
  const Walk& walk_;
  Allowance& allowance_;
  std::vector<std::vector<Next>> known_;
  std::vector<double> chance_to_;
  std::vector<std::uint8_t> waits_;
};

// All occurrences of n-grams of up to `order` words, one first word after another: `take(ngrams, occurrences)`, in the
// order of the states they begin in.
template <class Take>
void each_first_word(const LatticeView& lattice, const OutArcs& out, const Walk& walk, int order, Allowance& allowance,
                     Take&& take) {
  std::int32_t words = 0;
  for (const auto label : lattice.labels) words = std::max(words, label + 1);
  std::vector<std::size_t> begins(static_cast<std::size_t>(words) + 1);
  std::vector<std::int32_t> arcs(lattice.arcs());
  for (const auto label : lattice.labels)
    if (label != no_word) ++begins[label + 1];
  for (std::int32_t w = 0; w < words; ++w) begins[w + 1] += begins[w];
  auto next = begins;
  for (std::size_t a = 0; a < lattice.arcs(); ++a)
    if (lattice.labels[a] != no_word) arcs[next[lattice.labels[a]]++] = static_cast<std::int32_t>(a);

  NextWords next_words(lattice, out, walk, allowance);
  NgramTree ngrams;
  std::vector<Occurrence> found, level, longer;
  // Those that begin and end alike are one.
  const auto merge = [](std::vector<Occurrence>& all) {
    std::stable_sort(all.begin(), all.end(), [](const Occurrence& a, const Occurrence& b) {
      return a.ngram != b.ngram ? a.ngram < b.ngram : a.to < b.to;
    });
    std::size_t kept = 0;
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (kept > 0 && all[kept - 1].ngram == all[k].ngram && all[kept - 1].to == all[k].to)
        all[kept - 1].chance += all[k].chance;
      else
        all[kept++] = all[k];
    }
    all.resize(kept);
  };
  for (std::int32_t w = 0; w < words; ++w) {
    if (begins[w] == begins[w + 1]) continue;
    ngrams.clear();
    found.clear();
    const auto first = ngrams.child(0, w);
    for (auto k = begins[w]; k < begins[w + 1];) {
      const auto from = lattice.sources[arcs[k]];
      level.clear();
      for (; k < begins[w + 1] && lattice.sources[arcs[k]] == from; ++k)
        level.push_back({first, from, lattice.targets[arcs[k]], walk.arcs[arcs[k]]});
      allowance.use(level.size());
      for (int n = 1; !level.empty(); ++n) {
        merge(level);
        found.insert(found.end(), level.begin(), level.end());
        if (n == order) break;
        longer.clear();
        for (const Occurrence& before : level) {
          const auto& ways = next_words.of(before.to);
          allowance.use(ways.size());
          for (const auto& way : ways)
            longer.push_back({ngrams.child(before.ngram, way.word), from, way.target, before.chance * way.chance});
        }
        level.swap(longer);
      }
    }
    take(ngrams, std::span<const Occurrence>(found));
  }
}

}  // namespace

std::vector<NgramValues> expected_ngrams(const LatticeView& lattice, int order, std::size_t limit) {
  const OutArcs out(lattice);
  const Walk walk = walk_of(lattice, out);
  Allowance allowance(limit);
  std::vector<NgramValues> tables(static_cast<std::size_t>(order));
  std::vector<double> values;
  std::vector<std::int32_t> words;
  each_first_word(lattice, out, walk, order, allowance,
                  [&](const NgramTree& ngrams, std::span<const Occurrence> found) {
                    values.assign(ngrams.size(), 0.0);
                    for (const Occurrence& one : found) values[one.ngram] += walk.visits[one.from] * one.chance;
                    for (std::int32_t node = 1; node < static_cast<std::int32_t>(ngrams.size()); ++node) {
                      const auto n = ngrams.length(node);
                      ngrams.words(node, words);
                      tables[n - 1].keys.insert(tables[n - 1].keys.end(), words.begin(), words.end());
                      tables[n - 1].values.push_back(values[node]);
                    }
                  });
  return tables;
}

std::vector<NgramValues> ngram_posteriors(const LatticeView& lattice, int order, std::size_t limit) {
  const OutArcs out(lattice);
  const Walk walk = walk_of(lattice, out);
  Allowance allowance(limit);
  FirstOccurrences first_occurrences(lattice, out, walk);
  std::vector<NgramValues> tables(static_cast<std::size_t>(order));
  std::vector<std::size_t> begins;
  std::vector<Occurrence> grouped;
  std::vector<std::int32_t> words;
  each_first_word(
      lattice, out, walk, order, allowance, [&](const NgramTree& ngrams, std::span<const Occurrence> found) {
        begins.assign(ngrams.size() + 1, 0);
        for (const Occurrence& one : found) ++begins[one.ngram + 1];
        for (std::size_t node = 0; node < ngrams.size(); ++node) begins[node + 1] += begins[node];
        grouped.resize(found.size());
        auto next = begins;
        for (const Occurrence& one : found) grouped[next[one.ngram]++] = one;
        for (std::int32_t node = 1; node < static_cast<std::int32_t>(ngrams.size()); ++node) {
          const auto n = ngrams.length(node);
          ngrams.words(node, words);
          auto& table = tables[n - 1];
          table.keys.insert(table.keys.end(), words.begin(), words.end());
          first_occurrences.add(words, {grouped.data() + begins[node], begins[node + 1] - begins[node]}, table.values);
        }
      });
  first_occurrences.finish();
  return tables;
}

}  // namespace tricolore::graphs::lattices
