#include "forest_ngrams.hpp"

#include <algorithm>
#include <span>
#include <stdexcept>
#include <string>

#include "forest_sums.hpp"
#include "interruption.hpp"
#include "ngram_tree.hpp"

namespace tricolore::graphs::forests {

namespace {

// An n-gram and a probability.
struct Weighted {
  std::int32_t gram;
  double weight;
};

// Adds weights n-gram by n-gram.
class Gathered {
 public:
  void add(std::int32_t gram, double weight) {
    if (static_cast<std::size_t>(gram) >= weights_.size()) {
      weights_.resize(2 * static_cast<std::size_t>(gram) + 1024);
      known_.resize(weights_.size());
    }
    if (!known_[gram]) {
      known_[gram] = 1;
      grams_.push_back(gram);
    }
    weights_[gram] += weight;
  }

  // What has been added, in the order of numbers; nothing is left.
  std::vector<Weighted> take() {
    std::sort(grams_.begin(), grams_.end());
    std::vector<Weighted> all;
    all.reserve(grams_.size());
    for (const auto gram : grams_) {
      all.push_back({gram, weights_[gram]});
      weights_[gram] = 0.0;
      known_[gram] = 0;
    }
    grams_.clear();
    return all;
  }

 private:
  std::vector<double> weights_;
  std::vector<std::uint8_t> known_;
  std::vector<std::int32_t> grams_;
};

// What a part of a derivation's text begins with and ends with, up to order - 1 words, and what it is if it has fewer:
// how probable each is. `begins` comes by length; it holds all beginnings of what it holds.
struct Part {
  std::vector<Weighted> begins, ends, texts;
  std::vector<std::int32_t> shorter;  // where each of `begins` without its last word is, or -1

  std::size_t size() const { return begins.size() + ends.size() + texts.size(); }
};

// The tails of an edge are independent of one another given the edge. So an n-gram that lies across a boundary, i words
// before it and j after it, is expected there P(edge) · P(what is before ends with the i) · P(what is after begins with
// the j) times: it is enough to know how nodes begin and how they end, and not how both go together.
class Expectation {
 public:
  Expectation(const ForestView& forest, std::size_t order, double scale, std::size_t limit)
      : forest_(forest),
        order_(order),
        limit_(limit),
        edges_(forest),
        branching_(branching_of(forest, edges_, scale)),
        grams_(limit),
        parts_(forest.nodes) {}

  // `crossing(edge, gram)` is told of each n-gram that an edge completes, once for each way; `done(node, part)` of each
  // node.
  template <class Crossing, class Done>
  void run(Crossing&& crossing, Done&& done) {
    const auto last_uses = find_last_uses();
    std::vector<std::vector<std::int32_t>> leaving(forest_.nodes);
    for (std::size_t node = 0; node + 1 < forest_.nodes; ++node)
      leaving[last_uses[node]].push_back(static_cast<std::int32_t>(node));
    std::size_t kept = 0;
    for (std::size_t node = 0; node < forest_.nodes; ++node) {
      for (std::size_t e = edges_.begin(node); e < edges_.end(node); ++e) read(e, crossing);
      parts_[node].begins = begins_.take();
      parts_[node].ends = ends_.take();
      parts_[node].texts = texts_.take();
      link(parts_[node]);
      done(node, parts_[node]);
      kept += parts_[node].size();
      if (kept > 4 * limit_)
        throw std::overflow_error(
            "more than " + std::to_string(4 * limit_) +
            " beginnings and ends would have to be kept; expected a smaller forest, a lower order or a higher limit");
      for (const auto tail : leaving[node]) {
        kept -= parts_[tail].size();
        parts_[tail] = {};
      }
    }
  }

  const NodeEdges& edges() const { return edges_; }
  const std::vector<double>& chances() const { return branching_.chances; }
  NgramTree& grams() { return grams_; }
  // Of each n-gram by its number; the others are not in any derivation.
  std::vector<Weighted> take_counts() { return counts_.take(); }

 private:
  std::vector<std::int32_t> find_last_uses() const {
    std::vector<std::int32_t> last(forest_.nodes);
    for (std::size_t e = 0; e < forest_.edges(); ++e) {
      for (const auto item : forest_.right(e)) {
        if (item < 0) last[~item] = forest_.heads[e];
      }
    }
    return last;
  }

