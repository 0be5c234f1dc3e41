#include "forest_rescoring.hpp"

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>

#include "interruption.hpp"
#include "ngram_tree.hpp"

namespace tricolore::graphs::forests {

namespace {

std::uint64_t pair_key(std::int32_t a, std::int32_t b) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(a)) << 32) | static_cast<std::uint32_t>(b);
}

// What must be remembered of a text: how it ends, for n-grams that go on after it, and how it begins, for n-grams that
// began before it.
//
// - The end is the longest one with which an n-gram begins that is longer: a state of the automaton of Aho & Corasick
//   (1975). What is no such beginning is forgotten.
// - The beginning is the longest one that is somewhere in an n-gram, but not where that begins. A text that is such a
//   beginning as a whole is open: what came before it may go on behind it. Of other texts, n-grams from before end
//   within the beginning, and the end does not depend on what came before.
class Contexts {
 public:
  // A text, by its beginning and its end; an open one has no end of its own.
  struct Context {
    std::int32_t begin, end;
  };
  struct Joined {
    std::int32_t context;
    double worth;  // of the n-grams across the boundary
  };

  explicit Contexts(const NgramWorths& worths) : worths_(worths) {
    std::vector<bool> is_longer{false};  // whether an n-gram goes on
    values_.push_back(0.0);
    befores_.resize(1);
    for (std::size_t k = 0; k + 1 < worths.starts.size(); ++k) {
      const auto ngram = worths.words.subspan(worths.starts[k], worths.starts[k + 1] - worths.starts[k]);
      std::int32_t node = 0;
      for (const auto word : ngram) {
        is_longer[node] = true;
        node = ngrams_.child(node, word);
        is_longer.resize(ngrams_.size());
        values_.resize(ngrams_.size());
      }
      values_[node] = worths.values[k];
      for (std::size_t i = 1; i < ngram.size(); ++i) {
        std::int32_t inner = 0;
        for (const auto word : ngram.subspan(i)) {
          inner = inner_.child(inner, word);
          befores_.resize(inner_.size());
          befores_[inner].push_back(ngram[i - 1]);
        }
      }
    }
    for (auto& words : befores_) {
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
    }
    afters_.resize(ngrams_.size());
    for (std::size_t node = 1; node < ngrams_.size(); ++node)
      afters_[ngrams_.before(node)].push_back(ngrams_.last(node));
    link(is_longer);
    ends_.resize(inner_.size());
    for (std::size_t node = 1; node < inner_.size(); ++node)
      ends_[node] = continues(step(ends_[inner_.before(node)], inner_.last(node)));
    empty_ = number({0, open});
  }

  // The text without words.
  std::int32_t empty() const { return empty_; }

  Joined word(std::int32_t word) {
    const auto state = step(0, word);
    double worth = worths_.word;
    if (state != 0) worth += values_[state];
    const auto begin = inner_.find(0, word);
    return {number(begin == NgramTree::none ? Context{0, continues(state)} : Context{begin, open}), worth};
  }

  // What must be remembered where only some words come right before the text, and right after it: is_before(word) and
  // is_after(word) say so.
  template <class Before, class After>
  std::int32_t needed(std::int32_t context, Before&& is_before, After&& is_after) {
    Context kept = contexts_[context];
    const auto& all = befores_[kept.begin];
    if (kept.end == open && (kept.begin == 0 || std::any_of(all.begin(), all.end(), is_before))) return context;
    if (kept.end == open) kept.end = ends_[kept.begin];
    while (kept.begin != 0 && std::none_of(befores_[kept.begin].begin(), befores_[kept.begin].end(), is_before))
      kept.begin = inner_.before(kept.begin);
    while (kept.end != 0 && std::none_of(afters_[kept.end].begin(), afters_[kept.end].end(), is_after))
      kept.end = continues(falls_[kept.end]);
    return number(kept);
  }

  Joined joined(std::int32_t first, std::int32_t second) {
    const Context a = contexts_[first], b = contexts_[second];
    const auto [end, worth] = across(a.end == open ? ends_[a.begin] : a.end, b.begin);
    Context both{a.begin, b.end == open ? end : b.end};
    if (a.end == open) {
      // The beginning may be longer; if it is all there is, the text is still open.
      inner_.words(b.begin, words_);
      std::size_t read = 0;
      for (; read < words_.size(); ++read) {
        const auto longer = inner_.find(both.begin, words_[read]);
        if (longer == NgramTree::none) break;
        both.begin = longer;
      }
      if (read == words_.size() && b.end == open) both.end = open;
    }
    return {number(both), worth};
  }

