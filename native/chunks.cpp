#include "chunks.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <numeric>
#include <tuple>

#include "interruption.hpp"

namespace tricolore::counting {

void ChunkWorkspace::count(const ChunkCounting& what, const SegmentView& segment, double* rows) {
  reader_.read<Numbering::all>(what.reading, segment, words_);
  hypothesis_ = words_.hypothesis;
  for (std::size_t k = 0; k < words_.reference_ends.size(); ++k) {
    reference_ = words_.reference(k);
    if (!what.by_stage && what.beam >= enough_for_short && (what.equivalents == nullptr || !segment.hypothesis.ids)) {
      if (const auto found = plain_.find(hypothesis_, reference_, words_.all_types)) {
        for (const std::int32_t number : {found->matches, found->matches, found->chunks}) *rows++ = number;
        *rows++ = static_cast<double>(hypothesis_.size());
        *rows++ = static_cast<double>(reference_.size());
        continue;
      }
    }
    find_targets(what, segment);
    align(what.beam);
    if (by_stage_) {
      for (const std::int32_t words : best_counts_) *rows++ = static_cast<double>(words);
    } else {
      *rows++ = static_cast<double>(best_.covered - best_.reference_covered);
      *rows++ = static_cast<double>(best_.reference_covered);
    }
    *rows++ = static_cast<double>(best_.chunks);
    *rows++ = static_cast<double>(hypothesis_.size());
    *rows++ = static_cast<double>(reference_.size());
    if (by_stage_)
      for (const auto words : {hypothesis_, reference_})
        *rows++ = static_cast<double>(
            std::count_if(words.begin(), words.end(), [&](std::uint32_t type) { return is_function(type); }));
  }
}

void ChunkWorkspace::align(std::size_t beam) {
  best_ = State{};
  best_counts_ = none_;
  found_ = false;
  find_groups();
  if (groups_.empty()) return;
  find_breaks();
  layers_.resize(std::max(layers_.size(), longest_ + 1));
  // A quick pass is often proof enough; if not, what it found, or tiling, cuts down the states of the thorough one.
  const auto proven = [&] {
    if (ties_matter_ || best_.covered != most_covered_) return false;
    return best_.chunks == breaks_[0] || best_.chunks == fewest_chunks();
  };
  if (search(std::min(narrow, beam)) || proven()) return;
  tile();
  if (proven()) return;
  const std::size_t affordable = most_states / hypothesis_.size();
  const std::size_t width = std::min(beam, affordable);
  if (width > narrow && (width == beam || width > 2 * narrow)) search(width);
}

// Take the longest run of equal words, then the longest of what is left, and so on: not the best alignment, but a good
// one however long the text is.
void ChunkWorkspace::tile() {
  const std::size_t size = hypothesis_.size(), reference_size = reference_.size();
  std::size_t work = 0;
  for (const std::uint32_t type : hypothesis_) work += targets_[type].end - targets_[type].begin;
  if (work > most_tile_work) return;
  partner_.assign(size, absent);
  std::vector<bool> taken(reference_size, false);
  const auto is_open = [&](std::size_t i, std::size_t j) { return partner_[i] == absent && !taken[j]; };
  const auto take = [&](std::size_t i, std::size_t j) {
    partner_[i] = static_cast<std::uint32_t>(j);
    taken[j] = true;
  };
  struct Run {
    std::uint32_t length, at, place;
    bool operator<(const Run& other) const {  // the last is the longest, then the first in the hypothesis
      return std::tuple(length, other.at, other.place) < std::tuple(other.length, at, place);
    }
  };
  std::vector<Run> runs;
  std::vector<std::uint32_t> lengths[2], seen[2];
  bool dropped = true;
  for (int round = 0; dropped && round < 3; ++round) {
    dropped = false;
    runs.clear();
    for (int side = 0; side < 2; ++side) {
      lengths[side].assign(reference_size + 1, 0);
      seen[side].assign(reference_size + 1, absent);
    }
    std::uint32_t shortest = 2;
    for (std::size_t i = size; i-- > 0;) {
      auto &length = lengths[i % 2], &stamp = seen[i % 2];
      const auto &length_after = lengths[(i + 1) % 2], &stamp_after = seen[(i + 1) % 2];
      const Target& target = targets_[hypothesis_[i]];
      for (std::uint32_t p = target.begin; p < target.end; ++p) {
        const std::uint32_t j = places_[p];
        if (!is_open(i, j)) continue;
        length[j] = 1 + (stamp_after[j + 1] == i + 1 ? length_after[j + 1] : 0);
        stamp[j] = static_cast<std::uint32_t>(i);
        const bool begins = i == 0 || j == 0 || hypothesis_[i - 1] != reference_[j - 1] || !is_open(i - 1, j - 1);
        if (begins && length[j] >= shortest) runs.push_back({length[j], static_cast<std::uint32_t>(i), j});
      }
      if (runs.size() > most_runs) {  // keep the longer ones; the others have another chance in the next round
        dropped = true;
        const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
        std::nth_element(runs.begin(), middle, runs.end(), [](const Run& a, const Run& b) { return b < a; });
        shortest = std::max(shortest, middle->length);
        runs.erase(middle, runs.end());
      }
    }
    std::make_heap(runs.begin(), runs.end());
    while (!runs.empty()) {
      std::pop_heap(runs.begin(), runs.end());
      const Run run = runs.back();
      runs.pop_back();
      std::uint32_t k = 0;
      while (k < run.length && is_open(run.at + k, run.place + k)) ++k;
      if (k == run.length) {
        for (k = 0; k < run.length; ++k) take(run.at + k, run.place + k);
        continue;
      }
      for (std::uint32_t begin = 0; begin < run.length; begin = k + 1) {  // what is left of it
        for (k = begin; k < run.length && is_open(run.at + k, run.place + k);) ++k;
        if (k - begin < 2) continue;
        runs.push_back({k - begin, run.at + begin, run.place + begin});
        std::push_heap(runs.begin(), runs.end());
      }
    }
  }
  std::vector<std::uint32_t> nexts(type_ends_.begin(), type_ends_.end() - 1);
  for (std::size_t i = 0; i < size; ++i) {
    if (partner_[i] != absent) continue;
    const Target& target = targets_[hypothesis_[i]];
    std::uint32_t& next = nexts[hypothesis_[i]];
    while (next < target.end && taken[places_[next]]) ++next;
    if (next < target.end) take(i, places_[next]);
  }
  State tiled;
  StageCounts counts{};
  for (std::size_t i = 0; i < size; ++i) {
    if (partner_[i] == absent) continue;
    tiled.covered += 2;
    ++tiled.reference_covered;
    tiled.chunks += i == 0 || partner_[i - 1] == absent || partner_[i - 1] + 1 != partner_[i];
    tiled.distance += std::abs(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(partner_[i]));
    if (by_stage_) note_stage(i, {partner_[i], hypothesis_[i], 0}, counts);
  }
  tiled.bound = tiled.covered;
  if (!better(tiled, counts, best_, best_counts_)) return;
  best_ = tiled;
  best_counts_ = counts;
}

bool ChunkWorkspace::better(const State& a, const StageCounts& a_counts, const State& b,
                            const StageCounts& b_counts) const {
  const std::tuple one(-a.bound, a.chunks, a.distance, -a.reference_covered);
  const std::tuple other(-b.bound, b.chunks, b.distance, -b.reference_covered);
  return one < other || (by_stage_ && one == other && a_counts > b_counts);
}

// Count the words of a match by stage: exact, stem, synonym, paraphrase.
void ChunkWorkspace::note_stage(std::size_t at, const Option& option, StageCounts& counts) const {
  const Target& target = targets_[option.target];
  const std::uint32_t type = hypothesis_[at];
  std::size_t stage = 3;
  if (option.target == type) {
    stage = 0;
  } else if (option.target < words_.all_types) {
    stage = equivalents_->share_stem(numbers_[type], numbers_[option.target]) ? 1 : 2;
  }
  for (std::size_t k = 0; k < target.size; ++k) ++counts[(is_function(hypothesis_[at + k]) ? 4 : 0) + stage];
  for (std::size_t k = 0; k < target.reference_size; ++k)
    ++counts[(is_function(reference_[option.place + k]) ? 12 : 8) + stage];
}

// Whether what has been found cannot be bettered from here.
bool ChunkWorkspace::hopeless(const State& state, std::size_t at) const {
  if (!found_) return false;
  if (state.bound != best_.covered) return state.bound < best_.covered;
  const std::int32_t chunks = state.chunks + breaks_[at];
  if (chunks != best_.chunks) return chunks > best_.chunks;
  return !ties_matter_ || state.distance > best_.distance;
}

// Go through the hypothesis with at most `width` states before each word; true if that was no limit.
bool ChunkWorkspace::search(std::size_t width) {
  const std::size_t size = hypothesis_.size();
  exact_ = true;
  for (auto& one : layers_) {
    one.states.clear();
    one.used.clear();
    one.stage_counts.clear();
    one.table.clear();
  }
  scratch_.assign(width_words_, 0);
  next_counts_ = none_;
  State start;
  start.bound = most_covered_;
  add(0, start);
  for (std::size_t at = 0; at < size; ++at) {
    Layer& here = layer(at);
    check_interrupt(64 * here.states.size());
    keep_best(here, at, width);
    for (const std::uint32_t s : here.order) {
      const State state = here.states[s];
      if (by_stage_) counts_ = here.stage_counts[s];
      expand(at, state, here.used.data() + s * width_words_);
    }
    here.states.clear();
    here.used.clear();
    here.stage_counts.clear();
    here.table.clear();
  }
  const Layer& last = layer(size);
  for (std::size_t s = 0; s < last.states.size(); ++s) {
    if (found_ && !better(last.states[s], stage_counts(last, s), best_, best_counts_)) continue;
    best_ = last.states[s];
    best_counts_ = stage_counts(last, s);
    found_ = true;
  }
  return exact_;
}

void ChunkWorkspace::keep_best(Layer& layer, std::size_t at, std::size_t width) {
  layer.order.resize(layer.states.size());
  std::iota(layer.order.begin(), layer.order.end(), 0);
  if (layer.order.size() <= width) return;
  exact_ = false;
  const auto rank = [&](std::uint32_t s) {
    const State& state = layer.states[s];
    return std::tuple(-state.bound, state.chunks + breaks_[at], state.distance, -state.reference_covered, s);
  };
  std::nth_element(layer.order.begin(), layer.order.begin() + static_cast<std::ptrdiff_t>(width), layer.order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return rank(a) < rank(b); });
  layer.order.resize(width);
  std::sort(layer.order.begin(), layer.order.end());
}

