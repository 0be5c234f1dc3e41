#include "runs.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "interruption.hpp"

namespace tricolore::counting {

namespace {

// Stands between joined references; no word of a hypothesis has this number.
constexpr std::uint32_t barrier = absent - 1;

std::size_t block_length(const RunInput& input, std::size_t i, std::size_t j) {
  const std::size_t most = std::min(input.hypothesis.size() - i, input.reference.size() - j);
  std::size_t length = 0;
  while (length < most && input.hypothesis[i + length] == input.reference[j + length]) ++length;
  return length;
}

// Call visit(i, j, length) for every block of hits that cannot be made longer.
template <class Visit>
void for_blocks_of_hits(const RunInput& input, Visit&& visit) {
  for (std::size_t i = 0; i < input.hypothesis.size(); ++i) {
    const auto places = input.in_reference.of(input.hypothesis[i]);
    check_interrupt(4 * places.size());
    for (const std::uint32_t j : places)
      if (i == 0 || j == 0 || input.hypothesis[i - 1] != input.reference[j - 1])
        visit(i, std::size_t{j}, block_length(input, i, j));
  }
}

}  // namespace

void UsedPositions::use(std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end;) {
    const std::size_t word_end = std::min(end, (i / 64 + 1) * 64), count = word_end - i;
    const std::uint64_t ones = count == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    bits_[i / 64] |= ones << (i % 64);
    i = word_end;
  }
}

std::size_t UsedPositions::next(std::size_t begin, std::size_t end, std::uint64_t flip) const {
  while (begin < end) {
    const std::uint64_t rest = (bits_[begin / 64] ^ flip) >> (begin % 64);
    if (rest != 0) return std::min(end, begin + static_cast<std::size_t>(std::countr_zero(rest)));
    begin = (begin / 64 + 1) * 64;
  }
  return end;
}

// Greedy ------------------------------------------------------------------------------------------------------

MatchWeight GreedyRuns::match(const RunInput& input, double exponent) {
  hypothesis_.reset(input.hypothesis.size());
  reference_.reset(input.reference.size());
  collect(input);
  const double unit = static_cast<double>(std::max<std::size_t>(longest_, 1));
  double sum = 0.0;
  for (std::size_t length = longest_; length >= 2; --length) {
    auto& blocks = blocks_[length];
    check_interrupt(64 * blocks.size());
    if (blocks.empty()) continue;
    // What is cut here becomes shorter, so nothing is added to this list any more.
    std::sort(blocks.begin(), blocks.end());
    std::size_t taken = 0;
    for (const std::uint64_t block : blocks) taken += take_if_free(length, block >> 32, block & 0xFFFFFFFF);
    blocks.clear();
    sum += static_cast<double>(taken) * std::pow(static_cast<double>(length) / unit, exponent);
  }
  // Hits that are left have no neighbours, and however they are taken, a word is taken as often as both sides have it.
  free_.assign(input.types, 0);
  for (std::size_t j = 0; j < input.reference.size(); ++j)
    if (input.reference[j] < input.types && !reference_[j]) ++free_[input.reference[j]];
  std::size_t alone = 0;
  for (std::size_t i = 0; i < input.hypothesis.size(); ++i)
    if (input.hypothesis[i] < input.types && !hypothesis_[i]) alone += free_[input.hypothesis[i]]-- > 0;
  return {unit, sum + static_cast<double>(alone) * std::pow(1.0 / unit, exponent)};
}

void GreedyRuns::collect(const RunInput& input) {
  longest_ = 0;
  for (auto& blocks : blocks_) blocks.clear();  // of a segment that could not be finished
  for_blocks_of_hits(input, [&](std::size_t i, std::size_t j, std::size_t length) {
    if (length < 2) return;
    longest_ = std::max(longest_, length);
    if (blocks_.size() <= length) blocks_.resize(length + 1);
    add(length, i, j);
  });
}

void GreedyRuns::add(std::size_t length, std::size_t i, std::size_t j) {
  blocks_[length].push_back((std::uint64_t{i} << 32) | j);
}

bool GreedyRuns::take_if_free(std::size_t length, std::size_t i, std::size_t j) {
  std::size_t begin = 0;
  while (begin < length) {
    for (std::size_t before = length; before != begin;) {  // until both sides are free
      before = begin;
      begin = hypothesis_.next_free(i + begin, i + length) - i;
      begin = reference_.next_free(j + begin, j + length) - j;
    }
    if (begin == length) return false;
    const std::size_t end =
        std::min(hypothesis_.next_used(i + begin, i + length) - i, reference_.next_used(j + begin, j + length) - j);
    if (end - begin == length) {
      hypothesis_.use(i, i + length);
      reference_.use(j, j + length);
      return true;
    }
    if (end - begin >= 2) add(end - begin, i + begin, j + begin);
    begin = end;
  }
  return false;
}