  template <class Crossing>
  void read(std::size_t edge, Crossing&& crossing) {
    const double chance = branching_.chances[edge];
    const double uses = branching_.uses[forest_.heads[edge]] * chance;
    std::vector<Weighted> ends;                            // of what has been read
    std::vector<Weighted> texts{{NgramTree::empty, 1.0}};  // what it may be, while it is short
    for (const auto item : forest_.right(edge)) {
      if (item >= 0) set_word(item);
      const Part& part = item < 0 ? parts_[~item] : word_;
      if (item >= 0) {
        counts_.add(word_gram_, uses);
        crossing(edge, word_gram_);
      }
      cross(edge, uses, ends, part, crossing);
      for (const auto& text : texts) {
        joined_.resize(std::max(joined_.size(), part.begins.size()));
        for (std::size_t k = 0; k < part.begins.size(); ++k) {
          if (grams_.length(text.gram) + grams_.length(part.begins[k].gram) >= order_) break;
          begins_.add(extend(text.gram, part, k), chance * text.weight * part.begins[k].weight);
        }
      }
      ends = appended(ends, part, order_ - 1, part.ends);
      texts = appended(texts, part, order_ < 2 ? 0 : order_ - 2, {});
    }
    for (const auto& end : ends) ends_.add(end.gram, chance * end.weight);
    for (const auto& text : texts) texts_.add(text.gram, chance * text.weight);
  }

  // A word as a part.
  void set_word(std::int32_t word) {
    word_gram_ = grams_.child(NgramTree::empty, word);
    const std::vector<Weighted> only{{word_gram_, 1.0}};
    word_.begins = word_.ends = order_ > 1 ? only : std::vector<Weighted>{};
    word_.texts = order_ > 2 ? only : std::vector<Weighted>{};
    word_.shorter.assign(word_.begins.size(), -1);
  }

  // The n-grams that end in a part and begin before it.
  template <class Crossing>
  void cross(std::size_t edge, double uses, const std::vector<Weighted>& ends, const Part& part, Crossing&& crossing) {
    for (const auto& end : ends) {
      check_interrupt();
      joined_.resize(std::max(joined_.size(), part.begins.size()));
      for (std::size_t k = 0; k < part.begins.size(); ++k) {
        if (grams_.length(end.gram) + grams_.length(part.begins[k].gram) > order_) break;
        const auto gram = extend(end.gram, part, k);
        counts_.add(gram, uses * end.weight * part.begins[k].weight);
        crossing(edge, gram);
      }
    }
  }

  // An n-gram and one that a part begins with; all shorter ones have been joined to it.
  std::int32_t extend(std::int32_t gram, const Part& part, std::size_t k) {
    const auto shorter = part.shorter[k];
    return joined_[k] = grams_.child(shorter < 0 ? gram : joined_[shorter], grams_.last(part.begins[k].gram));
  }

  // All n-grams, each with each text of a part after it, no longer than `most`; and others.
  std::vector<Weighted> appended(const std::vector<Weighted>& before, const Part& part, std::size_t most,
                                 const std::vector<Weighted>& others) {
    if (part.texts.empty()) return others;
    for (const auto& one : before) {
      for (const auto& text : part.texts) {
        if (grams_.length(one.gram) + grams_.length(text.gram) <= most)
          joining_.add(grams_.joined(one.gram, text.gram), one.weight * text.weight);
      }
    }
    for (const auto& one : others) joining_.add(one.gram, one.weight);
    return joining_.take();
  }

  void link(Part& part) {
    std::stable_sort(part.begins.begin(), part.begins.end(), [&](const Weighted& a, const Weighted& b) {
      return grams_.length(a.gram) < grams_.length(b.gram);
    });
    places_.resize(std::max(places_.size(), grams_.size()));
    part.shorter.reserve(part.begins.size());
    for (std::size_t k = 0; k < part.begins.size(); ++k) {
      const auto gram = part.begins[k].gram;
      places_[gram] = static_cast<std::int32_t>(k);
      part.shorter.push_back(grams_.length(gram) == 1 ? -1 : places_[grams_.before(gram)]);
    }
  }

  const ForestView& forest_;
  std::size_t order_, limit_;
  NodeEdges edges_;
  Branching branching_;
  NgramTree grams_;
  std::vector<Part> parts_;  // of each node, for as long as it is needed
  Part word_;
  std::int32_t word_gram_ = NgramTree::empty;
  Gathered begins_, ends_, texts_, joining_, counts_;
  std::vector<std::int32_t> joined_, places_;
};

NgramValues by_order(const NgramTree& grams, const std::vector<Weighted>& all, std::size_t order) {
  NgramValues found{std::vector<std::vector<std::int32_t>>(order), std::vector<std::vector<double>>(order)};
  std::vector<std::int32_t> words;
  for (const auto& [gram, weight] : all) {
    grams.words(gram, words);
    auto& of_order = found.words[words.size() - 1];
    of_order.insert(of_order.end(), words.begin(), words.end());
    found.values[words.size() - 1].push_back(weight);
  }
  return found;
}

// The n-grams that edges complete, and which n-grams of a node come several times in a derivation.
class Completions {
 public:
  Completions(std::size_t edges, std::size_t limit) : limit_(limit) { starts_.reserve(edges + 1); }

