// LeBLEU: n-grams of words that match others, of other orders too, as far as their letters agree.
#pragma once

#include <cstdint>
#include <vector>

#include "character_numbers.hpp"
#include "processors.hpp"
#include "reader.hpp"
#include "segment_arenas.hpp"
#include "vocabulary.hpp"

namespace tricolore::counting {

// What to count: hits of order 1..N, n-grams of order 1..N, characters of the hypothesis and of the reference.
struct FuzzyCounting {
  static constexpr std::size_t block_size = 8;
  static constexpr bool compares_words_only = false;
  int order = 4;
  double threshold = 0.4;
  std::size_t limit = 2000;  // n-grams to sample from a text; 0 = all
  bool sample_reference = true;

  std::size_t columns() const { return 2 * static_cast<std::size_t>(order) + 2; }
};

// Which start positions of n-grams are kept of `words` when `most` are wanted.
class Sampling {
 public:
  Sampling(std::size_t words, std::size_t most);
  bool keeps(std::size_t i) const { return i % every_ < first_; }

 private:
  std::size_t every_ = 1, first_ = 1;
};

// A text as words joined by single spaces, so that an n-gram is a slice of its characters.
struct FuzzyText {
  std::vector<std::uint32_t> characters, words;
  std::vector<std::uint32_t> begins, ends;  // of each word among the characters
  std::size_t length = 0;                   // characters of the text as it was, white space at the ends left out

  void clear();
  std::uint32_t size_of(std::size_t i, std::size_t order) const { return ends[i + order - 1] - begins[i]; }
};

// Reads texts one segment after another; characters and words of a segment have numbers in common.
class FuzzyReader {
 public:
  void read(const SegmentView& segment, FuzzyText& hypothesis, std::vector<FuzzyText>& references);
  std::uint32_t characters() const { return characters_.size(); }

 private:
  template <class Unit>
  void read_text(const TextView& view, SegmentArena<Unit>& room, FuzzyText& text);

  SegmentArenas arenas_;
  Cutter cutter_;
  CharacterNumbers characters_;
};

class FuzzyWorkspace {
 public:
  void count(const FuzzyCounting& what, const SegmentView& segment, double* rows);

 private:
  // The sampled n-grams of a text: of each position and order the number, which tells word sequences apart.
  struct Grams {
    std::size_t orders = 0;
    std::vector<std::uint32_t> numbers;
    std::vector<std::uint32_t> counts, first_at;  // of each number

    std::uint32_t number(std::size_t i, std::size_t order) const { return numbers[i * orders + order - 1]; }
    bool begins_here(std::size_t i, std::size_t order) const;
  };

  // An n-gram of the hypothesis whose like is sought: the best so far as a ratio of distance to length, or a list of
  // all that are similar if it occurs more than once.
  struct Sought {
    std::uint32_t order, length, count;
    std::uint32_t best_distance = 1, best_length = 1;
    std::uint32_t list = absent;
  };
  struct Similar {
    double similarity;
    std::uint32_t count;
  };

  // An n-gram of the reference, and how often it occurs.
  struct Target {
    std::uint32_t length, count;
  };

  // What a position of either text begins: items from `first` to `last`, the longest with `length` characters.
  struct Place {
    std::uint32_t begin, length;
    std::size_t first, last;
  };

  using Text = FuzzyText;

  void compare(const FuzzyCounting& what, const Text& reference, double* row);
  void number(const Text& text, const Sampling& sampling, std::size_t orders, Grams& grams);
  void list_targets(const Text& reference);
  void list_sought(std::size_t order, double* hits, double* totals);
  double similarity(double distance, double length) const;
  double best_hits(const Sought& sought);

  TRICOLORE_FOR_EACH_PROCESSOR
  void seek_short(std::size_t group, const Text& reference);
  void seek_long(const Place& place, const Text& reference);
  void consider(Sought& sought, std::int64_t distance, const Target& target);

  FuzzyReader reader_;
  Text hypothesis_;
  std::vector<Text> references_;

  double threshold_ = 0.0;
  PairNumbers pairs_;
  Grams hypothesis_grams_, reference_grams_;
  std::vector<Sought> sought_;
  std::vector<Target> targets_;
  std::vector<Place> sought_places_, target_places_;
  std::vector<std::vector<Similar>> lists_;
  std::size_t lists_used_ = 0;

  std::vector<std::uint64_t> masks_;
  std::vector<std::int8_t> border_;
  std::vector<std::int64_t> tops_;
};

}  // namespace tricolore::counting
