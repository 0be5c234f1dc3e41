// N-grams that texts share: every text of one list with every text of another, each text read once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "chrf.hpp"
#include "overlaps.hpp"
#include "reader.hpp"
#include "text.hpp"
#include "vocabulary.hpp"

namespace tricolore::counting {

// Texts of two lists: hypotheses, then references; if they are the same list, it is there once.
struct TextGroup {
  std::span<const TextView> texts;
  std::size_t hypotheses = 0;
  bool same = false;

  std::size_t references() const { return same ? hypotheses : texts.size() - hypotheses; }

  // All texts as references of one segment, whose hypothesis is empty.
  SegmentView segment() const { return {{nullptr, 0, 1, !texts.empty() && texts.front().ids}, texts}; }
};

// What is counted of a group: matches of order 1, 2, ..., for every hypothesis one number a reference, or one in all
// where an average of the references stands for them; lengths of both.
struct GroupMatches {
  std::vector<double> matches, hypothesis_lengths, reference_lengths;
};

// Counts order by order. All places of all texts are sorted by what stands there, as many words as fit into a number
// at a time; places with the same n-gram are then side by side, for every n. The k-th occurrence of an n-gram in a text
// is a type of its own, so that a text is a set of types, and two texts share as many n-grams as types. A type that few
// texts have is added to each pair of them. One that many have is a bit for each of them, and bits are counted many at
// a time. An n-gram that stands in one place alone matches nothing, nor does any longer one.
class SharedNgrams {
 public:
  // `texts` are those of a group, as if all were references of one segment.
  void count(const Words& texts, const TextGroup& group, int orders, double* matches);

  // The same against one bag of n-grams in which each counts the weighted sum of its counts in the references:
  // the sum of minima for each hypothesis.
  void count_expected(const Words& texts, const TextGroup& group, std::span<const double> weights, int orders,
                      double* matches);

 private:
  // The text of a place, and how many words of its key it has in common with the place before, in eight bits.
  using Neighbour = std::uint32_t;
  using Neighbours = std::span<const Neighbour>;
  struct Seen {
    std::uint32_t stamp = 0, times = 0;
  };

  struct Sides {
    std::size_t hypotheses, references;
  };

  static std::uint64_t bit_of(std::uint32_t text) { return std::uint64_t{1} << (text % 64); }
  static std::uint32_t text_of(Neighbour place) { return place >> 8; }
  static std::size_t common_of(Neighbour place) { return place & 0xFF; }

  // Places that have an n-gram in common, order by order.
  template <bool alone, class OnOrder, class OnGroup>
  void for_groups(const Words& texts, std::size_t orders, OnOrder&& on_order, OnGroup&& on_group);
  template <class OnGroup>
  void for_several(std::size_t words, OnGroup&& on_group);
  template <class OnGroup>
  void for_any(std::size_t words, OnGroup&& on_group) const;
  void first_keys(const Words& texts, std::size_t orders);
  void next_keys(const Words& texts, std::size_t orders);
  void fit_round(std::size_t orders);
  void sort_keys();
  void compare_neighbours(const Words& texts);
  std::size_t place_of(std::uint64_t key) const { return key & ((std::uint64_t{1} << place_bits_) - 1); }
  std::uint32_t times_before(std::uint32_t text);

  // Types and the texts that have them.
  void begin(const Words& texts, const TextGroup& group);
  void add_types(Neighbours places);
  bool mark(Neighbours places);
  void add_repeated(Neighbours places);
  Sides sides_of(const std::uint64_t* row) const;
  bool is_frequent(const Sides& sides) const;
  void add_pairs(Neighbours places);
  void add_pair(std::uint32_t one, std::uint32_t other);
  void count_bits();
  void write(const Words& texts, std::size_t order, double* matches) const;

  TextGroup group_;
  std::size_t size_ = 0;  // texts

  // Of each place: a number for the words of earlier rounds, the words of this round, and the number of the place.
  std::vector<std::uint64_t> keys_, sorted_;
  std::size_t done_ = 0;      // words of the orders before this round
  std::size_t in_round_ = 0;  // words in the keys of this round
  std::uint64_t starts_ = 1;  // different n-grams that places of this round begin with
  int place_bits_ = 1, word_bits_ = 1, key_bits_ = 1;
  std::vector<std::uint32_t> digits_;
  std::vector<std::uint32_t> text_at_;  // of each place
  std::vector<Neighbour> neighbours_;   // the places, sorted; those that no order needs any more are left out
  std::vector<std::uint8_t> lefts_;     // words of its key that the text of a place has

  std::vector<Seen> seen_;  // of each text
  std::uint32_t stamp_ = 0;
  std::vector<std::vector<Neighbour>> beyond_;  // places of types that there is no row for
  std::vector<Neighbour> texts_with_;
  std::size_t pairs_ = 0;             // of texts
  std::vector<std::uint64_t> marks_;  // a row a type, a bit a text
  std::size_t marked_ = 0, row_ = 0;  // types; words a row
  std::vector<std::uint64_t> bits_;   // a row a text, a bit a type
  std::vector<std::uint32_t> counts_;
};

// Reads and counts groups one after another.
class PairwiseWorkspace {
 public:
  // Words; against the average of the references if there are weights.
  void count(const Reading& how, int orders, const TextGroup& group, std::span<const double> weights,
             GroupMatches& words);
  // Skip-bigrams; the lengths are how many a text has.
  void count(const Reading& how, const Overlap& what, const TextGroup& group, GroupMatches& out);
  // Characters, and then words if any are to be counted, as chrF has them.
  void count(const ChrfCounting& what, const TextGroup& group, std::span<const double> weights,
             std::span<GroupMatches> out);

 private:
  void count(const Words& texts, int orders, const TextGroup& group, std::span<const double> weights,
             GroupMatches& out);
  bool list_skip_bigrams(const Overlap& what);

  SegmentReader reader_;
  Words read_, skip_bigrams_;
  SkipBigrams skipping_;
  ChrfReader chrf_reader_;
  SharedNgrams shared_;
};

}  // namespace tricolore::counting
