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
  return width <= 4 ? width : width <= 6 ? 6 : 8;
}

#if defined(TRICOLORE_HAS_CLONES)
// Orders are lanes: up to four in a vector. Lane n has the ends of the n-grams that end at a word of the hypothesis:
// those of lane n - 1 at the word before, shifted by one, and-ed with where the word stands. In every lane the first
// end that is left is used up, without a branch.
template <std::size_t W, std::size_t groups>
[[gnu::always_inline]] inline void match_in_lanes(PairMatcher::Sequence hypothesis, const std::uint64_t* positions,
                                                  std::uint32_t types, int orders, double* matches) {
  FourWords used[groups][W] = {}, ends[groups][W] = {}, found[groups] = {};
  for (const std::uint32_t type : hypothesis) {
    const std::uint64_t* const places = positions + std::min(type, types) * W;
    FourWords none[groups], carried[groups] = {};
    for (FourWords& lanes : none) lanes = ~FourWords{};
    for (std::size_t w = 0; w < W; ++w) {
      const FourWords here = {places[w], places[w], places[w], places[w]};
      std::uint64_t before = ~std::uint64_t{0};  // every word ends what has no words
      for (std::size_t g = 0; g < groups; ++g) {
        const FourWords grown = (ends[g][w] << 1) | carried[g];
        carried[g] = ends[g][w] >> 63;
        ends[g][w] = FourWords{before, grown[0], grown[1], grown[2]} & here;
        before = grown[3];
        const FourWords left = ends[g][w] & ~used[g][w];
        used[g][w] |= left & -left & none[g];
        none[g] &= (FourWords)(left == 0);
      }
    }
    for (std::size_t g = 0; g < groups; ++g) found[g] += none[g] + 1;
  }
  for (int n = 0; n < orders; ++n) matches[n] = static_cast<double>(found[n / 4][n % 4]);
}

template <std::size_t groups>
[[gnu::always_inline]] inline void match_in_lanes(PairMatcher::Sequence hypothesis, const std::uint64_t* positions,
                                                  std::size_t width, std::uint32_t types, int orders, double* matches) {
  switch (width) {
    case 1:
      return match_in_lanes<1, groups>(hypothesis, positions, types, orders, matches);
    case 2:
      return match_in_lanes<2, groups>(hypothesis, positions, types, orders, matches);
    case 3:
      return match_in_lanes<3, groups>(hypothesis, positions, types, orders, matches);
    case 4:
      return match_in_lanes<4, groups>(hypothesis, positions, types, orders, matches);
    case 6:
      return match_in_lanes<6, groups>(hypothesis, positions, types, orders, matches);
    default:
      return match_in_lanes<8, groups>(hypothesis, positions, types, orders, matches);
  }
}

// With narrower vectors this would be slower than looking at one order after another. The instructions are named, not
// the level: Zig tells Clang what its processor does not have, which goes before a level, but not before names.
[[gnu::target("avx2,bmi,bmi2,lzcnt,popcnt")]] void match(PairMatcher::Sequence hypothesis,
                                                         const std::uint64_t* positions, std::size_t width,
                                                         std::uint32_t types, int orders, double* matches) {
  if (orders <= 4) return match_in_lanes<1>(hypothesis, positions, width, types, orders, matches);
  match_in_lanes<2>(hypothesis, positions, width, types, orders, matches);
}

constexpr int most_in_lanes = 8;
const bool has_lanes = has_level_3();
#endif

}  // namespace

void PairMatcher::count(Sequence hypothesis, Sequence reference, std::uint32_t types, int orders, double* matches) {
  std::fill(matches, matches + orders, 0.0);
  if (orders == 0 || hypothesis.empty() || reference.empty()) return;
#if defined(TRICOLORE_HAS_CLONES)
  if (has_lanes && orders > 1 && orders <= most_in_lanes && reference.size() <= most_places) {
    const std::size_t width = width_for(reference.size());
    find_positions(reference, types, width);
    return match(hypothesis, positions_.data(), width, types, orders, matches);
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
