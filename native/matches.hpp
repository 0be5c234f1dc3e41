// Clipped n-gram matches of one sequence of numbers against another: one reference, orders 1..N at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
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

class PairMatcher {
 public:
  using Sequence = std::span<const std::uint32_t>;

  // matches[n - 1] = how many n-grams of the hypothesis the reference has, each at most as often as there.
  // Numbers of the reference are below `types`; in the hypothesis others stand for words that it does not have.
  void count(Sequence hypothesis, Sequence reference, std::uint32_t types, int orders, double* matches) {
    std::fill(matches, matches + orders, 0.0);
    if (orders == 0 || hypothesis.empty() || reference.empty()) return;
    count_single(hypothesis, reference, types, matches);
    if (orders == 1 || matches[0] == 0.0) return;
    switch ((reference.size() + 63) / 64) {
      case 1:
        return count_in_bits<1>(hypothesis, reference, types, orders, matches);
      case 2:
        return count_in_bits<2>(hypothesis, reference, types, orders, matches);
      case 3:
        return count_in_bits<3>(hypothesis, reference, types, orders, matches);
      case 4:
        return count_in_bits<4>(hypothesis, reference, types, orders, matches);
      case 5:
      case 6:
        return count_in_bits<6>(hypothesis, reference, types, orders, matches);
      case 7:
      case 8:
        return count_in_bits<8>(hypothesis, reference, types, orders, matches);
      default:
        return count_by_levels(hypothesis, reference, types, orders, matches);
    }
  }

 private:
  void count_single(Sequence hypothesis, Sequence reference, std::uint32_t types, double* matches) {
    counts_.assign(types, 0);
    for (const std::uint32_t type : reference) ++counts_[type];
    std::size_t found = 0;
    for (const std::uint32_t type : hypothesis) found += type < types && counts_[type]-- > 0;
    matches[0] = static_cast<double>(found);
  }

  // References of up to 64 * W words. For each type W words of bits, set where it stands. Shifting the bits of an
  // (n-1)-gram by one and and-ing those of the next type leaves the ends of the n-gram. Each match uses up one of them,
  // so no n-gram is ever hashed or counted.
  template <std::size_t W>
  void count_in_bits(Sequence hypothesis, Sequence reference, std::uint32_t types, int orders, double* matches) {
    positions_.assign(types * W, 0);
    for (std::size_t i = 0; i < reference.size(); ++i)
      positions_[reference[i] * W + i / 64] |= std::uint64_t{1} << (i % 64);
    const auto highest = std::min<std::size_t>(static_cast<std::size_t>(orders), reference.size());
    used_.assign((highest + 1) * W, 0);
    const std::size_t length = hypothesis.size();
    for (std::size_t i = 0; i + 1 < length; ++i) {
      if (hypothesis[i] >= types) continue;
      std::uint64_t ends[W];
      std::memcpy(ends, positions_.data() + hypothesis[i] * W, sizeof ends);
      for (std::size_t n = 2; n <= highest && i + n <= length; ++n) {
        const std::uint32_t type = hypothesis[i + n - 1];
        if (type >= types) break;
        const std::uint64_t* positions = positions_.data() + type * W;
        std::uint64_t carried = 0, any = 0;
        for (std::size_t w = 0; w < W; ++w) {
          const std::uint64_t next = ends[w] >> 63;
          ends[w] = ((ends[w] << 1) | carried) & positions[w];
          carried = next;
          any |= ends[w];
        }
        if (any == 0) break;
        if (take_one<W>(ends, used_.data() + n * W)) matches[n - 1] += 1.0;
      }
    }
  }

  // References of any length, order by order: an n-gram is the number of its first n-1 words paired with its last word.
  // Only n-grams whose prefix the other side has are carried on, and memory stays linear in the text.
  void count_by_levels(Sequence hypothesis, Sequence reference, std::uint32_t types, int orders, double* matches) {
    hypothesis_grams_.assign(hypothesis.begin(), hypothesis.end());
    for (std::uint32_t& gram : hypothesis_grams_)
      if (gram >= types) gram = absent;
    reference_grams_.assign(reference.begin(), reference.end());
    wanted_.assign(types, false);
    for (const std::uint32_t gram : hypothesis_grams_)
      if (gram != absent) wanted_[gram] = true;
    for (std::size_t n = 1; n < static_cast<std::size_t>(orders); ++n) {
      pairs_.reset(reference.size());
      for (std::size_t i = 0; i < reference.size(); ++i) {
        std::uint32_t& gram = reference_grams_[i];
        if (gram == absent) continue;
        gram = i + n < reference.size() && wanted_[gram] ? pairs_.intern(gram, reference[i + n]) : absent;
      }
      counts_.assign(pairs_.size(), 0);
      for (const std::uint32_t gram : reference_grams_)
        if (gram != absent) ++counts_[gram];
      wanted_.assign(pairs_.size(), false);
      std::size_t found = 0;
      bool any = false;
      for (std::size_t i = 0; i < hypothesis.size(); ++i) {
        std::uint32_t& gram = hypothesis_grams_[i];
        if (gram == absent) continue;
        const bool goes_on = i + n < hypothesis.size() && hypothesis[i + n] < types;
        gram = goes_on ? pairs_.find(gram, hypothesis[i + n]) : absent;
        if (gram == absent) continue;
        any = wanted_[gram] = true;
        found += counts_[gram]-- > 0;
      }
      matches[n] = static_cast<double>(found);
      if (!any) return;
    }
  }

  std::vector<std::int64_t> counts_;
  std::vector<std::uint64_t> positions_, used_;
  PairNumbers pairs_;
  std::vector<std::uint32_t> hypothesis_grams_, reference_grams_;
  std::vector<bool> wanted_;
};

}  // namespace tricolore::counting
