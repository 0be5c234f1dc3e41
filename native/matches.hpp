// Clipped n-gram matches of one sequence of numbers against another: one reference, orders 1..N at once.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vocabulary.hpp"

namespace tricolore::counting {

// Marks one of the occurrences as used; false if all of them are.
template <std::size_t W>
inline bool take_one(const std::uint64_t* occurrences, std::uint64_t* used) {
  for (std::size_t w = 0; w < W; ++w) {
    const std::uint64_t free = occurrences[w] & ~used[w];
    if (free == 0) continue;
    used[w] |= free & (~free + 1);
    return true;
  }
  return false;
}

// For tests: match as on a processor whose vectors have no more lanes (8, 4 or 0); returns how many are used.
int limit_lanes(int most);

class PairMatcher {
 public:
  using Sequence = std::span<const std::uint32_t>;

  // matches[n - 1] = how many n-grams of the hypothesis the reference has, each at most as often as there.
  // Numbers of the reference are below `types`; in the hypothesis others stand for words that it does not have.
  void count(Sequence hypothesis, Sequence reference, std::uint32_t types, int orders, double* matches);

 private:
  void count_single(Sequence hypothesis, Sequence reference, std::uint32_t types, double* matches);
  template <std::size_t W>
  void count_in_bits(Sequence hypothesis, Sequence reference, std::uint32_t types, int orders, double* matches);
  void count_by_levels(Sequence hypothesis, Sequence reference, std::uint32_t types, int orders, double* matches);
  void find_positions(Sequence reference, std::uint32_t types, std::size_t width);

  std::vector<std::int64_t> counts_;
  std::vector<std::uint64_t> positions_, used_;
  PairNumbers pairs_;
  std::vector<std::uint32_t> hypothesis_grams_, reference_grams_;
  std::vector<bool> wanted_;
};

}  // namespace tricolore::counting
