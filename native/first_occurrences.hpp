// How likely n-grams are in a path of a lattice, once or more often: every path counts where it has one first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphs.hpp"
#include "lattice_sums.hpp"
#include "processors.hpp"

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
// of its own; or passes that tell how likely one comes from where any n-gram ends to where it begins again. The latter
// stop where paths have forgotten the state they come from: further on, it is as likely to come to a state from there
// as it is at all, but for a factor.
class FirstOccurrences {
 public:
  // How many states are started from, or n-grams looked for, at once.
  static constexpr std::size_t lanes = 16;

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

  // One of its occurrences, and the probability to come to it after another.
  struct Later {
    std::int32_t ngram;  // among those that wait
    std::int32_t from, to;
    double chance;
    double taken = 0.0;
  };

  // An occurrence that another of the same n-gram may follow; the last one of that n-gram begins in `last`.
  struct Sender {
    std::size_t occurrence;
    std::int32_t to, last;
  };

  // An n-gram that needs a pass of its own, the first state that it begins in and the last that it ends in.
  struct Repeated {
    std::vector<std::int32_t> words;
    std::int32_t from, to;
    std::vector<double>* values;
    std::size_t at;
  };

  // A word of an n-gram that is in a lane of a pass, where its moves are, and the next of the same word.
  struct WordInLane {
    std::size_t lane, moves, next;
  };

  void add_repeated(std::span<const std::int32_t> ngram, std::span<const Occurrence> occurrences,
                    std::vector<double>& values);
  void find_borders(std::span<const std::int32_t> ngram);
  void make_moves(std::span<const std::int32_t> ngram, std::size_t lane);
  void forget_moves(std::span<const std::int32_t> ngram);
  void expect(std::size_t steps);
  double pass(std::span<const std::int32_t> ngram, std::int32_t begin, std::int32_t end);
  void pass_repeated(std::vector<Repeated>& ngrams);
  TRICOLORE_FOR_EACH_PROCESSOR
  void pass_lanes(std::span<const Repeated> ngrams, std::int32_t begin, std::int32_t end, double* found);
  TRICOLORE_FOR_EACH_PROCESSOR
  std::int32_t spread(std::int32_t begin, std::int32_t last, std::int32_t end);
  template <class AnyOccurrence>
  static std::int32_t last_end(std::span<const AnyOccurrence> occurrences);
  std::size_t arcs_between(std::int32_t begin, std::int32_t end) const { return out_.begin(end) - out_.begin(begin); }
  std::span<const Later> occurrences_of(const Waiting& ngram) const;
  std::vector<Sender> senders(std::size_t& pairs) const;
  std::size_t arcs_until_forgotten(std::span<const Sender> senders);
  std::size_t cost_of_blocks(std::span<const Sender> senders);
  void find_reach();
  void pass_blocks(std::span<const Sender> senders);
  void pass_block(std::span<const Sender> senders);
  double first(const Later& occurrence) const;

  const LatticeView& lattice_;
  const OutArcs& out_;
  const Walk& walk_;
  std::vector<std::size_t> borders_, moves_;
  std::vector<std::size_t> word_at_;  // of each word, the first of words_in_lanes_, one further
  std::vector<WordInLane> words_in_lanes_;
  std::vector<std::int32_t> farthest_;  // the last state that an arc of each state goes to
  std::vector<std::int32_t> earliest_;  // the first state with an arc to each state or to a later one
  std::vector<double> rows_;
  double factors_[lanes];                        // of each lane, once forgotten
  std::vector<std::vector<Repeated>> repeated_;  // by their length
  std::vector<Waiting> waiting_;
  std::vector<std::int32_t> words_;
  std::vector<Later> occurrences_;
  std::size_t steps_ = 0;  // arcs that passes go over
};

}  // namespace tricolore::graphs::lattices
