#include "first_occurrences.hpp"

#include <algorithm>
#include <stdexcept>

#include "interruption.hpp"
#include "lanes.hpp"
#include "processors.hpp"

// Its clones must not change results: the build forbids fused multiplication and addition in this file.

namespace tricolore::graphs::lattices {

namespace {

// How many states are started from, or single words looked for, at once.
constexpr std::size_t lanes = 16;

// As many passes for single n-grams cost as much as one for all lanes, when it is decided which are made.
constexpr std::size_t passes_per_block = 4;

// How many arcs all passes together may go over: some minutes.
constexpr std::size_t most_steps = std::size_t{1} << 37;

}  // namespace

FirstOccurrences::FirstOccurrences(const LatticeView& lattice, const OutArcs& out, const Walk& walk)
    : lattice_(lattice), out_(out), walk_(walk) {
  std::int32_t words = 0;
  for (const auto label : lattice.labels) words = std::max(words, label + 1);
  place_of_.assign(static_cast<std::size_t>(words), 0);
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
  if (overlaps_itself || pairs > arcs_between(occurrences)) {
    expect(arcs_between(occurrences));
    if (ngram.size() == 1) {
      single_words_.push_back({ngram[0], occurrences[0].from, last_end(occurrences), &values, values.size() - 1});
      if (single_words_.size() == lanes) pass_words();
      return;
    }
    values.back() = std::min(pass(ngram, occurrences), 1.0);
    return;
  }
  waiting_.push_back({occurrences_.size(), occurrences_.size() + occurrences.size(), words_.size(), ngram.size(),
                      &values, values.size() - 1});
  for (Occurrence one : occurrences) {
    one.ngram = static_cast<std::uint32_t>(waiting_.size() - 1);
    occurrences_.push_back(one);
  }
  words_.insert(words_.end(), ngram.begin(), ngram.end());
}

void FirstOccurrences::finish() {
  if (!single_words_.empty()) pass_words();
  std::size_t alone = 0;
  for (const Waiting& one : waiting_)
    alone +=
        arcs_between({occurrences_.data() + one.begin, one.end - one.begin}) + occurrences_.size() / waiting_.size();
  const auto order = senders();
  const std::size_t together = cost_of_blocks(order);
  expect(std::min(alone, together));
  if (alone <= together) {
    for (const Waiting& one : waiting_) {
      const std::span ngram(words_.data() + one.word_begin, one.words);
      find_borders(ngram);
      (*one.values)[one.at] = std::min(pass(ngram, {occurrences_.data() + one.begin, one.end - one.begin}), 1.0);
    }
    return;
  }
  pass_blocks(order);
  for (const Waiting& one : waiting_) {
    double sum = 0.0;
    for (auto k = one.begin; k < one.end; ++k) sum += first(k);
    (*one.values)[one.at] = std::min(sum, 1.0);
  }
}

void FirstOccurrences::expect(std::size_t steps) {
  steps_ += steps;
  if (steps_ > most_steps)
    throw std::overflow_error(
        "too long to find where paths have each first; expected a smaller lattice or a lower order");
}

std::int32_t FirstOccurrences::last_end(std::span<const Occurrence> occurrences) {
  auto end = occurrences[0].to;
  for (const Occurrence& one : occurrences) end = std::max(end, one.to);
  return end;
}

std::size_t FirstOccurrences::arcs_between(std::span<const Occurrence> occurrences) const {
  return out_.begin(last_end(occurrences)) - out_.begin(occurrences[0].from);
}

// One pass for one n-gram --------------------------------------------------------------------------------------

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
void FirstOccurrences::make_moves(std::span<const std::int32_t> ngram) {
  const std::size_t n = ngram.size();
  std::size_t types = 0;
  moves_.assign(n * n, 0);
  for (const auto word : ngram) {
    if (place_of_[word] != 0) continue;
    place_of_[word] = ++types;
    std::size_t* moves = moves_.data() + (types - 1) * n;
    for (std::size_t k = 0; k < n; ++k) moves[k] = ngram[k] == word ? k + 1 : k > 0 ? moves[borders_[k]] : 0;
  }
}

// From the first state that an occurrence begins in to the last that one ends in. The row of a state holds the
// probability to come there after the whole n-gram, and before that after just its first k words, 0 < k < n.
double FirstOccurrences::pass(std::span<const std::int32_t> ngram, std::span<const Occurrence> occurrences) {
  const std::size_t n = ngram.size();
  const auto begin = occurrences[0].from, end = last_end(occurrences);
  make_moves(ngram);
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
      if (place_of_[label] == 0) continue;
      const std::size_t* moves = moves_.data() + (place_of_[label] - 1) * n;
      for (std::size_t k = 0; k < n; ++k) {
        if (moves[k] == 0) continue;
        const double moved = (k == 0 ? free : row[k]) * chance;
        if (moves[k] == n) found += moved;
        if (after) after[moves[k] % n] += moved;
      }
    }
  }
  for (const auto word : ngram) place_of_[word] = 0;
  return found;
}

