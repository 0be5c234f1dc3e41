#include "first_occurrences.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "interruption.hpp"
#include "lanes.hpp"
#include "processors.hpp"
#include "vocabulary.hpp"

// Its clones must not change results: the build forbids fused multiplication and addition in this file.

namespace tricolore::graphs::lattices {

namespace {

// As many passes for single n-grams cost as much as one for all lanes, when it is decided which are made.
constexpr std::size_t passes_per_block = 4;

// How many arcs all passes together may go over: some minutes.
constexpr std::size_t most_steps = std::size_t{1} << 37;

// After as many states it is looked at whether lanes have forgotten where they began.
constexpr std::int32_t states_per_look = 16;

// How much chances may differ, as a ratio, and count as equal: about what rounding adds up to.
constexpr double forgotten = 0x1p-48;

// In how many places of a lattice it is tried out how soon paths forget, and over how many states.
constexpr std::size_t trials = 8;
constexpr std::size_t states_tried = 1 << 16;

bool close(const Four& numbers, const Four& others) {
  for (std::size_t i = 0; i < four; ++i)
    if (!(std::abs(numbers[i] - others[i]) <= forgotten * others[i])) return false;
  return true;
}

}  // namespace

FirstOccurrences::FirstOccurrences(const LatticeView& lattice, const OutArcs& out, const Walk& walk)
    : lattice_(lattice), out_(out), walk_(walk) {
  std::int32_t words = 0;
  for (const auto label : lattice.labels) words = std::max(words, label + 1);
  word_at_.assign(static_cast<std::size_t>(words), 0);
}

void FirstOccurrences::add(std::span<const std::int32_t> ngram, std::span<const Occurrence> occurrences,
                           std::vector<double>& values) {
  double sum = 0.0;
  auto first_end = occurrences[0].to;
  for (const Occurrence& one : occurrences) {
    sum += walk_.visits[one.from] * one.chance;
    first_end = std::min(first_end, one.to);
  }
  values.push_back(std::min(sum, 1.0));
  const auto last = occurrences.back().from;
  if (occurrences.front().from == last) return;
  find_borders(ngram);
  const bool overlaps_itself = borders_[ngram.size()] > 0;
  if (first_end > last && !overlaps_itself) return;
  const std::size_t pairs = occurrences.size() * occurrences.size();
  if (overlaps_itself || pairs > arcs_between(occurrences[0].from, last_end(occurrences))) {
    add_repeated(ngram, occurrences, values);
    return;
  }
  waiting_.push_back({occurrences_.size(), occurrences_.size() + occurrences.size(), words_.size(), ngram.size(),
                      &values, values.size() - 1});
  for (const Occurrence& one : occurrences)
    occurrences_.push_back({static_cast<std::int32_t>(waiting_.size() - 1), one.from, one.to, one.chance});
  words_.insert(words_.end(), ngram.begin(), ngram.end());
}

void FirstOccurrences::add_repeated(std::span<const std::int32_t> ngram, std::span<const Occurrence> occurrences,
                                    std::vector<double>& values) {
  const auto from = occurrences[0].from, to = last_end(occurrences);
  expect(arcs_between(from, to));
  if (repeated_.size() < ngram.size()) repeated_.resize(ngram.size());
  auto& alike = repeated_[ngram.size() - 1];
  alike.push_back({{ngram.begin(), ngram.end()}, from, to, &values, values.size() - 1});
  if (alike.size() == lanes) pass_repeated(alike);
}

void FirstOccurrences::finish() {
  for (auto& alike : repeated_) pass_repeated(alike);
  std::size_t alone = 0, pairs = 0;
  for (const Waiting& one : waiting_)
    alone += arcs_between(occurrences_[one.begin].from, last_end(occurrences_of(one))) +
             occurrences_.size() / waiting_.size();
  const auto order = senders(pairs);
  const std::size_t together = pairs + cost_of_blocks(order);
  expect(std::min(alone, together));
  if (alone <= together) {
    for (const Waiting& one : waiting_) {
      const std::span ngram(words_.data() + one.word_begin, one.words);
      const double found = pass(ngram, occurrences_[one.begin].from, last_end(occurrences_of(one)));
      (*one.values)[one.at] = std::min(found, 1.0);
    }
    return;
  }
  pass_blocks(order);
  for (const Waiting& one : waiting_) {
    double sum = 0.0;
    for (const Later& occurrence : occurrences_of(one)) sum += first(occurrence);
    (*one.values)[one.at] = std::min(sum, 1.0);
  }
}

void FirstOccurrences::expect(std::size_t steps) {
  steps_ += steps;
  if (steps_ > most_steps)
    throw std::overflow_error(
        "too long to find where paths have each first; expected a smaller lattice or a lower order");
}

template <class AnyOccurrence>
std::int32_t FirstOccurrences::last_end(std::span<const AnyOccurrence> occurrences) {
  auto end = occurrences[0].to;
  for (const auto& one : occurrences) end = std::max(end, one.to);
  return end;
}

std::span<const FirstOccurrences::Later> FirstOccurrences::occurrences_of(const Waiting& ngram) const {
  return {occurrences_.data() + ngram.begin, ngram.end - ngram.begin};
}

// Passes for single n-grams ------------------------------------------------------------------------------------

// Of the first k words: how many, fewer than k, are also the last of them (Knuth, Morris & Pratt 1977).
void FirstOccurrences::find_borders(std::span<const std::int32_t> ngram) {
  borders_.assign(ngram.size() + 1, 0);
  for (std::size_t k = 1, border = 0; k < ngram.size(); ++k) {
    while (border > 0 && ngram[k] != ngram[border]) border = borders_[border];
    if (ngram[k] == ngram[border]) ++border;
    borders_[k + 1] = border;
  }
}

// How many words of the n-gram have been read after k and one more, for each of its words.
void FirstOccurrences::make_moves(std::span<const std::int32_t> ngram, std::size_t lane) {
  const std::size_t n = ngram.size();
  find_borders(ngram);
  for (const auto word : ngram) {
    std::size_t& first = word_at_[word];
    if (first > 0 && words_in_lanes_[first - 1].lane == lane) continue;  // the latest lane comes first
    words_in_lanes_.push_back({lane, moves_.size(), first});
    first = words_in_lanes_.size();
    moves_.resize(moves_.size() + n);
    std::size_t* moves = moves_.data() + moves_.size() - n;
    for (std::size_t k = 0; k < n; ++k) moves[k] = ngram[k] == word ? k + 1 : k > 0 ? moves[borders_[k]] : 0;
  }
}

void FirstOccurrences::forget_moves(std::span<const std::int32_t> ngram) {
  for (const auto word : ngram) word_at_[word] = 0;
  words_in_lanes_.clear();
  moves_.clear();
}

// From the first state that an occurrence begins in to the last that one ends in. The row of a state holds the
// probability to come there after the whole n-gram, and before that after just its first k words, 0 < k < n.
double FirstOccurrences::pass(std::span<const std::int32_t> ngram, std::int32_t begin, std::int32_t end) {
  const std::size_t n = ngram.size();
  make_moves(ngram, 0);
  rows_.assign(static_cast<std::size_t>(end - begin) * n, 0.0);
  double found = 0.0;
  check_interrupt();
  for (auto s = begin; s < end; ++s) {
    const double* row = rows_.data() + static_cast<std::size_t>(s - begin) * n;
    double begun = 0.0;
    for (std::size_t k = 0; k < n; ++k) begun += row[k];
    const double free = std::max(walk_.visits[s] - begun, 0.0);
    for (auto a = out_.begin(s); a < out_.end(s); ++a) {
      const auto label = lattice_.labels[a];
      const auto target = lattice_.targets[a];
      double* after = target < end ? rows_.data() + static_cast<std::size_t>(target - begin) * n : nullptr;
      const double chance = walk_.arcs[a];
      if (label == no_word) {
        if (after)
          for (std::size_t k = 0; k < n; ++k) after[k] += row[k] * chance;
        continue;
      }
      if (after) after[0] += row[0] * chance;
      if (word_at_[label] == 0) continue;
      const std::size_t* moves = moves_.data() + words_in_lanes_[word_at_[label] - 1].moves;
      for (std::size_t k = 0; k < n; ++k) {
        if (moves[k] == 0) continue;
        const double moved = (k == 0 ? free : row[k]) * chance;
        if (moves[k] == n) found += moved;
        if (after) after[moves[k] % n] += moved;
      }
    }
  }
  forget_moves(ngram);
  return found;
}

// N-grams of one length: a lane each in one pass, if that costs less than a pass each.
void FirstOccurrences::pass_repeated(std::vector<Repeated>& ngrams) {
  if (ngrams.empty()) return;
  auto begin = ngrams[0].from, end = ngrams[0].to;
  std::size_t alone = 0;
  for (const Repeated& one : ngrams) {
    begin = std::min(begin, one.from);
    end = std::max(end, one.to);
    alone += arcs_between(one.from, one.to);
  }
  double found[lanes] = {};
  if (alone > passes_per_block * arcs_between(begin, end))
    pass_lanes(ngrams, begin, end, found);
  else
    for (std::size_t l = 0; l < ngrams.size(); ++l) found[l] = pass(ngrams[l].words, ngrams[l].from, ngrams[l].to);
  for (std::size_t l = 0; l < ngrams.size(); ++l) (*ngrams[l].values)[ngrams[l].at] = std::min(found[l], 1.0);
  ngrams.clear();
}

// As `pass`. The row of a state holds what a row of each n-gram would, side by side.
TRICOLORE_FOR_EACH_PROCESSOR
void FirstOccurrences::pass_lanes(std::span<const Repeated> ngrams, std::int32_t begin, std::int32_t end,
                                  double* found) {
  const std::size_t n = ngrams[0].words.size(), size = n * lanes;
  for (std::size_t l = 0; l < ngrams.size(); ++l) make_moves(ngrams[l].words, l);
  rows_.assign(static_cast<std::size_t>(end - begin) * size, 0.0);
  for (auto s = begin; s < end; ++s) {
    if (s % 4096 == 0) check_interrupt();
    const double* row = rows_.data() + static_cast<std::size_t>(s - begin) * size;
    for (auto a = out_.begin(s); a < out_.end(s); ++a) {
      const auto label = lattice_.labels[a];
      const auto target = lattice_.targets[a];
      double* after = target < end ? rows_.data() + static_cast<std::size_t>(target - begin) * size : nullptr;
      const double chance = walk_.arcs[a];
      const std::size_t kept = label == no_word ? size : lanes;  // any other word ends what was begun
      if (after)
        for (std::size_t k = 0; k < kept; k += four) at(after + k) += chance * at(row + k);
      if (label == no_word) continue;
      for (auto word = word_at_[label]; word > 0; word = words_in_lanes_[word - 1].next) {
        const std::size_t lane = words_in_lanes_[word - 1].lane;
        const std::size_t* moves = moves_.data() + words_in_lanes_[word - 1].moves;
        double begun = 0.0;
        for (std::size_t k = 0; k < n; ++k) begun += row[k * lanes + lane];
        const double free = std::max(walk_.visits[s] - begun, 0.0);
        for (std::size_t k = 0; k < n; ++k) {
          if (moves[k] == 0) continue;
          const double moved = (k == 0 ? free : row[k * lanes + lane]) * chance;
          if (moves[k] == n) found[lane] += moved;
          if (after) after[moves[k] % n * lanes + lane] += moved;
        }
      }
    }
  }
  for (const Repeated& one : ngrams) forget_moves(one.words);
}

// Passes for all n-grams ---------------------------------------------------------------------------------------

// By the states they end in. `pairs`: how many occurrences come after another one.
std::vector<FirstOccurrences::Sender> FirstOccurrences::senders(std::size_t& pairs) const {
  std::vector<std::size_t> ends(lattice_.states() + 1);
  const auto each = [&](auto&& act) {
    for (const Waiting& ngram : waiting_) {
      const auto last = occurrences_[ngram.end - 1].from;
      for (auto k = ngram.begin; k < ngram.end; ++k)
        if (occurrences_[k].to <= last) act(k, last, ngram);
    }
  };
  each([&](std::size_t k, std::int32_t, const Waiting& ngram) {
    ++ends[occurrences_[k].to + 1];
    pairs += ngram.end - k;
  });
  for (std::size_t s = 1; s < ends.size(); ++s) ends[s] += ends[s - 1];
  std::vector<Sender> found(ends.back());
  each([&](std::size_t k, std::int32_t last, const Waiting&) {
    found[ends[occurrences_[k].to]++] = {k, occurrences_[k].to, last};
  });
  return found;
}

std::size_t FirstOccurrences::cost_of_blocks(std::span<const Sender> senders) {
  find_reach();
  const std::size_t most = arcs_until_forgotten(senders);
  std::size_t cost = 0, states = 0;
  std::int32_t to = -1;
  for (const Sender& one : senders) {
    if (one.to == to) continue;
    to = one.to;
    if (states++ % passes_per_block == 0) cost += std::min(most, lattice_.arcs() - out_.begin(to));
  }
  return cost;
}

void FirstOccurrences::find_reach() {
  const std::size_t states = lattice_.states();
  farthest_.assign(states, 0);
  earliest_.assign(states, static_cast<std::int32_t>(states));
  for (std::size_t a = 0; a < lattice_.arcs(); ++a) {
    const auto source = lattice_.sources[a], target = lattice_.targets[a];
    farthest_[source] = std::max(farthest_[source], target);
    earliest_[target] = std::min(earliest_[target], source);
  }
  for (std::size_t s = states; s-- > 1;) earliest_[s - 1] = std::min(earliest_[s - 1], earliest_[s]);
}

// The most in a few places; all there are, if one of them is not forgotten.
std::size_t FirstOccurrences::arcs_until_forgotten(std::span<const Sender> senders) {
  std::size_t most = 0;
  for (std::size_t k = 0; k < senders.size(); k += senders.size() / trials + 1) {
    const auto begin = senders[k].to;
    const auto end = static_cast<std::int32_t>(std::min(lattice_.states() - 1, begin + states_tried));
    rows_.assign(lanes, 1.0);
    const auto known = spread(begin, begin, end);
    if (known > end) return lattice_.arcs();
    most = std::max(most, arcs_between(begin, known));
  }
  return most;
}

void FirstOccurrences::pass_blocks(std::span<const Sender> senders) {
  for (std::size_t begin = 0, end; begin < senders.size(); begin = end) {
    std::size_t states = 0;
    for (end = begin; end < senders.size(); ++end) {
      if (end == begin || senders[end].to != senders[end - 1].to) ++states;
      if (states > lanes) break;
    }
    pass_block(senders.subspan(begin, end - begin));
  }
}

// Occurrences that end in a few states: how likely a path comes from each of these to where the same n-grams
// begin again. An occurrence is first if none came before; that is known by now of all that end here.
void FirstOccurrences::pass_block(std::span<const Sender> senders) {
  constexpr std::size_t ahead = 16;  // so many senders on, memory is asked for
  const auto begin = senders.front().to, last = senders.back().to;
  auto end = begin;  // the last state that is asked for
  for (const Sender& one : senders) end = std::max(end, one.last);
  rows_.assign(static_cast<std::size_t>(last - begin + 1) * lanes, 0.0);
  const auto row = [&](std::int32_t state) { return rows_.data() + static_cast<std::size_t>(state - begin) * lanes; };
  std::size_t lane = 0;
  for (std::size_t k = 0; k < senders.size(); ++k) {
    if (k > 0 && senders[k].to != senders[k - 1].to) ++lane;
    row(senders[k].to)[lane] = 1.0;
  }
  const auto known = spread(begin, last, end);
  lane = 0;
  for (std::size_t k = 0; k < senders.size(); ++k) {
    if (k > 0 && senders[k].to != senders[k - 1].to) ++lane;
    if (k + ahead < senders.size()) {
      const Later* next = occurrences_.data() + senders[k + ahead].occurrence;
      prefetch(next);
      prefetch(next + 2);
      prefetch(next + 4);
    }
    const Later* one = occurrences_.data() + senders[k].occurrence;
    const Later* of_last = occurrences_.data() + occurrences_.size();
    const double chance = first(*one);
    for (Later* later = occurrences_.data() + senders[k].occurrence + 1; later < of_last && later->ngram == one->ngram;
         ++later) {
      if (later->from < one->to) continue;
      later->taken +=
          chance * (later->from < known ? row(later->from)[lane] : factors_[lane] * walk_.visits[later->from]);
    }
  }
}

// Moves the rows of states, which begin with those up to `last`, on along the arcs: up to `end`, or to where all have
// forgotten which state they began in. Returns the first state whose row is not known; the rows from there on are those
// of the whole walk times `factors_`, as all rows are that have arcs to these.
TRICOLORE_FOR_EACH_PROCESSOR
std::int32_t FirstOccurrences::spread(std::int32_t begin, std::int32_t last, std::int32_t end) {
  constexpr std::size_t strips = lanes / four;
  auto alike_from = end;  // the first of the states whose rows are those of the walk
  auto next_look = last + states_per_look;
  Four factors[strips] = {};
  for (auto s = begin; s < end; ++s) {
    if (s % 4096 == 0) check_interrupt();
    const auto reached = static_cast<std::size_t>(std::min(farthest_[s], end) - begin + 1) * lanes;
    if (rows_.size() < reached) rows_.resize(reached, 0.0);
    Four before[strips];
    for (std::size_t k = 0; k < strips; ++k)
      before[k] = at(rows_.data() + static_cast<std::size_t>(s - begin) * lanes + k * four);
    for (auto a = out_.begin(s); a < out_.end(s); ++a) {
      if (lattice_.targets[a] > end) continue;
      double* after = rows_.data() + static_cast<std::size_t>(lattice_.targets[a] - begin) * lanes;
      const double chance = walk_.arcs[a];
      for (std::size_t k = 0; k < strips; ++k) at(after + k * four) += chance * before[k];
    }
    if (s < next_look) continue;
    const double visits = walk_.visits[s];
    if (alike_from < s) {
      bool alike = true;
      for (std::size_t k = 0; k < strips; ++k) alike = alike && close(before[k], visits * factors[k]);
      if (!alike) {
        alike_from = end;
        next_look = s + states_per_look;
      } else if (earliest_[s + 1] >= alike_from) {
        for (std::size_t k = 0; k < strips; ++k) at(factors_ + k * four) = factors[k];
        return s + 1;
      }
    } else if (visits > 0.0) {
      for (std::size_t k = 0; k < strips; ++k) factors[k] = (1.0 / visits) * before[k];
      alike_from = s;
    }
  }
  return end + 1;
}

double FirstOccurrences::first(const Later& occurrence) const {
  return std::max(walk_.visits[occurrence.from] - occurrence.taken, 0.0) * occurrence.chance;
}

}  // namespace tricolore::graphs::lattices
