// Counts of the n-grams of a whole corpus, as NIST's information weights need them.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reader.hpp"
#include "vocabulary.hpp"

namespace tricolore::counting {

// The words of a corpus, numbered. A word is a string of bytes with its key, see `key_of`.
class WordTable {
 public:
  std::uint32_t intern(const TokenKey& key, const char* bytes, std::uint32_t size);
  std::uint32_t find(const TokenKey& key, const char* bytes, std::uint32_t size) const {
    return table_.empty() ? absent : table_[slot(key, bytes, size)].id;
  }

  // Make room for about so many words.
  void reserve(std::size_t words);

  // Start fetching what `find` will look at.
  void expect(const TokenKey& key) const {
    if (!table_.empty()) prefetch(&table_[key.hash() & (table_.size() - 1)]);
  }

  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t id) const {
    const std::size_t begin = id == 0 ? 0 : ends_[id - 1];
    return {bytes_.data() + begin, ends_[id] - begin};
  }

 private:
  struct Entry {
    TokenKey key;
    std::uint32_t id = absent;
  };

  std::size_t slot(const TokenKey& key, const char* bytes, std::uint32_t size) const {
    const std::size_t mask = table_.size() - 1;
    for (std::size_t slot = key.hash() & mask;; slot = (slot + 1) & mask) {
      const Entry& entry = table_[slot];
      if (entry.id == absent) return slot;
      if (entry.key == key && (key.is_exact() || (*this)[entry.id] == std::string_view(bytes, size))) return slot;
    }
  }
  void make_room(std::size_t slots);

  std::string bytes_;  // all words, one after another
  std::vector<std::size_t> ends_;
  std::vector<Entry> table_;
};

// Cuts texts into words of a table. A word has the same bytes in every storage width: UTF-8, surrogates included. All
// keys of a text come first, so that their slots are on their way from memory when the numbers are looked up.
class WordReader {
 public:
  // Call use(number) for every token, with `absent` for words that the table does not have.
  template <class Use>
  void find(const WordTable& words, const TextView& text, const Reading& how, Use&& use) {
    cut(words, text, how);
    for (const Token& token : tokens_) use(words.find(token.key, bytes_ + token.begin, token.size));
  }

  // Call use(number) for every token, adding words that the table does not have.
  template <class Use>
  void intern(WordTable& words, const TextView& text, const Reading& how, Use&& use) {
    cut(words, text, how);
    for (const Token& token : tokens_) use(words.intern(token.key, bytes_ + token.begin, token.size));
  }

 private:
  struct Token {
    TokenKey key;
    std::uint32_t begin, size;
  };

  void cut(const WordTable& words, const TextView& text, const Reading& how);
  template <class Unit>
  void cut(const WordTable& words, const TextView& text, const Reading& how, Arena<Unit>& arena);

  Arena<std::uint8_t> narrow_;
  Arena<std::uint16_t> wide_;
  Arena<std::uint32_t> widest_;
  Cutter cutter_;
  std::vector<char> encoded_;
  const char* bytes_ = nullptr;  // of the text's tokens: the text itself if it is ASCII, else encoded_
  std::vector<Token> tokens_;
};

// Counts every n-gram whose prefix occurs at least twice. Where the prefix occurs once, so does the n-gram
// and everything that begins with it: count(prefix) / count(n-gram) is 1 there, and storing it would only cost
// memory. A node is an n-gram; the nodes of unigrams come first and are the numbers of their words.
class NgramCounts {
 public:
  // What pickling keeps: the words, and for every longer node its parent, last word and count.
  struct State {
    std::vector<std::string> words;
    std::vector<std::uint32_t> parents, last_words, counts;
    std::uint64_t total = 0;
    std::vector<double> weights;
  };

  // Segment i owns the texts from segment_ends[i - 1] to segment_ends[i]. `pause` is called now and then, and may throw
  // to give up.
  NgramCounts(std::span<const TextView> texts, std::vector<std::size_t> segment_ends, const Reading& how, int order,
              const std::function<void()>& pause);
  explicit NgramCounts(State state);

  const std::vector<std::uint32_t>& counts() const { return counts_; }
  std::vector<std::uint32_t> prefix_counts() const;  // of each node; the number of words for a unigram
  std::uint64_t total() const { return total_; }
  State state() const;

  // One number a node, set by the caller from the counts.
  void set_weights(std::vector<double> weights);
  double weight(std::uint32_t node) const { return weights_[node]; }

  const WordTable& words() const { return words_; }

  // The references of a segment as words, as they were when they were counted. Not kept by pickling.
  std::size_t segments() const { return segment_ends_.size(); }
  std::size_t references_of(std::size_t segment) const {
    return segment_ends_[segment] - (segment == 0 ? 0 : segment_ends_[segment - 1]);
  }
  template <class Use>
  void for_references(std::size_t segment, Use&& use) const {
    for (std::size_t t = segment == 0 ? 0 : segment_ends_[segment - 1]; t < segment_ends_[segment]; ++t) {
      const std::size_t begin = t == 0 ? 0 : text_ends_[t - 1];
      use(std::span<const std::uint32_t>(tokens_.data() + begin, text_ends_[t] - begin));
    }
  }

  // The node of the n-gram that begins at a token of these references, or `absent`. Nodes are kept unless there are
  // many.
  static constexpr int most_orders_kept = 8;
  static constexpr std::size_t most_tokens_kept = std::size_t{1} << 22;
  bool keeps_nodes() const { return keeps_nodes_; }
  std::uint32_t node_at(std::size_t token, int order) const {
    if (order == 1) return tokens_[token];
    const std::size_t at = static_cast<std::size_t>(order - 2) * tokens_.size() + token;
    return at < nodes_.size() ? nodes_[at] : absent;
  }
  std::size_t first_token(std::size_t segment) const {
    const std::size_t text = segment == 0 ? 0 : segment_ends_[segment - 1];
    return text == 0 ? 0 : text_ends_[text - 1];
  }

  // Start fetching what `child` and `weight` will look at.
  void expect(std::uint32_t node, std::uint32_t word) const {
    prefetch(&weights_[node]);
    if (!links_.empty()) prefetch(&links_[first_slot({node, word})]);
  }

  // The node of an n-gram continued by a word; `absent` where there is none.
  std::uint32_t child(std::uint32_t node, std::uint32_t word) const;

 private:
  // What makes an n-gram of more than one word.
  struct Gram {
    std::uint32_t parent, last_word;
    bool operator==(const Gram&) const = default;
  };

  void read(std::span<const TextView> texts, const Reading& how, const std::function<void()>& pause);
  void count_longer(int order, const std::function<void()>& pause);
  std::uint32_t intern_child(std::uint32_t node, std::uint32_t word);
  std::size_t link_slot(const Gram& gram) const;
  std::size_t first_slot(const Gram& gram) const {
    return mix((std::uint64_t{gram.parent} << 32) | gram.last_word) & (links_.size() - 1);
  }
  void make_room(std::size_t slots);

  WordTable words_;
  std::vector<std::uint32_t> tokens_;  // of all texts, one after another
  std::vector<std::size_t> text_ends_, segment_ends_;
  bool keeps_nodes_ = false;
  std::vector<std::uint32_t> nodes_;  // order by order from bigrams on, of each token
  std::vector<std::uint32_t> links_;  // open addressing: gram -> node, or `absent` in a free slot
  std::vector<Gram> grams_;           // of the nodes that are not single words
  std::vector<std::uint32_t> counts_;
  std::uint64_t total_ = 0;
  std::vector<double> weights_;
};

}  // namespace tricolore::counting