bool ChunkWorkspace::is_free(std::size_t place, std::size_t size, const std::uint64_t* used) const {
  for (std::size_t j = place; j < place + size; ++j)
    if ((used[j / 64] >> (j % 64)) & 1) return false;
  return true;
}

std::size_t ChunkWorkspace::free_words(const Group& group, std::size_t at, const std::uint64_t* used) const {
  std::size_t taken = 0;
  if (group.mask != absent) {
    for (std::size_t w = 0; w < width_words_; ++w)
      taken += static_cast<std::size_t>(std::popcount(used[w] & masks_[group.mask + w]));
  } else {
    const Target& target = targets_[hypothesis_[at]];
    for (std::uint32_t p = target.begin; p < target.end; ++p) taken += !is_free(places_[p], 1, used);
  }
  return group.reference_words - taken;
}

// How many words from here on are equal and free.
std::size_t ChunkWorkspace::look_ahead(std::size_t at, std::size_t place, const std::uint64_t* used) const {
  std::size_t ahead = 0;
  while (ahead < longest_look && at + ahead < hypothesis_.size() && place + ahead < reference_.size() &&
         hypothesis_[at + ahead] == reference_[place + ahead] && is_free(place + ahead, 1, used))
    ++ahead;
  return ahead;
}

void ChunkWorkspace::expand(std::size_t at, const State& state, const std::uint64_t* used) {
  if (!matchable_[at]) return skip(at, state, used);
  options_.clear();
  bool crowded = false;
  for (const std::uint32_t t : type_targets_[hypothesis_[at]]) crowded |= !collect(at, t, state, used);
  for (const std::uint32_t t : phrase_targets_[at]) crowded |= !collect(at, t, state, used);
  if (crowded || options_.size() > reach) {
    exact_ = false;
    for (Option& option : options_) option.ahead = look_ahead(at, option.place, used);
    const auto rank = [&](const Option& option) {
      const bool goes_on = static_cast<std::int32_t>(option.place) == state.last;
      const auto gap = std::abs(static_cast<std::int64_t>(at) - static_cast<std::int64_t>(option.place));
      return std::tuple(!goes_on, longest_look - option.ahead, gap, option.place, option.target);
    };
    const std::size_t kept = std::min(tries, options_.size());
    std::partial_sort(options_.begin(), options_.begin() + static_cast<std::ptrdiff_t>(kept), options_.end(),
                      [&](const Option& a, const Option& b) { return rank(a) < rank(b); });
    options_.resize(kept);
  }
  for (const Option& option : options_) match(at, option, state, used);
  skip(at, state, used);
}

