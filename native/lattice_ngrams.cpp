#include "lattice_ngrams.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <span>
#include <stdexcept>
#include <utility>

#include "interruption.hpp"
#include "lattice_sums.hpp"
#include "trie.hpp"

namespace tricolore {

namespace {

// Counts what is kept or done, and gives up where it is too much.
class Allowance {
 public:
  explicit Allowance(std::size_t limit) : left_(limit) {}
  void use(std::size_t number) {
    if (number > left_) throw std::overflow_error("too many n-grams");
    left_ -= number;
    if ((used_ += number) >= 1 << 14) {
      used_ = 0;
      look_up();
    }
  }

 private:
  std::size_t left_, used_ = 0;
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
      allowance_.use(found.size() + 1);
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

// An n-gram that begins with an arc from one state and ends with an arc to another; `chance` is that of its arcs, once
// in the first state, over all ways.
struct Occurrence {
  std::uint32_t ngram;  // its node of the trie
  std::int32_t from, to;
  double chance;
};

// All occurrences of n-grams of up to `order` words, one first word after another: `take(trie, occurrences)`, in the
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
  Trie trie;
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
    trie.clear();
    found.clear();
    const auto first = trie.child(0, w);
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
            longer.push_back({trie.child(before.ngram, way.word), from, way.target, before.chance * way.chance});
        }
        level.swap(longer);
      }
    }
    take(trie, std::span<const Occurrence>(found));
  }
}

void write(const Trie& trie, std::span<const double> values, std::vector<NgramValues>& tables) {
  for (std::uint32_t node = 1; node < trie.size(); ++node) {
    const auto depth = trie[node].depth;
    auto& table = tables[depth - 1];
    table.keys.resize(table.keys.size() + depth);
    trie.write(node, &table.keys[table.keys.size() - depth]);
    table.values.push_back(values[node]);
  }
}

// The probability that an n-gram is in a path: of first occurrences.
class FirstOccurrences {
 public:
  FirstOccurrences(const LatticeView& lattice, const OutArcs& out, const Walk& walk)
      : lattice_(lattice), out_(out), walk_(walk) {
    std::int32_t words = 0;
    for (const auto label : lattice.labels) words = std::max(words, label + 1);
    place_of_.assign(static_cast<std::size_t>(words), 0);
  }

  // Occurrences of one n-gram, in the order of the states they begin in.
  double operator()(std::span<const std::int32_t> ngram, std::span<const Occurrence> occurrences) {
    double sum = 0.0;
    std::int32_t first_end = occurrences[0].to, last_end = occurrences[0].to;
    for (const Occurrence& one : occurrences) {
      sum += walk_.visits[one.from] * one.chance;
      first_end = std::min(first_end, one.to);
      last_end = std::max(last_end, one.to);
    }
    const auto first = occurrences.front().from, last = occurrences.back().from;
    prepare(ngram);
    const bool alone = first == last || (first_end > last && !overlaps_itself_);
    return std::min(alone ? sum : pass(ngram, first, last_end), 1.0);
  }

 private:
  // How many words of the n-gram have been read, after a word of it: Knuth, Morris & Pratt (1977).
  void prepare(std::span<const std::int32_t> ngram) {
    const std::size_t n = ngram.size();
    borders_.assign(n + 1, 0);  // of the first k words: how many, fewer than k, are also the last
    for (std::size_t k = 1, border = 0; k < n; ++k) {
      while (border > 0 && ngram[k] != ngram[border]) border = borders_[border];
      if (ngram[k] == ngram[border]) ++border;
      borders_[k + 1] = border;
    }
    overlaps_itself_ = borders_[n] > 0;
  }

  void make_moves(std::span<const std::int32_t> ngram) {
    const std::size_t n = ngram.size();
    std::size_t types = 0;
    moves_.assign(n * n, 0);
    for (const auto word : ngram) {
      if (place_of_[word] != 0) continue;
      place_of_[word] = ++types;
      std::size_t* moves = &moves_[(types - 1) * n];
      for (std::size_t k = 0; k < n; ++k) moves[k] = ngram[k] == word ? k + 1 : k > 0 ? moves[borders_[k]] : 0;
    }
  }