  void add(std::size_t edge, std::int32_t gram) {
    close(edge);
    if (grams_.size() == limit_)
      throw std::overflow_error(
          "more than " + std::to_string(limit_) +
          " places of n-grams would have to be kept; expected a smaller forest, a lower order or a higher limit");
    grams_.push_back(gram);
  }
  // Begins an edge, and all before it that have none.
  void close(std::size_t edge) {
    while (starts_.size() <= edge) starts_.push_back(grams_.size());
  }
  // In order; an n-gram that is completed in several places comes several times.
  std::span<std::int32_t> of(std::size_t edge) {
    return std::span(grams_).subspan(starts_[edge], starts_[edge + 1] - starts_[edge]);
  }

 private:
  std::size_t limit_;
  std::vector<std::size_t> starts_;
  std::vector<std::int32_t> grams_;
};

// The probability that an n-gram is in a derivation.
//
// Where no derivation has it twice, that is its expected number. Two occurrences are below one edge, the lowest such:
// in different tails, or across different boundaries, or one in a tail and one across. So an n-gram comes twice only if
// there is an edge where it could come from two places.
//
// For the others, every node has a table: in which state of the n-gram's automaton (Knuth, Morris & Pratt 1977; how
// many words of it have been read) its text leaves, given the state on entry, or whether the n-gram has been seen. Sums
// of what is positive, so that small probabilities are right too.
class Posteriors {
 public:
  Posteriors(const ForestView& forest, std::size_t order, double scale, std::size_t limit)
      : forest_(forest),
        order_(order),
        expectation_(forest, order, scale, limit),
        completions_(forest.edges(), 16 * limit),
        empty_(forest.nodes),
        begin_words_(forest.nodes),
        end_words_(forest.nodes) {}

  NgramValues find() {
    expectation_.run([&](std::size_t edge, std::int32_t gram) { completions_.add(edge, gram); },
                     [&](std::size_t node, const Part& part) { remember(node, part); });
    completions_.close(forest_.edges());
    auto all = expectation_.take_counts();
    number(all);
    for (std::size_t first = 0; first < all.size(); first += block) {
      find_places(first, std::min(block, all.size() - first));
      for (std::size_t k = 0; k < std::min(block, all.size() - first); ++k) {
        auto& weighted = all[first + k];
        if (repeated_[k / 64] >> (k % 64) & 1) weighted.weight = seen(weighted.gram, k);
        weighted.weight = std::min(weighted.weight, 1.0);
      }
    }
    return by_order(expectation_.grams(), all, order_);
  }

 private:
  static constexpr std::size_t block = 1024, words = block / 64;  // n-grams that are looked at together, a bit each

  void remember(std::size_t node, const Part& part) {
    for (const auto& one : part.begins) {
      if (grams().length(one.gram) == 1) begin_words_[node].push_back(grams().last(one.gram));
    }
    for (const auto& one : part.ends) {
      if (grams().length(one.gram) == 1) end_words_[node].push_back(grams().last(one.gram));
    }
    std::sort(begin_words_[node].begin(), begin_words_[node].end());
    std::sort(end_words_[node].begin(), end_words_[node].end());
  }

  // Numbers n-grams in the order of the result, and finds how probable it is that nodes are empty.
  void number(const std::vector<Weighted>& all) {
    numbers_.resize(grams().size());
    for (std::size_t k = 0; k < all.size(); ++k) numbers_[all[k].gram] = static_cast<std::int32_t>(k);
    for (std::size_t e = 0; e < forest_.edges(); ++e) {
      for (auto& gram : completions_.of(e)) gram = numbers_[gram];
      const auto own = completions_.of(e);
      std::sort(own.begin(), own.end());
      double chance = expectation_.chances()[e];
      for (const auto item : forest_.right(e)) chance *= item < 0 ? empty_[~item] : 0.0;
      empty_[forest_.heads[e]] += chance;
    }
    next_.assign(forest_.edges(), 0);
  }

  // Which nodes have which n-grams of a block, and which of those can come from two places.
  void find_places(std::size_t first, std::size_t size) {
    has_.assign(forest_.nodes * words, 0);
    repeated_.assign(words, 0);
    for (std::size_t e = 0; e < forest_.edges(); ++e) {
      if (e % 1024 == 0) check_interrupt();
      std::uint64_t own[words] = {};
      for (const auto item : forest_.right(e)) {
        for (std::size_t w = 0; item < 0 && w < words; ++w) {
          const std::uint64_t below = has_[~item * words + w];
          repeated_[w] |= own[w] & below;
          own[w] |= below;
        }
      }
      const auto completed = completions_.of(e);
      auto& next = next_[e];
      for (; next < completed.size() && static_cast<std::size_t>(completed[next]) < first + size; ++next) {
        const std::size_t k = completed[next] - first;
        const std::uint64_t bit = std::uint64_t{1} << (k % 64);
        repeated_[k / 64] |= own[k / 64] & bit;
        own[k / 64] |= bit;
      }
      for (std::size_t w = 0; w < words; ++w) has_[forest_.heads[e] * words + w] |= own[w];
    }
  }