void ChunkWorkspace::match(std::size_t at, const Option& option, const State& state, const std::uint64_t* used) {
  const Target& target = targets_[option.target];
  const std::size_t place = option.place;
  State next = state;
  next.chunks += state.last != static_cast<std::int32_t>(place);
  next.distance += std::abs(static_cast<std::int64_t>(at) - static_cast<std::int64_t>(place));
  next.covered += static_cast<std::int32_t>(target.size + target.reference_size);
  next.reference_covered += static_cast<std::int32_t>(target.reference_size);
  next.last = static_cast<std::int32_t>(place + target.reference_size);
  if (hopeless(next, at + target.size)) return;  // before anything is copied
  if (by_stage_) note_stage(at, option, next_counts_ = counts_);
  std::copy_n(used, width_words_, scratch_.data());
  for (std::size_t j = place; j < place + target.reference_size; ++j) scratch_[j / 64] |= std::uint64_t{1} << (j % 64);
  extend(at, target.size, next);
}

// The free places of a target: all of them, or (and then it is false) that where the last match ended, and some of
// those nearest to the word's own place, at least one.
bool ChunkWorkspace::collect(std::size_t at, std::uint32_t number, const State& state, const std::uint64_t* used) {
  const Target& target = targets_[number];
  const auto first = places_.begin() + target.begin, last = places_.begin() + target.end;
  const auto offer = [&](std::uint32_t place) {
    if (is_free(place, target.reference_size, used)) options_.push_back({place, number, 0});
  };
  if (target.end - target.begin <= reach) {
    for (auto it = first; it != last; ++it) offer(*it);
    return true;
  }
  const std::size_t none = options_.size(), enough = none + reach;
  if (state.last != nowhere) {
    const auto next = static_cast<std::uint32_t>(state.last);
    if (std::binary_search(first, last, next)) offer(next);
  }
  auto after = std::lower_bound(first, last, static_cast<std::uint32_t>(at)), before = after;
  for (std::size_t looked = 0; options_.size() == none || (looked < 2 * reach && options_.size() < enough); ++looked) {
    const bool left = before != first, right = after != last;
    if (!left && !right) break;
    const bool take_right = right && (!left || *after - at <= at - *(before - 1));
    const std::uint32_t place = take_right ? *after++ : *--before;
    if (static_cast<std::int32_t>(place) != state.last) offer(place);
  }
  return false;
}