// The same for several words at once. The row of a state holds the probability to come there after each of them.
TRICOLORE_FOR_EACH_PROCESSOR
void FirstOccurrences::pass_words() {
  auto begin = single_words_[0].from, end = single_words_[0].to;
  for (std::size_t l = 0; l < single_words_.size(); ++l) {
    place_of_[single_words_[l].word] = l + 1;
    begin = std::min(begin, single_words_[l].from);
    end = std::max(end, single_words_[l].to);
  }
  rows_.assign(static_cast<std::size_t>(end - begin) * lanes, 0.0);
  double found[lanes] = {};
  for (auto s = begin; s < end; ++s) {
    if (s % 4096 == 0) check_interrupt();
    const double* row = rows_.data() + static_cast<std::size_t>(s - begin) * lanes;
    for (auto a = out_.begin(s); a < out_.end(s); ++a) {
      const auto label = lattice_.labels[a];
      const auto target = lattice_.targets[a];
      double* after = target < end ? rows_.data() + static_cast<std::size_t>(target - begin) * lanes : nullptr;
      const double chance = walk_.arcs[a];
      if (after)
        for (std::size_t k = 0; k < lanes; k += four) at(after + k) += chance * at(row + k);
      if (label == no_word || place_of_[label] == 0) continue;
      const std::size_t l = place_of_[label] - 1;
      const double moved = std::max(walk_.visits[s] - row[l], 0.0) * chance;
      found[l] += moved;
      if (after) after[l] += moved;
    }
  }
  for (std::size_t l = 0; l < single_words_.size(); ++l) {
    place_of_[single_words_[l].word] = 0;
    (*single_words_[l].values)[single_words_[l].at] = std::min(found[l], 1.0);
  }
  single_words_.clear();
}

// Passes for all n-grams ---------------------------------------------------------------------------------------

// Occurrences that another of the same n-gram may follow, by the states they end in.
std::vector<std::size_t> FirstOccurrences::senders() const {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < occurrences_.size(); ++k) {
    const auto last = occurrences_[waiting_[occurrences_[k].ngram].end - 1].from;
    if (occurrences_[k].to <= last) found.push_back(k);
  }
  std::stable_sort(found.begin(), found.end(), [&](auto a, auto b) { return occurrences_[a].to < occurrences_[b].to; });
  return found;
}

std::size_t FirstOccurrences::cost_of_blocks(std::span<const std::size_t> senders) const {
  std::size_t cost = 0, states = 0;
  std::int32_t to = -1;
  for (const auto k : senders) {
    const Waiting& ngram = waiting_[occurrences_[k].ngram];
    cost += ngram.end - k;
    if (occurrences_[k].to == to) continue;
    to = occurrences_[k].to;
    if (states++ % passes_per_block == 0) cost += lattice_.arcs() - out_.begin(to);
  }
  return cost;
}

void FirstOccurrences::pass_blocks(std::span<const std::size_t> senders) {
  taken_.assign(occurrences_.size(), 0.0);
  for (std::size_t begin = 0, end; begin < senders.size(); begin = end) {
    std::size_t states = 0;
    for (end = begin; end < senders.size(); ++end) {
      if (end == begin || occurrences_[senders[end]].to != occurrences_[senders[end - 1]].to) ++states;
      if (states > lanes) break;
    }
    pass_block(senders.subspan(begin, end - begin));
  }
}

// Occurrences that end in a few states: how likely a path comes from each of these to where the same n-grams
// begin again. An occurrence is first if none came before; that is known by now of all that end here.
void FirstOccurrences::pass_block(std::span<const std::size_t> senders) {
  const auto begin = occurrences_[senders.front()].to;
  auto end = begin;  // the last state that is asked for
  for (const auto k : senders) end = std::max(end, occurrences_[waiting_[occurrences_[k].ngram].end - 1].from);
  rows_.assign(static_cast<std::size_t>(end - begin + 1) * lanes, 0.0);
  const auto row = [&](std::int32_t state) { return rows_.data() + static_cast<std::size_t>(state - begin) * lanes; };
  std::size_t lane = 0;
  for (std::size_t k = 0; k < senders.size(); ++k) {
    if (k > 0 && occurrences_[senders[k]].to != occurrences_[senders[k - 1]].to) ++lane;
    row(occurrences_[senders[k]].to)[lane] = 1.0;
  }
  spread(begin, end);
  lane = 0;
  for (std::size_t k = 0; k < senders.size(); ++k) {
    const Occurrence& one = occurrences_[senders[k]];
    if (k > 0 && one.to != occurrences_[senders[k - 1]].to) ++lane;
    const double chance = first(senders[k]);
    for (auto later = waiting_[one.ngram].end; later-- > senders[k] && occurrences_[later].from >= one.to;)
      taken_[later] += chance * row(occurrences_[later].from)[lane];
  }
}

// Moves the rows of states on along the arcs.
TRICOLORE_FOR_EACH_PROCESSOR
void FirstOccurrences::spread(std::int32_t begin, std::int32_t end) {
  for (auto s = begin; s < end; ++s) {
    if (s % 4096 == 0) check_interrupt();
    Four before[lanes / four];
    for (std::size_t k = 0; k < lanes / four; ++k)
      before[k] = at(rows_.data() + static_cast<std::size_t>(s - begin) * lanes + k * four);
    for (auto a = out_.begin(s); a < out_.end(s); ++a) {
      if (lattice_.targets[a] > end) continue;
      double* after = rows_.data() + static_cast<std::size_t>(lattice_.targets[a] - begin) * lanes;
      const double chance = walk_.arcs[a];
      for (std::size_t k = 0; k < lanes / four; ++k) at(after + k * four) += chance * before[k];
    }
  }
}

double FirstOccurrences::first(std::size_t occurrence) const {
  const Occurrence& one = occurrences_[occurrence];
  return std::max(walk_.visits[one.from] - taken_[occurrence], 0.0) * one.chance;
}

}  // namespace tricolore::graphs::lattices