 private:
  static constexpr std::int32_t open = -1;

  // Where to go on from each n-gram's beginning if no longer one fits: the longest end of it that is one.
  void link(const std::vector<bool>& is_longer) {
    falls_.assign(ngrams_.size(), 0);
    forgets_.assign(ngrams_.size(), 0);
    // Shorter ones first.
    std::vector<std::int32_t> order(ngrams_.size());
    for (std::size_t node = 0; node < order.size(); ++node) order[node] = static_cast<std::int32_t>(node);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return ngrams_.length(a) < ngrams_.length(b); });
    for (const auto node : order) {
      if (ngrams_.length(node) > 1) falls_[node] = step(falls_[ngrams_.before(node)], ngrams_.last(node));
      forgets_[node] = is_longer[node] || node == 0 ? node : forgets_[falls_[node]];
    }
  }

  // The longest end of what was read, and a word, with which an n-gram begins or that is one.
  std::int32_t step(std::int32_t state, std::int32_t word) {
    for (;; state = falls_[state]) {
      const auto next = ngrams_.find(state, word);
      if (next != NgramTree::none) return next;
      if (state == 0) return 0;
    }
  }
  // The longest end with which a longer n-gram begins.
  std::int32_t continues(std::int32_t state) const { return forgets_[state]; }

  // What n-grams are worth that begin before a boundary and end in words after it; and the end then.
  std::pair<std::int32_t, double> across(std::int32_t end, std::int32_t begin) {
    const auto [it, is_new] = across_.try_emplace(pair_key(end, begin));
    if (!is_new) return it->second;
    inner_.words(begin, words_);
    double worth = 0.0;
    std::int32_t state = end;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      state = step(state, words_[i]);
      for (auto one = state; ngrams_.length(one) > i + 1; one = falls_[one]) worth += values_[one];
      state = continues(state);
    }
    return it->second = {state, worth};
  }

  std::int32_t number(Context context) {
    const auto [it, is_new] =
        numbers_.emplace(pair_key(context.begin, context.end), static_cast<std::int32_t>(contexts_.size()));
    if (is_new) contexts_.push_back(context);
    return it->second;
  }

  NgramWorths worths_;
  NgramTree ngrams_, inner_;                                 // beginnings of n-grams; what is in them further on
  std::vector<double> values_;                               // of n-grams
  std::vector<std::vector<std::int32_t>> befores_, afters_;  // the words before each inner one, after each beginning
  std::vector<std::int32_t> falls_, forgets_;
  std::vector<std::int32_t> ends_;  // the end of each of the inner ones
  std::vector<Context> contexts_;
  std::unordered_map<std::uint64_t, std::int32_t> numbers_;
  std::unordered_map<std::uint64_t, std::pair<std::int32_t, double>> across_;
  std::vector<std::int32_t> words_;
  std::int32_t empty_ = 0;
};

// Which words can stand right before a node, and right after it; of all words, those that are in n-grams.
class Neighbours {
 public:
  Neighbours(const ForestView& forest, const NgramWorths& worths) : forest_(forest) {
    std::int32_t highest = -1;
    for (const auto item : forest.items) highest = std::max(highest, item);
    for (const auto word : worths.words) highest = std::max(highest, word);
    numbers_.assign(static_cast<std::size_t>(highest) + 1, -1);
    std::int32_t size = 0;
    for (const auto word : worths.words) {
      if (numbers_[word] < 0) numbers_[word] = size++;
    }
    width_ = (static_cast<std::size_t>(size) + 63) / 64;
    // Without this knowledge more is remembered than must be.
    known_ = forest.nodes * width_ < most_words;
    if (!known_) return;
    firsts_.resize(forest.nodes * width_);
    lasts_ = befores_ = afters_ = firsts_;
    empty_.resize(forest.nodes);
    find_ends();
    find_neighbours();
  }

  bool is_before(std::size_t node, std::int32_t word) const { return !known_ || has(befores_, node, word); }
  bool is_after(std::size_t node, std::int32_t word) const { return !known_ || has(afters_, node, word); }

 private:
  static constexpr std::size_t most_words = std::size_t{1} << 24;
  using Sets = std::vector<std::uint64_t>;  // a row of bits for each node

