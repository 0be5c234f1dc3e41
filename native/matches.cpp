#include "matches.hpp"

#include <algorithm>
#include <cstring>

#include "lanes.hpp"
#include "processor_level.hpp"

namespace tricolore::counting {

namespace {

// For how many words of bits there is code, the fewest that hold so many places.
constexpr std::size_t most_places = 512;
std::size_t width_for(std::size_t places) {
  const std::size_t width = (places + 63) / 64;
  for (const std::size_t one : {4, 6, 8, 12})
    if (width <= one) return one == 4 ? width : one;
  return 16;
}

#if defined(TRICOLORE_HAS_CLONES)
// The last lane of `before`, then all but the last of `lanes`.
[[gnu::always_inline]] inline void move_lanes(const FourWords& before, const FourWords& lanes, FourWords& moved) {
#if __has_builtin(__builtin_shufflevector)
  moved = __builtin_shufflevector(before, lanes, 3, 4, 5, 6);
#else
  moved = FourWords{before[3], lanes[0], lanes[1], lanes[2]};
#endif
}
[[gnu::always_inline]] inline void move_lanes(const EightWords& before, const EightWords& lanes, EightWords& moved) {
#if __has_builtin(__builtin_shufflevector)
  moved = __builtin_shufflevector(before, lanes, 7, 8, 9, 10, 11, 12, 13, 14);
#else
  moved = EightWords{before[7], lanes[0], lanes[1], lanes[2], lanes[3], lanes[4], lanes[5], lanes[6]};
#endif
}

// Orders are lanes of a vector, or of two. Lane n has the ends of the n-grams that end at a word of the hypothesis:
// those of lane n - 1 at the word before, shifted by one, and-ed with where the word stands. In every lane the first
// end that is left is used up, without a branch.
template <class Lanes, std::size_t W, std::size_t groups>
[[gnu::always_inline]] inline void match_in_lanes(PairMatcher::Sequence hypothesis, const std::uint64_t* positions,
                                                  std::uint32_t types, int orders, double* matches) {
  constexpr int lanes = sizeof(Lanes) / 8;
  Lanes used[groups][W] = {}, ends[groups][W] = {}, found[groups] = {};
  for (const std::uint32_t type : hypothesis) {
    const std::uint64_t* const places = positions + std::min(type, types) * W;
    Lanes none[groups], carried[groups] = {};
    for (Lanes& one : none) one = ~Lanes{};
    for (std::size_t w = 0; w < W; ++w) {
      const Lanes here = Lanes{} + places[w];
      Lanes before = ~Lanes{};  // every word ends what has no words
      for (std::size_t g = 0; g < groups; ++g) {
        const Lanes grown = (ends[g][w] << 1) | carried[g];
        carried[g] = ends[g][w] >> 63;
        move_lanes(before, grown, ends[g][w]);
        ends[g][w] &= here;
        before = grown;
        const Lanes left = ends[g][w] & ~used[g][w];
        used[g][w] |= left & -left & none[g];
        none[g] &= (Lanes)(left == 0);
      }
    }
    for (std::size_t g = 0; g < groups; ++g) found[g] += none[g] + 1;
  }
  for (int n = 0; n < orders; ++n) matches[n] = static_cast<double>(found[n / lanes][n % lanes]);
}

template <class Lanes, std::size_t groups>
[[gnu::always_inline]] inline void match_in_lanes(PairMatcher::Sequence hypothesis, const std::uint64_t* positions,
                                                  std::size_t width, std::uint32_t types, int orders, double* matches) {
  switch (width) {
    case 1:
      return match_in_lanes<Lanes, 1, groups>(hypothesis, positions, types, orders, matches);
    case 2:
      return match_in_lanes<Lanes, 2, groups>(hypothesis, positions, types, orders, matches);
    case 3:
      return match_in_lanes<Lanes, 3, groups>(hypothesis, positions, types, orders, matches);
    case 4:
      return match_in_lanes<Lanes, 4, groups>(hypothesis, positions, types, orders, matches);
    case 6:
      return match_in_lanes<Lanes, 6, groups>(hypothesis, positions, types, orders, matches);
    case 8:
      return match_in_lanes<Lanes, 8, groups>(hypothesis, positions, types, orders, matches);
    case 12:
      return match_in_lanes<Lanes, 12, groups>(hypothesis, positions, types, orders, matches);
    default:
      return match_in_lanes<Lanes, 16, groups>(hypothesis, positions, types, orders, matches);
  }
}

// With narrower vectors this would be slower than looking at one order after another. The instructions are named, not
// the level: Zig tells Clang what its processor does not have, which goes before a level, but not before names.
[[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]] void match(PairMatcher::Sequence hypothesis,
                                                         const std::uint64_t* positions, std::size_t width,
                                                         std::uint32_t types, int orders, double* matches) {
  if (orders <= 4) return match_in_lanes<FourWords, 1>(hypothesis, positions, width, types, orders, matches);
  match_in_lanes<FourWords, 2>(hypothesis, positions, width, types, orders, matches);
}

[[gnu::target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2,lzcnt,popcnt")]] void match_wide(
    PairMatcher::Sequence hypothesis, const std::uint64_t* positions, std::size_t width, std::uint32_t types,
    int orders, double* matches) {
  match_in_lanes<EightWords, 1>(hypothesis, positions, width, types, orders, matches);
}

constexpr int most_in_lanes = 8;
constexpr std::size_t most_places_in_lanes = 1024;
const int lanes_of_processor = has_level_4() ? 8 : has_level_3() ? 4 : 0;
int widest_lanes = lanes_of_processor;
#endif

}  // namespace

int limit_lanes([[maybe_unused]] int most) {
#if defined(TRICOLORE_HAS_CLONES)
  widest_lanes = most >= lanes_of_processor ? lanes_of_processor : most >= 4 ? 4 : 0;
  return widest_lanes;
#else
  return 0;
#endif
}

void PairMatcher::count(Sequence hypothesis, Sequence reference, std::uint32_t types, int orders, double* matches) {
  std::fill(matches, matches + orders, 0.0);
  if (orders == 0 || hypothesis.empty() || reference.empty()) return;
#if defined(TRICOLORE_HAS_CLONES)
  if (widest_lanes > 0 && orders > 1 && orders <= most_in_lanes && reference.size() <= most_places_in_lanes) {
    const std::size_t width = width_for(reference.size());
    find_positions(reference, types, width);
    const bool wide = orders > 4 && widest_lanes == 8;
    return (wide ? match_wide : match)(hypothesis, positions_.data(), width, types, orders, matches);
  }
#endif
  count_single(hypothesis, reference, types, matches);
  if (orders == 1 || matches[0] == 0.0) return;
  if (reference.size() > most_places) return count_by_levels(hypothesis, reference, types, orders, matches);
  switch (width_for(reference.size())) {
    case 1:
      return count_in_bits<1>(hypothesis, reference, types, orders, matches);
    case 2:
      return count_in_bits<2>(hypothesis, reference, types, orders, matches);
    case 3:
      return count_in_bits<3>(hypothesis, reference, types, orders, matches);
    case 4:
      return count_in_bits<4>(hypothesis, reference, types, orders, matches);
    case 6:
      return count_in_bits<6>(hypothesis, reference, types, orders, matches);
    default:
      return count_in_bits<8>(hypothesis, reference, types, orders, matches);
  }
}

// Of each type the places where it stands in the reference, as bits; and none for what the reference does not have.
void PairMatcher::find_positions(Sequence reference, std::uint32_t types, std::size_t width) {
  positions_.assign((std::size_t{types} + 1) * width, 0);
  for (std::size_t i = 0; i < reference.size(); ++i)
    positions_[reference[i] * width + i / 64] |= std::uint64_t{1} << (i % 64);
}

void PairMatcher::count_single(Sequence hypothesis, Sequence reference, std::uint32_t types, double* matches) {
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
void PairMatcher::count_in_bits(Sequence hypothesis, Sequence reference, std::uint32_t types, int orders,
                                double* matches) {
  find_positions(reference, types, W);
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
void PairMatcher::count_by_levels(Sequence hypothesis, Sequence reference, std::uint32_t types, int orders,
                                  double* matches) {
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

}  // namespace tricolore::counting