// Exact -------------------------------------------------------------------------------------------------------

MatchWeight ExactRuns::match(const RunInput& input, double exponent, std::size_t words_in_common) {
  const MatchWeight nothing{1.0, std::numeric_limits<double>::quiet_NaN()};
  if (input.hypothesis.size() > most_words) return nothing;
  if (!has_few_hits(input)) return nothing;
  const std::size_t longest = find_places(input);
  const double unit = static_cast<double>(std::max<std::size_t>(longest, 1)), one = std::pow(1.0 / unit, exponent);
  gains_.assign(longest + 1, 0.0);
  for (std::size_t length = 2; length <= longest; ++length)
    gains_[length] = std::pow(static_cast<double>(length) / unit, exponent) - static_cast<double>(length) * one;
  if (!find_contested(input)) return nothing;
  find_bounds(input);
  given_up_ = false;
  memory_.clear();
  steps_ = 0;
  used_ = {};
  taken_.assign(input.reference.size(), 0);
  const double gain = best_from(input, 0);
  memory_.clear();
  return given_up_ ? nothing : MatchWeight{unit, gain + static_cast<double>(words_in_common) * one};
}

// Whether pairs of equal words are few enough to be looked at one by one.
bool ExactRuns::has_few_hits(const RunInput& input) {
  std::size_t hits = 0;
  for (const std::uint32_t word : input.hypothesis) hits += input.in_reference.of(word).size();
  return hits <= most_hits;
}

// Where runs of two words may begin; returns the length of the longest run, 0 if there is none.
std::size_t ExactRuns::find_places(const RunInput& input) {
  const std::size_t words = input.hypothesis.size();
  std::size_t longest = 0;
  places_.clear();
  place_ends_.assign(words, 0);
  longest_.assign(words + 1, 0);
  for (std::size_t i = 0; i < words; ++i) {
    const auto hits = input.in_reference.of(input.hypothesis[i]);
    check_interrupt(4 * hits.size());
    for (const std::uint32_t j : hits) {
      const std::size_t length = block_length(input, i, j);
      if (length < 2) continue;
      places_.push_back(j);
      longest_[i] = std::max(longest_[i], static_cast<std::uint32_t>(length));
      longest = std::max(longest, length);
    }
    place_ends_[i] = places_.size();
  }
  return longest;
}

// Which positions runs may use; false if too many of the reference are contested.
bool ExactRuns::find_contested(const RunInput& input) {
  constexpr std::uint32_t several = absent - 1;
  const std::size_t words = input.hypothesis.size();
  users_.assign(input.reference.size(), absent);
  in_play_.assign(words, 0);
  left_.assign(input.types, 0);
  seen_.assign(input.types, 0);
  const auto may_use = [&](std::size_t i, std::size_t j) {
    in_play_[i] = 1;
    if (users_[j] == absent) ++left_[input.reference[j]];
    users_[j] = users_[j] == absent || users_[j] == i ? static_cast<std::uint32_t>(i) : several;
  };
  for (std::size_t i = 0; i < words; ++i)
    for (const std::uint32_t j : places(i)) may_use(i, j), may_use(i + 1, j + 1);
  std::uint32_t contested = 0;
  contested_.assign(input.reference.size(), absent);
  for (std::size_t j = 0; j < input.reference.size(); ++j)
    if (users_[j] == several) contested_[j] = contested++;
  if (contested > most_contested) return false;
  of_interest_.assign(words + 1, {});
  for (std::size_t i = words; i-- > 0;) {
    of_interest_[i] = of_interest_[i + 1];
    for (const std::uint32_t place : places(i))
      for (const std::uint32_t j : {place, place + 1})
        if (contested_[j] != absent) of_interest_[i][contested_[j] / 64] |= std::uint64_t{1} << (contested_[j] % 64);
  }
  return true;
}

void ExactRuns::find_bounds(const RunInput& input) {
  const std::size_t words = input.hypothesis.size();
  bounds_.assign(words + 1, 0.0);
  for (std::size_t i = words; i-- > 0;) {
    bounds_[i] = bounds_[i + 1];
    for (std::size_t length = 2; length <= longest_[i]; ++length)
      bounds_[i] = std::max(bounds_[i], gains_[length] + bounds_[i + length]);
    longest_[i] = std::max(longest_[i], longest_[i + 1]);  // from here on: of this position or later
  }
}