  bool has(const Sets& sets, std::size_t node, std::int32_t word) const {
    const auto number = numbers_[word];
    return sets[node * width_ + number / 64] >> (number % 64) & 1;
  }
  void add_word(Sets& sets, std::size_t node, std::int32_t word) const {
    const auto number = numbers_[word];
    if (number >= 0) sets[node * width_ + number / 64] |= std::uint64_t{1} << (number % 64);
  }
  void add_all(Sets& to, std::size_t node, const Sets& from, std::size_t other) const {
    for (std::size_t w = 0; w < width_; ++w) to[node * width_ + w] |= from[other * width_ + w];
  }

  // Goes over items until one cannot be empty, and adds what each begins (ends) with; whether all can be empty.
  template <class Item>
  bool gather(Item item, Item end, const Sets& ends, Sets& to, std::size_t node) const {
    for (; item != end; ++item) {
      if (*item >= 0) {
        add_word(to, node, *item);
        return false;
      }
      add_all(to, node, ends, ~*item);
      if (!empty_[~*item]) return false;
    }
    return true;
  }

  void find_ends() {
    for (std::size_t e = 0; e < forest_.edges(); ++e) {
      const auto right = forest_.right(e);
      const auto head = static_cast<std::size_t>(forest_.heads[e]);
      gather(right.rbegin(), right.rend(), lasts_, lasts_, head);
      if (gather(right.begin(), right.end(), firsts_, firsts_, head)) empty_[head] = 1;
    }
  }

  void find_neighbours() {
    for (std::size_t e = forest_.edges(); e-- > 0;) {
      const auto right = forest_.right(e);
      const auto head = static_cast<std::size_t>(forest_.heads[e]);
      for (std::size_t k = 0; k < right.size(); ++k) {
        if (right[k] >= 0) continue;
        const auto before = right.first(k), after = right.subspan(k + 1);
        if (gather(before.rbegin(), before.rend(), lasts_, befores_, ~right[k]))
          add_all(befores_, ~right[k], befores_, head);
        if (gather(after.begin(), after.end(), firsts_, afters_, ~right[k])) add_all(afters_, ~right[k], afters_, head);
      }
    }
  }

  const ForestView& forest_;
  std::vector<std::int32_t> numbers_;  // of words, -1 for those in no n-gram
  std::size_t width_ = 0;
  bool known_ = false;
  std::vector<std::uint8_t> empty_;
  Sets firsts_, lasts_, befores_, afters_;
};

// Every node becomes one for each context of its texts.
class Rescoring {
 public:
  Rescoring(const ForestView& forest, const NgramWorths& worths, double model, std::size_t limit)
      : forest_(forest),
        contexts_(worths),
        neighbours_(forest, worths),
        model_(model),
        limit_(limit),
        versions_(forest.nodes) {}

  OwnedForest run() {
    std::size_t edge = 0;
    for (std::size_t node = 0; node < forest_.nodes; ++node) {
      for (; edge < forest_.edges() && static_cast<std::size_t>(forest_.heads[edge]) == node; ++edge) add(edge);
      forget(node);
      versions_[node] = finish();
    }
    return std::move(made_);
  }

 private:
  // A new node, and the context of its texts.
  struct Version {
    std::int32_t node, context;
  };
  using Versions = std::vector<Version>;
  // What is on a right-hand side: a word, or a node in several versions.
  struct Item {
    std::int32_t word;
    const Versions* versions;
  };
  struct NewEdge {
    std::int32_t context, origin;
    double score;
    std::size_t begin, end;  // of its items
  };

  void add(std::size_t edge) {
    std::vector<Item> items;
    std::size_t nodes = 0;
    for (const auto item : forest_.right(edge)) {
      if (item < 0 && nodes == 2) {
        // Two nodes and what is around them become one: else there would be an edge for all combinations of many nodes.
        finish_part(items);
        items = {{0, &parts_.back()}};
        nodes = 1;
      }
      nodes += item < 0;
      items.push_back({item, item < 0 ? &versions_[~item] : nullptr});
    }
    origin_ = static_cast<std::int32_t>(edge);
    combine(items, 0, contexts_.empty(), model_ * forest_.scores[edge]);
    parts_.clear();
  }

