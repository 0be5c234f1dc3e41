// The best derivations of a forest, or its best texts.
#pragma once

#include <cstddef>

#include "forest_derivations.hpp"
#include "graphs.hpp"

namespace tricolore::graphs::forests {

// The best `number` derivations, best first; with `distinct`, the best one of each of the best texts. Throws
// std::overflow_error if more than `limit` derivations of nodes would have to be kept.
Derivations best_derivations(const ForestView& forest, std::size_t number, bool distinct, std::size_t limit);

}  // namespace tricolore::graphs::forests
