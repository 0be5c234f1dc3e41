// The derivation of a forest that a reference recognises best: an exact oracle for n-gram recognition rates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "forest_derivations.hpp"
#include "graphs.hpp"
#include "grr.hpp"

namespace tricolore::graphs::forests {

// The tokens that a metric cuts each word of a graph into; none is like no word.
struct WordTokens {
  std::span<const std::int64_t> starts;
  std::span<const std::int32_t> ids;

  std::span<const std::int32_t> of(std::size_t word) const {
    return ids.subspan(starts[word], starts[word + 1] - starts[word]);
  }
};

struct Recognised {
  double weight;           // of the best path through the automaton, as it is counted for the derivation's text
  Derivations derivation;  // one
};

// Of equally good derivations one with the best score. Throws std::overflow_error if more than `limit` numbers would
// have to be kept, or if it would take many minutes.
Recognised best_recognised(const ForestView& forest, const WordTokens& tokens, std::span<const std::int32_t> reference,
                           counting::Recognition how, std::size_t limit);

}  // namespace tricolore::graphs::forests
