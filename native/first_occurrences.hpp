// How likely n-grams are in a path of a lattice, once or more often: every path counts where it has one first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphs.hpp"
#include "lattice_sums.hpp"

namespace tricolore::graphs::lattices {

// An n-gram that begins with an arc from one state and ends with an arc to another; `chance` is that of its arcs, once
// in the first state, over all ways.
struct Occurrence {
  std::int32_t ngram;
  std::int32_t from, to;
  double chance;
};

// Where no path can have an n-gram twice, the chances of its occurrences add up. Where one can, there are two ways, and
// the one that costs less is taken: a pass over the states between the first occurrence and the last, for each n-gram
// of its own; or passes that tell how likely one comes from where any n-gram ends to where it begins again.
class FirstOccurrences {
 public:
  FirstOccurrences(const LatticeView& lattice, const OutArcs& out, const Walk& walk);

  // All occurrences of an n-gram, in the order of the states they begin in. Its probability is put at the end of
  // `values`; it may be there only when all is finished. Both throw std::overflow_error if it would take too long.
  void add(std::span<const std::int32_t> ngram, std::span<const Occurrence> occurrences, std::vector<double>& values);
  void finish();

 private:
  // An n-gram whose occurrences may follow one another without overlap.
  struct Waiting {
    std::size_t begin, end;  // of its occurrences
    std::size_t word_begin, words;
    std::vector<double>* values;
    std::size_t at;
  };

  // A word that is alone an n-gram, the first state that it begins in and the last that it ends in.
  struct SingleWord {
    std::int32_t word, from, to;
    std::vector<double>* values;
    std::size_t at;
  };

  void find_borders(std::span<const std::int32_t> ngram);
  void make_moves(std::span<const std::int32_t> ngram);
  void expect(std::size_t steps);
  double pass(std::span<const std::int32_t> ngram, std::span<const Occurrence> occurrences);
  void pass_words();
  void spread(std::int32_t begin, std::int32_t end);
  static std::int32_t last_end(std::span<const Occurrence> occurrences);
  std::size_t arcs_between(std::span<const Occurrence> occurrences) const;
  std::vector<std::size_t> senders() const;
  std::size_t cost_of_blocks(std::span<const std::size_t> senders) const;
  void pass_blocks(std::span<const std::size_t> senders);
  void pass_block(std::span<const std::size_t> senders);
  double first(std::size_t occurrence) const;

  const LatticeView& lattice_;
  const OutArcs& out_;
  const Walk& walk_;
  std::vector<std::size_t> borders_, moves_, place_of_;
  std::vector<double> rows_;
  std::vector<SingleWord> single_words_;
  std::vector<Waiting> waiting_;
  std::vector<std::int32_t> words_;
  std::vector<Occurrence> occurrences_;  // `ngram` is its place among those that wait
  std::vector<double> taken_;            // the probability to come to an occurrence after another
  std::size_t steps_ = 0;                // arcs that passes go over
};

}  // namespace tricolore::graphs::lattices