  double seen(std::int32_t gram, std::size_t k) {
    grams().words(gram, ngram_);
    const std::size_t length = ngram_.size();
    falls_.assign(length + 1, 0);
    for (std::size_t i = 1; i < length; ++i) falls_[i + 1] = step(falls_[i], ngram_[i]);
    tables_.resize(forest_.nodes * order_ * (order_ + 1));
    matters_.assign(forest_.nodes, 0);
    const std::span after_first(ngram_.begin() + 1, ngram_.end()), before_last(ngram_.begin(), ngram_.end() - 1);
    for (std::size_t node = 0; node < forest_.nodes; ++node) {
      if (node % 256 == 0) check_interrupt();
      const bool continues = overlap(begin_words_[node], after_first);
      matters_[node] =
          (has_[node * words + k / 64] >> (k % 64) & 1) || continues || overlap(end_words_[node], before_last);
      if (matters_[node]) fill(node, length, continues);
    }
    return table(forest_.root(), 0)[length];
  }

  static bool overlap(const std::vector<std::int32_t>& a, std::span<const std::int32_t> b) {
    return std::any_of(b.begin(), b.end(), [&](auto word) { return std::binary_search(a.begin(), a.end(), word); });
  }

  // The state after a word; only states before the last.
  std::size_t step(std::size_t state, std::int32_t word) const {
    while (state > 0 && ngram_[state] != word) state = falls_[state];
    return ngram_[state] == word ? state + 1 : 0;
  }

  double* table(std::size_t node, std::size_t state) { return tables_.data() + (node * order_ + state) * (order_ + 1); }

  void fill(std::size_t node, std::size_t length, bool continues) {
    // What cannot go on with the n-gram, and is not empty, does from all states what it does from the first.
    const std::size_t rows = continues || empty_[node] > 0.0 ? length : 1;
    for (std::size_t row = 0; row < length; ++row) std::fill_n(table(node, row), length + 1, 0.0);
    for (std::size_t e = expectation_.edges().begin(node); e < expectation_.edges().end(node); ++e) {
      for (std::size_t row = 0; row < rows; ++row) {
        states_.assign(length + 1, 0.0);
        states_[row] = expectation_.chances()[e];
        for (const auto item : forest_.right(e)) read(item, length);
        double* to = table(node, row);
        for (std::size_t s = 0; s <= length; ++s) to[s] += states_[s];
      }
    }
    for (std::size_t row = rows; row < length; ++row) std::copy_n(table(node, 0), length + 1, table(node, row));
  }

  void read(std::int32_t item, std::size_t length) {
    next_states_.assign(length + 1, 0.0);
    next_states_[length] = states_[length];
    for (std::size_t s = 0; s < length; ++s) {
      const double weight = states_[s];
      if (weight == 0.0) continue;
      if (item >= 0) {
        next_states_[step(s, item)] += weight;
      } else if (matters_[~item]) {
        const double* from = table(~item, s);
        for (std::size_t t = 0; t <= length; ++t) next_states_[t] += weight * from[t];
      } else {
        next_states_[0] += weight * (1.0 - empty_[~item]);
        next_states_[s] += weight * empty_[~item];
      }
    }
    states_.swap(next_states_);
  }

  NgramTree& grams() { return expectation_.grams(); }

  const ForestView& forest_;
  std::size_t order_;
  Expectation expectation_;
  Completions completions_;
  std::vector<double> empty_;
  std::vector<std::vector<std::int32_t>> begin_words_, end_words_;  // of each node, in order
  std::vector<std::int32_t> numbers_;
  std::vector<std::size_t> next_;  // the first completion of each edge that has not been looked at
  std::vector<std::uint64_t> has_, repeated_;

  // Of the n-gram that is looked at.
  std::vector<std::int32_t> ngram_;
  std::vector<std::size_t> falls_;
  std::vector<double> tables_, states_, next_states_;
  std::vector<std::uint8_t> matters_;
};

}  // namespace

NgramValues expected_ngrams(const ForestView& forest, std::size_t order, double scale, std::size_t limit) {
  Expectation expectation(forest, order, scale, limit);
  expectation.run([](std::size_t, std::int32_t) {}, [](std::size_t, const Part&) {});
  return by_order(expectation.grams(), expectation.take_counts(), order);
}

NgramValues ngram_posteriors(const ForestView& forest, std::size_t order, double scale, std::size_t limit) {
  return Posteriors(forest, order, scale, limit).find();
}

}  // namespace tricolore::graphs::forests