// Leave a word unmatched.
void ChunkWorkspace::skip(std::size_t at, const State& state, const std::uint64_t* used) {
  State next = state;
  next.last = nowhere;
  if (by_stage_) next_counts_ = counts_;
  if (matchable_[at]) {
    const Group& group = groups_[group_of_[at]];
    if (group.plain) {
      // Only where enough words are to come for all that are free; otherwise a match would be lost.
      if (later_[at] < free_words(group, at, used)) return;
    } else {
      --next.bound;
    }
  }
  std::copy_n(used, width_words_, scratch_.data());
  extend(at, 1, next);
}

// Step to a later word, with the used words in scratch_; forget those of them that no later word may match.
void ChunkWorkspace::extend(std::size_t at, std::uint32_t size, State next) {
  const std::size_t to = at + size;
  for (std::uint32_t e = expire_ends_[at]; e < expire_ends_[to]; ++e) {
    const std::uint32_t j = expire_at_[e];
    if (!groups_[reference_group_of_[j]].plain && is_free(j, 1, scratch_.data())) --next.bound;
    scratch_[j / 64] &= ~(std::uint64_t{1} << (j % 64));
  }
  if (next.last != nowhere) {
    const auto last = static_cast<std::size_t>(next.last);
    const bool may_go_on = to < hypothesis_.size() && last < reference_.size() && matchable_[to] &&
                           reference_matchable_[last] && group_of_[to] == reference_group_of_[last] &&
                           is_free(last, 1, scratch_.data());
    if (!may_go_on) next.last = nowhere;
  }
  if (!hopeless(next, to)) add(to, next);
}