  // One pass from the first state that an occurrence begins in to the last that one ends in. A row holds of a state the
  // probability to come there after the whole n-gram, and after no more than its first k words, 0 < k < n.
  double pass(std::span<const std::int32_t> ngram, std::int32_t first, std::int32_t end) {
    const std::size_t n = ngram.size();
    make_moves(ngram);
    rows_.assign(static_cast<std::size_t>(end - first) * n, 0.0);
    double found = 0.0;
    look_up();
    for (auto s = first; s < end; ++s) {
      double* row = &rows_[static_cast<std::size_t>(s - first) * n];
      double begun = 0.0;
      for (std::size_t k = 0; k < n; ++k) begun += row[k];
      const double free = std::max(walk_.visits[s] - begun, 0.0);
      for (auto a = out_.begin(s); a < out_.end(s); ++a) {
        const auto label = lattice_.labels[a];
        const auto target = lattice_.targets[a];
        double* after = target < end ? &rows_[static_cast<std::size_t>(target - first) * n] : nullptr;
        const double chance = walk_.arcs[a];
        if (label == no_word) {
          if (after && begun > 0.0)
            for (std::size_t k = 0; k < n; ++k) after[k] += row[k] * chance;
          continue;
        }
        if (after) after[0] += row[0] * chance;
        if (place_of_[label] == 0) continue;
        const std::size_t* moves = &moves_[(place_of_[label] - 1) * n];
        for (std::size_t k = 0; k < n; ++k) {
          if (moves[k] == 0) continue;
          const double moved = (k == 0 ? free : row[k]) * chance;
          if (moves[k] == n) found += moved;
          if (after) after[moves[k] % n] += moved;
        }
      }
    }
    for (const auto word : ngram) place_of_[word] = 0;
    return found;
  }

  const LatticeView& lattice_;
  const OutArcs& out_;
  const Walk& walk_;
  std::vector<std::size_t> borders_, moves_, place_of_;
  std::vector<double> rows_;
  bool overlaps_itself_ = false;
};

}  // namespace

std::vector<NgramValues> expected_ngrams(const LatticeView& lattice, int order, std::size_t limit) {
  const OutArcs out(lattice);
  const Walk walk = walk_of(lattice, out);
  Allowance allowance(limit);
  std::vector<NgramValues> tables(static_cast<std::size_t>(order));
  std::vector<double> values;
  each_first_word(lattice, out, walk, order, allowance, [&](const Trie& trie, std::span<const Occurrence> found) {
    values.assign(trie.size(), 0.0);
    for (const Occurrence& one : found) values[one.ngram] += walk.visits[one.from] * one.chance;
    write(trie, values, tables);
  });
  return tables;
}

std::vector<NgramValues> ngram_posteriors(const LatticeView& lattice, int order, std::size_t limit) {
  const OutArcs out(lattice);
  const Walk walk = walk_of(lattice, out);
  Allowance allowance(limit);
  FirstOccurrences first_occurrences(lattice, out, walk);
  std::vector<NgramValues> tables(static_cast<std::size_t>(order));
  std::vector<double> values;
  std::vector<std::size_t> begins;
  std::vector<Occurrence> grouped;
  std::vector<std::int32_t> words(static_cast<std::size_t>(order));
  each_first_word(lattice, out, walk, order, allowance, [&](const Trie& trie, std::span<const Occurrence> found) {
    begins.assign(trie.size() + 1, 0);
    for (const Occurrence& one : found) ++begins[one.ngram + 1];
    for (std::size_t node = 0; node < trie.size(); ++node) begins[node + 1] += begins[node];
    grouped.resize(found.size());
    auto next = begins;
    for (const Occurrence& one : found) grouped[next[one.ngram]++] = one;
    values.assign(trie.size(), 0.0);
    for (std::uint32_t node = 1; node < trie.size(); ++node) {
      trie.write(node, words.data());
      values[node] = first_occurrences({words.data(), trie[node].depth},
                                       {&grouped[begins[node]], begins[node + 1] - begins[node]});
    }
    write(trie, values, tables);
  });
  return tables;
}

}  // namespace tricolore
