// The path of a lattice with the best n-gram recognition rate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphs.hpp"
#include "grr.hpp"

namespace tricolore::graphs::lattices {

// What a metric reads for each word of a graph: none, one or several tokens.
struct WordTokens {
  std::span<const std::int64_t> starts;
  std::span<const std::uint32_t> tokens;

  std::span<const std::uint32_t> of(std::int32_t word) const {
    if (word == no_word) return {};
    return tokens.subspan(starts[word], starts[word + 1] - starts[word]);
  }
};

struct Recognised {
  double worth;                    // Σ M_k - αI - βD
  std::vector<std::int32_t> arcs;  // of the best path
};

// The best over all paths and all ways to edit; of equals the path with the best score, then the one whose arcs come
// first. Exact: values are added in the order of a path, just as for a text, and compared as they are. It needs
// 2 · states · automaton states numbers.
Recognised best_recognised(const LatticeView& lattice, const WordTokens& words,
                           counting::RecognitionAutomaton& automaton);

}  // namespace tricolore::graphs::lattices