// Add the state with the used words in scratch_ to a layer, or let it replace its equal if it is better.
void ChunkWorkspace::add(std::size_t at, const State& state) {
  Layer& here = layer(at);
  if (here.table.size() < 2 * (here.states.size() + 1)) grow(here);
  std::size_t slot = hash(state, scratch_.data()) & (here.table.size() - 1);
  for (; here.table[slot] != absent; slot = (slot + 1) & (here.table.size() - 1)) {
    const std::uint32_t s = here.table[slot];
    if (here.states[s].last != state.last ||
        !std::equal(scratch_.begin(), scratch_.end(),
                    here.used.begin() + static_cast<std::ptrdiff_t>(s * width_words_)))
      continue;
    if (better(state, next_counts_, here.states[s], stage_counts(here, s))) {
      here.states[s] = state;
      if (by_stage_) here.stage_counts[s] = next_counts_;
    }
    return;
  }
  here.table[slot] = static_cast<std::uint32_t>(here.states.size());
  here.states.push_back(state);
  if (by_stage_) here.stage_counts.push_back(next_counts_);
  here.used.insert(here.used.end(), scratch_.begin(), scratch_.end());
}

std::uint64_t ChunkWorkspace::hash(const State& state, const std::uint64_t* used) const {
  std::uint64_t key = static_cast<std::uint64_t>(static_cast<std::int64_t>(state.last)) + 2;
  for (std::size_t w = 0; w < width_words_; ++w) key = (std::rotl(key, 7) ^ used[w]) * 0x9E3779B97F4A7C15ull;
  return mix(key);
}

void ChunkWorkspace::grow(Layer& layer) {
  layer.table.assign(std::max<std::size_t>(16, 4 * layer.table.size()), absent);
  for (std::uint32_t s = 0; s < layer.states.size(); ++s) {
    std::size_t slot = hash(layer.states[s], layer.used.data() + s * width_words_) & (layer.table.size() - 1);
    while (layer.table[slot] != absent) slot = (slot + 1) & (layer.table.size() - 1);
    layer.table[slot] = s;
  }
}

}  // namespace tricolore::counting
