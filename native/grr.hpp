// N-gram recognition rate: the automaton of a reference, and the best path of a hypothesis through it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "occurrences.hpp"
#include "reader.hpp"

namespace tricolore::counting {

// What insertions (alpha) and deletions (beta) cost, and the longest n-gram that counts.
struct Recognition {
  int order = 4;
  double alpha = 1.0, beta = 0.0;
};

// The automaton of Chiang et al. (2008, section 4) for a reference r. It stands in a state (i, m) after i words of the
// reference of which the last m, at most order - 1, were matched in a row. Reading a word w or nothing it goes
//
//   (i, m)  -- w = r[i] : m+1 -->  (i+1, min(m+1, order-1))   match: it completes an n-gram of each order up to m+1
//   (i, m)  -- any      :   0 -->  (i+1, 0)                   substitution
//   (i, m)  -- any      :  -α -->  (i, 0)                     insertion
//   (i, m)  -- nothing  :  -β -->  (i+1, 0)                   deletion
//
// from (0, 0) to any (|r|, m). The values of all states, the best weight of a path that leads there, are one array.
// A path reads words in sequence; whatever joins paths, a lattice for one, takes the greater value state by state, and
// then allows deletions:
//
//   begin(values);                     at the beginning
//   read(word, before, after);         along an edge; `after` keeps what is greater
//   skip(after);                       once all edges into a node have been read
//   end(values)                        the best complete path
class RecognitionAutomaton {
 public:
  // Words of the reference are numbers below `types`; it must outlive the automaton.
  void set(Recognition how, std::span<const std::uint32_t> reference, std::uint32_t types);

  std::size_t states() const { return positions() * runs_; }
  void clear(std::span<double> values) const;  // no path leads anywhere
  void begin(std::span<double> values);
  void read(std::uint32_t word, std::span<const double> before, std::span<double> after);
  void skip(std::span<double> values);
  double end(std::span<const double> values) const;

  // The moves themselves, for those who want to know which of them were made: visit(from, to, weight).
  template <class Visit>
  void each_reading(std::uint32_t word, Visit&& visit) const;
  // An order in which deletions follow one another, or its reverse.
  template <class Visit>
  void each_deletion(Visit&& visit, bool backwards = false) const;
  bool ends(std::size_t state) const { return state % positions() == reference_.size(); }

 private:
  std::size_t positions() const { return reference_.size() + 1; }
  // State (i, m) is at m * positions() + i.
  void find_best(std::span<const double> values);

  Recognition how_;
  std::span<const std::uint32_t> reference_;
  std::size_t runs_ = 1;  // how many m there are
  Occurrences occurrences_;
  std::vector<double> best_;  // over m, for each i
};

template <class Visit>
void RecognitionAutomaton::each_reading(std::uint32_t word, Visit&& visit) const {
  const std::size_t size = positions();
  for (std::size_t m = 0; m < runs_; ++m) {
    for (std::size_t i = 0; i < size; ++i) {
      visit(m * size + i, i, -how_.alpha);
      if (i + 1 < size) visit(m * size + i, i + 1, 0.0);
    }
  }
  for (const std::uint32_t i : occurrences_.of(word)) {
    for (std::size_t m = 0; m < runs_; ++m)
      visit(m * size + i, std::min(m + 1, runs_ - 1) * size + i + 1, static_cast<double>(m + 1));
  }
}

template <class Visit>
void RecognitionAutomaton::each_deletion(Visit&& visit, bool backwards) const {
  const std::size_t size = positions();
  for (std::size_t k = 0; k + 1 < size; ++k) {
    const std::size_t i = backwards ? size - 2 - k : k;
    for (std::size_t m = 0; m < runs_; ++m) visit(m * size + i, i + 1, -how_.beta);
  }
}

// What to count for each pair: the weight of the best path, and the n-grams of the reference.
struct RecognitionCounting {
  static constexpr std::size_t block_size = 64;
  static constexpr bool compares_words_only = true;
  Reading reading;
  Recognition how;

  std::size_t columns() const { return 2; }
};

class RecognitionWorkspace {
 public:
  void count(const RecognitionCounting& what, const SegmentView& segment, double* rows);

 private:
  SegmentReader reader_;
  Words words_;
  RecognitionAutomaton automaton_;
  std::vector<double> before_, after_;
};

}  // namespace tricolore::counting
