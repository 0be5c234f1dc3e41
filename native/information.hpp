// Counts of the n-grams of a whole corpus, as NIST's information weights need them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "text.hpp"
#include "tokenize.hpp"
#include "vocabulary.hpp"

namespace tricolore {

// The bytes of a token, the same for every storage width (UTF-8, surrogates included).
template <class Unit>
void encode(const Unit* text, std::size_t size, std::string& bytes);

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

  NgramCounts() = default;
  NgramCounts(std::span<const TextView> texts, Tokenizer tokenizer, bool strip_punctuation, int order);
  explicit NgramCounts(State state);

  const std::vector<std::uint32_t>& counts() const { return counts_; }
  std::vector<std::uint32_t> prefix_counts() const;  // of each node; the number of words for a unigram
  std::uint64_t total() const { return total_; }
  State state() const;

  // One number a node, set by the caller from the counts.
  void set_weights(std::vector<double> weights);
  double weight(std::uint32_t node) const { return weights_[node]; }

  // The node of a word or of a node continued by a word; `absent` where there is none.
  std::uint32_t word(std::string_view bytes) const;
  std::uint32_t child(std::uint32_t node, std::uint32_t word) const;

 private:
  struct Link {
    std::uint32_t parent = absent, word = absent, node = absent;
  };

  void read(std::span<const TextView> texts, Tokenizer tokenizer, bool strip_punctuation,
            std::vector<std::uint32_t>& tokens, std::vector<std::size_t>& ends);
  std::uint32_t intern_word(std::string_view bytes);
  std::uint32_t intern_child(std::uint32_t node, std::uint32_t word);
  std::size_t word_slot(std::string_view bytes) const;
  std::size_t link_slot(std::uint32_t node, std::uint32_t word) const;
  void grow_words();
  void grow_links();

  std::string bytes_;                     // all words, one after another
  std::vector<std::size_t> word_ends_;    // where each ends in bytes_
  std::vector<std::uint32_t> word_table_; // open addressing: the number of a word, or absent
  std::vector<Link> links_;               // open addressing: (parent, word) -> node
  std::size_t link_count_ = 0;
  std::vector<std::uint32_t> counts_;
  std::uint64_t total_ = 0;
  std::vector<double> weights_;
};

}  // namespace tricolore
