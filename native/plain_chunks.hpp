// The fewest chunks of an alignment of equal words, where little work is proof enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "independent_sets.hpp"

namespace tricolore::counting {

// Every word may match every equal one, and as many are matched as possible: min(hᵥ, rᵥ) of each type v, where hᵥ and
// rᵥ count its words in hypothesis and reference. What is to be found is the fewest chunks in which that can be done.
//
// A bond is a bigram of the hypothesis on an equal one of the reference, that is, two matches of which the second goes
// on from the first. Two bonds exclude each other if they share a word, of either text, that they match differently.
// Bonds that do not exclude each other leave words enough for all matches there can be, so an alignment of m matches
// has at least m - b chunks, where b is the size of a largest set of such bonds, and one has just that many. Most bonds
// exclude no other; among the rest a largest set is searched for.
class PlainChunks {
 public:
  struct Found {
    std::int32_t matches, chunks;
  };

  // Nothing if it takes too long to be sure. Words are numbers below `types`.
  std::optional<Found> find(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                            std::uint32_t types);

 private:
  static constexpr std::size_t most_pairs = 50'000'000;  // of equal words that are looked at
  static constexpr std::size_t most_bonds = 1 << 14;
  static constexpr std::size_t most_edges = 1 << 19;

  struct Type {
    std::uint32_t first = 0;  // where it stands first in the reference, plus 1
    std::uint32_t left = 0;   // its words in the reference that have no match yet
  };
  // A bigram of the hypothesis on one of the reference, by where their first words stand.
  struct Bond {
    std::uint32_t at, place;
    std::uint32_t first_place;  // of equal bigrams of the reference
  };

  std::int32_t note_types();
  bool find_bonds();
  bool find_conflicts();

  std::span<const std::uint32_t> hypothesis_, reference_;
  std::vector<Type> types_;          // empty before and after
  std::vector<std::uint32_t> next_;  // of each word of the reference, where the next equal one stands, plus 1
  std::vector<std::uint32_t> uses_, reference_uses_;  // of each word, how many different matches bonds give it
  std::vector<Bond> bonds_;
  std::vector<GridNode> disputed_;  // those that exclude others: rows in the hypothesis, columns in the reference
  std::vector<IndependentSets::Edge> conflicts_;
  std::vector<std::uint32_t> by_column_;
  IndependentSets sets_;
};

}  // namespace tricolore::counting