// The gain from position i on is at most that of all words that runs can still use, in runs of the greatest length.
double ExactRuns::bound(const RunInput& input, std::size_t i) {
  std::size_t words = 0;
  for (std::size_t k = i; k < input.hypothesis.size(); ++k)
    if (in_play_[k]) words += seen_[input.hypothesis[k]]++ < left_[input.hypothesis[k]];
  for (std::size_t k = i; k < input.hypothesis.size(); ++k)
    if (in_play_[k]) seen_[input.hypothesis[k]] = 0;
  const std::size_t length = std::min<std::size_t>(words, longest_[i]);
  if (length < 2) return 0.0;
  return std::min(bounds_[i], static_cast<double>(words) / static_cast<double>(length) * gains_[length]);
}

std::size_t ExactRuns::free_length(const RunInput& input, std::size_t i, std::size_t j) const {
  const std::size_t most = std::min(input.hypothesis.size() - i, input.reference.size() - j);
  std::size_t length = 0;
  while (length < most && !taken_[j + length] && input.hypothesis[i + length] == input.reference[j + length]) ++length;
  return length;
}

void ExactRuns::use(const RunInput& input, std::size_t j, std::size_t length, bool used) {
  for (; length > 0; --length, ++j) {
    taken_[j] = used;
    left_[input.reference[j]] += used ? -1 : 1;
    if (contested_[j] != absent) used_[contested_[j] / 64] ^= std::uint64_t{1} << (contested_[j] % 64);
  }
}

double ExactRuns::best_from(const RunInput& input, std::size_t i) {
  while (i < input.hypothesis.size() && places(i).empty()) ++i;
  if (i == input.hypothesis.size() || given_up_) return 0.0;
  State state{static_cast<std::uint32_t>(i), used_};
  for (std::size_t k = 0; k < state.used.size(); ++k) state.used[k] &= of_interest_[i][k];
  const auto known = memory_.find(state);
  if (known != memory_.end()) return known->second;
  const double most = bound(input, i);
  steps_ += 1 + (input.hypothesis.size() - i) / 16;
  double best = 0.0;
  std::size_t longest = 0;
  check_interrupt(64 * places(i).size());
  for (const std::uint32_t j : places(i)) longest = std::max(longest, free_length(input, i, j));
  // The longest runs first, so that most of the others need not be tried.
  for (std::size_t length = longest; length >= 2 && best < most; --length) {
    if (gains_[length] + bounds_[i + length] <= best) continue;
    for (const std::uint32_t j : places(i)) {
      ++steps_;
      if (given_up_ || best >= most) break;
      if (free_length(input, i, j) < length) continue;
      use(input, j, length, true);
      best = std::max(best, gains_[length] + best_from(input, i + length));
      use(input, j, length, false);
    }
  }
  if (bounds_[i + 1] > best && best < most) best = std::max(best, best_from(input, i + 1));
  if (steps_ > most_steps || memory_.size() >= most_states) given_up_ = true;
  if (!given_up_) memory_.emplace(state, best);
  return best;
}

// Counting ----------------------------------------------------------------------------------------------------

void RunWorkspace::count(const RunCounting& what, const SegmentView& segment, double* rows) {
  reader_.read(what.reading, segment, words_);
  MatchWeight weight;
  if (what.joined) {
    join_references();
    weight = match(what, joined_);
  }
  for (std::size_t k = 0; k < words_.reference_ends.size(); ++k) {
    if (!what.joined) weight = match(what, words_.reference(k));
    *rows++ = weight.unit;
    *rows++ = weight.sum;
    *rows++ = static_cast<double>(words_.hypothesis.size());
    *rows++ = static_cast<double>(words_.reference(k).size());
  }
}

MatchWeight RunWorkspace::match(const RunCounting& what, std::span<const std::uint32_t> reference) {
  if (what.exponent == 1.0) return {1.0, static_cast<double>(words_in_common(reference))};  // runs do not matter
  occurrences_.set(reference, words_.types);
  const RunInput input{words_.hypothesis, reference, words_.types, occurrences_};
  if (what.search == RunSearch::greedy) return greedy_.match(input, what.exponent);
  return exact_.match(input, what.exponent, words_in_common(reference));
}

std::size_t RunWorkspace::words_in_common(std::span<const std::uint32_t> reference) {
  counts_.assign(words_.types, 0);
  for (const std::uint32_t word : reference)
    if (word < words_.types) ++counts_[word];
  std::size_t shared = 0;
  for (const std::uint32_t word : words_.hypothesis) shared += word < words_.types && counts_[word]-- > 0;
  return shared;
}

void RunWorkspace::join_references() {
  joined_.clear();
  for (std::size_t k = 0; k < words_.reference_ends.size(); ++k) {
    if (k > 0) joined_.push_back(barrier);
    const auto reference = words_.reference(k);
    joined_.insert(joined_.end(), reference.begin(), reference.end());
  }
}

}  // namespace tricolore::counting