  void finish_part(const std::vector<Item>& items) {
    std::vector<NewEdge> own;
    std::vector<std::int32_t> right;
    std::swap(edges_, own);
    std::swap(right_, right);
    origin_ = -1;
    combine(items, 0, contexts_.empty(), 0.0);
    parts_.push_back(finish());
    std::swap(edges_, own);
    std::swap(right_, right);
  }

  // All combinations of versions from an item on.
  void combine(const std::vector<Item>& items, std::size_t k, std::int32_t context, double score) {
    for (; k < items.size() && !items[k].versions; ++k) {
      const auto word = contexts_.word(items[k].word);
      const auto both = contexts_.joined(context, word.context);
      context = both.context;
      score += word.worth + both.worth;
    }
    if (k == items.size()) {
      emit(items, context, score);
      return;
    }
    for (const auto& version : *items[k].versions) {
      const auto both = contexts_.joined(context, version.context);
      chosen_.push_back(version.node);
      combine(items, k + 1, both.context, score + both.worth);
      chosen_.pop_back();
    }
  }

  void emit(const std::vector<Item>& items, std::int32_t context, double score) {
    if (++made_edges_ % 4096 == 0) check_interrupt();
    if (made_edges_ > limit_ || made_.items.size() + right_.size() > 8 * limit_)
      throw std::overflow_error(
          "more than " + std::to_string(limit_) +
          " edges would be needed to tell apart what n-grams depend on; expected a smaller forest, "
          "fewer n-grams or a higher limit");
    const std::size_t begin = right_.size();
    auto node = chosen_.begin();
    for (const auto& item : items) right_.push_back(item.versions ? ~*node++ : item.word);
    edges_.push_back({context, origin_, score, begin, right_.size()});
  }

  // Leaves of contexts what the words around a node make necessary; of the root, nothing.
  void forget(std::size_t node) {
    std::unordered_map<std::int32_t, std::int32_t> needed;
    for (auto& edge : edges_) {
      if (node == forest_.root()) {
        edge.context = contexts_.empty();
        continue;
      }
      const auto [it, is_new] = needed.try_emplace(edge.context);
      if (is_new)
        it->second = contexts_.needed(
            edge.context, [&](auto word) { return neighbours_.is_before(node, word); },
            [&](auto word) { return neighbours_.is_after(node, word); });
      edge.context = it->second;
    }
  }

  // Writes the edges down, by their contexts in the order in which those came.
  Versions finish() {
    Versions versions;
    std::unordered_map<std::int32_t, std::int32_t> places;
    std::vector<std::size_t> sizes, order(edges_.size());
    std::vector<std::int32_t> place_of;
    for (const auto& edge : edges_) {
      const auto [it, is_new] = places.emplace(edge.context, static_cast<std::int32_t>(versions.size()));
      if (is_new) {
        versions.push_back({static_cast<std::int32_t>(made_.nodes++), edge.context});
        sizes.push_back(0);
      }
      ++sizes[it->second];
      place_of.push_back(it->second);
    }
    std::size_t sum = 0;
    for (auto& size : sizes) sum += std::exchange(size, sum);
    for (std::size_t k = 0; k < edges_.size(); ++k) order[sizes[place_of[k]]++] = k;
    for (const auto k : order) {
      const auto& edge = edges_[k];
      made_.heads.push_back(versions[place_of[k]].node);
      made_.items.insert(made_.items.end(), right_.begin() + static_cast<std::ptrdiff_t>(edge.begin),
                         right_.begin() + static_cast<std::ptrdiff_t>(edge.end));
      made_.starts.push_back(static_cast<std::int64_t>(made_.items.size()));
      made_.scores.push_back(edge.score);
      made_.origins.push_back(edge.origin);
    }
    edges_.clear();
    right_.clear();
    return versions;
  }

  const ForestView& forest_;
  Contexts contexts_;
  Neighbours neighbours_;
  double model_;
  std::size_t limit_, made_edges_ = 0;
  std::vector<Versions> versions_;  // of each node
  std::deque<Versions> parts_;      // of the edge that is looked at
  std::vector<NewEdge> edges_;      // of the node that is looked at
  std::int32_t origin_ = -1;        // the edge that new ones come from
  std::vector<std::int32_t> right_, chosen_;
  OwnedForest made_;
};

}  // namespace

OwnedForest rescored(const ForestView& forest, const NgramWorths& worths, double model, std::size_t limit) {
  return Rescoring(forest, worths, model, limit).run();
}

}  // namespace tricolore::graphs::forests
