// Matches between two sequences, and the runs that they are made of: General Text Matcher.
//
// A hit is a pair of equal words. A match takes hits so that no position is used twice on either side; a run is a
// diagonal block of hits in it, c[i..i+n) = r[j..j+n). A run of n words weighs n^e, e >= 1, and the heaviest match is
// sought: by a greedy rule, or exactly, which takes exponential time in the worst case.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "occurrences.hpp"
#include "reader.hpp"

namespace tricolore::counting {

// The weight of a match, with run lengths in units of `unit` words so that no exponent is too large for it:
// the sum over runs of (length / unit)^e. It is not a number where the exact search was given up.
struct MatchWeight {
  double unit = 1.0, sum = 0.0;
};

// Which positions have been used, as bits.
class UsedPositions {
 public:
  void reset(std::size_t size) { bits_.assign(size / 64 + 1, 0); }
  bool operator[](std::size_t i) const { return (bits_[i / 64] >> (i % 64)) & 1; }
  void use(std::size_t begin, std::size_t end);
  // The first position from `begin` on that is used, or free; `end` if there is none before it.
  std::size_t next_used(std::size_t begin, std::size_t end) const { return next(begin, end, 0); }
  std::size_t next_free(std::size_t begin, std::size_t end) const { return next(begin, end, ~std::uint64_t{0}); }

 private:
  std::size_t next(std::size_t begin, std::size_t end, std::uint64_t flip) const;

  std::vector<std::uint64_t> bits_;
};

// Two sequences to match. Words are numbers below `types`; other numbers must not be the same on both sides.
struct RunInput {
  std::span<const std::uint32_t> hypothesis, reference;
  std::uint32_t types;
  const Occurrences& in_reference;
};

// Takes the longest free block again and again; of equals that which begins first in the hypothesis, then in the
// reference.
class GreedyRuns {
 public:
  MatchWeight match(const RunInput& input, double exponent);

 private:
  void collect(const RunInput& input);
  void add(std::size_t length, std::size_t i, std::size_t j);
  bool take_if_free(std::size_t length, std::size_t i, std::size_t j);

  // Blocks by length, each a place (i, j) in one number. They are as long as they were when they were put here; what
  // has been used since is found out, and the block cut, when its turn comes.
  std::vector<std::vector<std::uint64_t>> blocks_;
  std::size_t longest_ = 0;
  UsedPositions hypothesis_, reference_;
  std::vector<std::int64_t> free_;
};

// Finds the heaviest match.
//
// Runs use a word as often on one side as on the other. So if all runs of two words or more have been chosen, the words
// that can still be matched one by one are the words in common less those in the runs, whichever they are; and the
// heaviest match is that whose runs have the greatest sum of n^e - n, the gain of a run of n words, n >= 2.
//
// From left to right through the hypothesis, every run that may begin at a position is tried, and the best gain is
// remembered for each (position, used positions of the reference that are still of interest).
class ExactRuns {
 public:
  MatchWeight match(const RunInput& input, double exponent, std::size_t words_in_common);

 private:
  // Positions of the reference that runs may use from more than one position of the hypothesis.
  static constexpr std::size_t most_contested = 512;
  static constexpr std::size_t most_words = 1000;       // bounds the depth of the search
  static constexpr std::size_t most_hits = 1'000'000;   // and this what is prepared for it
  static constexpr std::size_t most_states = 200'000;   // and these the room
  static constexpr std::size_t most_steps = 3'000'000;  // and the time

  using Contested = std::array<std::uint64_t, most_contested / 64>;

  struct State {
    std::uint32_t position;
    Contested used;
    bool operator==(const State&) const = default;
  };

  struct StateHash {
    std::size_t operator()(const State& state) const {
      std::uint64_t hash = state.position;
      for (const std::uint64_t word : state.used) hash = mix(hash * 0x9E3779B97F4A7C15ull + word);
      return static_cast<std::size_t>(hash);
    }
  };

  static bool has_few_hits(const RunInput& input);
  std::size_t find_places(const RunInput& input);
  bool find_contested(const RunInput& input);
  void find_bounds(const RunInput& input);
  std::span<const std::uint32_t> places(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : place_ends_[i - 1];
    return {places_.data() + begin, place_ends_[i] - begin};
  }
  double best_from(const RunInput& input, std::size_t i);
  std::size_t free_length(const RunInput& input, std::size_t i, std::size_t j) const;
  void use(const RunInput& input, std::size_t j, std::size_t length, bool used);
  double bound(const RunInput& input, std::size_t i);

  std::vector<std::uint32_t> places_;    // where in the reference a run of two may begin, for each position
  std::vector<std::size_t> place_ends_;  // of the hypothesis
  std::vector<double> gains_;            // of a run of each length
  std::vector<double> bounds_;           // the gain from a position on if the reference could be used again
  std::vector<std::uint32_t> longest_;   // longest block that begins at a position of the hypothesis or later
  std::vector<char> in_play_;            // positions of the hypothesis that runs may use
  std::vector<std::uint32_t> left_,
      seen_;                          // unused positions of the reference that runs may use, by word; room to count
  std::vector<std::uint32_t> users_;  // the position of the hypothesis that may use one of the reference, or several
  std::vector<std::uint32_t> contested_;  // the number of a contested position of the reference, or `absent`
  std::vector<Contested> of_interest_;    // the contested positions that runs from a position on may use
  std::vector<char> taken_;               // positions of the reference
  Contested used_{};
  std::unordered_map<State, double, StateHash> memory_;
  std::size_t steps_ = 0;
  bool given_up_ = false;
};

enum class RunSearch : int { greedy, exact };

// What to count for each pair: unit and sum of the match's weight, hypothesis length, reference length.
struct RunCounting {
  static constexpr std::size_t block_size = 16;
  static constexpr bool compares_words_only = true;
  Reading reading;
  double exponent = 1.0;
  RunSearch search = RunSearch::greedy;
  bool joined = false;  // match against all references at once, which no run may cross

  std::size_t columns() const { return 4; }
};

class RunWorkspace {
 public:
  void count(const RunCounting& what, const SegmentView& segment, double* rows);

 private:
  MatchWeight match(const RunCounting& what, std::span<const std::uint32_t> reference);
  std::size_t words_in_common(std::span<const std::uint32_t> reference);
  void join_references();

  SegmentReader reader_;
  Words words_;
  Occurrences occurrences_;
  GreedyRuns greedy_;
  ExactRuns exact_;
  std::vector<std::uint32_t> joined_;
  std::vector<std::int64_t> counts_;
};

}  // namespace tricolore::counting
