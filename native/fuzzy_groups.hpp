// LeBLEU of every text of one list with every text of another: what many texts have in common is compared once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fuzzy.hpp"
#include "processors.hpp"
#include "text.hpp"
#include "vocabulary.hpp"

namespace tricolore::counting {

// An n-gram of the hypotheses, whichever of them have it, is sought in all references at once. Those of the references
// are a tree, in which n-grams with the same beginning share it: one pass through the tree passes all of them.
class FuzzyGroup {
 public:
  static constexpr std::size_t most_orders = 16;

  // Texts: hypotheses, then references.
  FuzzyGroup(const FuzzyCounting& what, std::span<const TextView> texts, std::size_t hypotheses);

  // Whether no text is so long that its n-grams are sampled, nor n-grams so long that the tree is deep.
  bool fits() const;

  // References are counted block by block.
  std::size_t blocks() const { return (references() + block_ - 1) / block_; }

  struct Similar {
    double similarity;
    std::uint32_t count, place, order;  // as the reference has it: how often, and where first
  };

  // What a thread needs for a block.
  struct Workspace {
    // N-grams of the references, each before those that it begins.
    struct Node {
      const std::uint32_t *begin, *end;  // the characters by which it is longer than its beginning
      std::uint32_t length, order;
      std::uint32_t shortest, longest;     // n-grams that may be similar enough
      std::size_t after;                   // the next one that it does not begin
      std::size_t postings, postings_end;  // the references that have it
    };
    struct Posting {
      std::uint32_t node, reference, count, place;
    };
    struct Child {
      std::uint32_t word, first_child, sibling;
      const std::uint32_t *begin, *end;
      std::uint32_t length;
    };

    PairNumbers pairs;
    std::vector<Child> children;
    std::vector<Posting> found, postings;
    std::vector<std::size_t> posting_ends;
    std::vector<Node> nodes;
    std::vector<std::uint64_t> masks, up, down;
    std::vector<double> best;                   // of each n-gram of the hypotheses, for each reference
    std::vector<std::vector<Similar>> similar;  // of each that a text repeats, for each reference
    std::vector<double> hits;
  };

  // Write the rows of all hypotheses and the references of a block.
  void count(Workspace& workspace, std::size_t block, double* rows) const;

 private:
  // An n-gram of a hypothesis, where it begins first.
  struct Sought {
    std::uint32_t gram, order, count;
  };
  struct Gram {
    std::uint32_t length = 0, repeated = absent;
  };
  // Characters that n-grams of the hypotheses begin with, from the shortest to the longest.
  struct Pattern {
    const std::uint32_t* begin;
    std::size_t first, last;
    std::uint32_t length;
  };

  std::size_t references() const { return texts_.size() - hypotheses_; }
  void number_grams();
  void add_pattern(const FuzzyText& text, std::size_t place, const std::uint32_t* grams, std::size_t orders);
  void grow_tree(Workspace& workspace, std::size_t first, std::size_t last) const;
  void flatten(Workspace& workspace, std::uint32_t child, std::uint32_t order) const;
  TRICOLORE_FOR_EACH_PROCESSOR
  void seek_short(Workspace& workspace, std::size_t pattern, std::size_t size) const;
  void seek_long(Workspace& workspace, const Pattern& pattern) const;
  void consider(Workspace& workspace, std::uint32_t gram, int distance, const Workspace::Node& node) const;
  double best_hits(std::vector<Similar>& similar, std::uint32_t count) const;
  void write(Workspace& workspace, std::size_t first, std::size_t last, double* rows) const;

  FuzzyCounting what_;
  std::size_t hypotheses_;
  std::size_t block_ = 1;  // references
  std::uint32_t characters_ = 0;
  FuzzyText none_;
  std::vector<FuzzyText> texts_;
  std::vector<Gram> grams_;
  std::vector<Sought> sought_;  // of all hypotheses
  std::vector<std::size_t> sought_ends_;
  struct PatternGram {
    std::uint32_t gram, length;
  };
  std::vector<PatternGram> pattern_grams_;
  std::vector<int> limits_;        // the greatest distance that is similar enough, by length
  std::vector<Pattern> patterns_;  // those of at most 64 characters first
  std::size_t short_ = 0;
  std::uint32_t repeated_ = 0;
};

}  // namespace tricolore::counting
