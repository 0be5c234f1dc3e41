// A forest whose derivations are scored by the n-grams they have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "graphs.hpp"

namespace tricolore::graphs::forests {

// What each word of a text is worth, and each occurrence of some n-grams: word numbers one after another, and where
// each n-gram begins.
struct NgramWorths {
  double word;
  std::span<const std::int64_t> starts;
  std::span<const std::int32_t> words;
  std::span<const double> values;
};

struct OwnedForest {
  std::vector<std::int32_t> heads;
  std::vector<std::int64_t> starts{0};
  std::vector<std::int32_t> items;
  std::vector<double> scores;
  std::size_t nodes = 0;
  std::vector<std::int32_t> origins;  // which edge each was; -1 if it is only a part of one
};

// The same texts and derivations, scored by what their n-grams are worth plus `model` times their scores before. Throws
// std::overflow_error if more than `limit` edges would be needed.
OwnedForest rescored(const ForestView& forest, const NgramWorths& worths, double model, std::size_t limit);

}  // namespace tricolore::graphs::forests
