#include "overlaps.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "interruption.hpp"

namespace tricolore::counting {

namespace {

void write_row(double* row, double shared, double hypothesis, double reference) {
  row[0] = shared;
  row[1] = hypothesis;
  row[2] = reference;
}

double ngrams_of(const Overlap& what, std::size_t length) {
  std::size_t total = 0;
  for (std::size_t n = what.lowest; n <= std::min(what.highest, length); ++n) total += length - n + 1;
  return static_cast<double>(total);
}

// Pairs of places at most `reach` apart.
double pairs_of(std::size_t reach, std::size_t length) {
  if (length < 2) return 0.0;
  const auto n = static_cast<double>(length), farthest = static_cast<double>(std::min(reach, length - 1));
  return farthest * n - farthest * (farthest + 1) / 2;
}

}  // namespace

void OverlapWorkspace::count(const OverlapCounting& what, const SegmentView& segment, double* rows) {
  reader_.read(what.reading, segment, words_);
  const Sequence hypothesis(words_.hypothesis);
  const std::uint32_t types = words_.types;
  for (std::size_t k = 0; k < words_.reference_ends.size(); ++k) {
    const Sequence reference = words_.reference(k);
    for (std::size_t i = 0; i < what.overlaps.size(); ++i) {
      const Overlap& overlap = what.overlaps[i];
      switch (overlap.kind) {
        case Overlap::Kind::ngrams:
          write_row(rows, shared_ngrams(overlap, hypothesis, reference), ngrams_of(overlap, hypothesis.size()),
                    ngrams_of(overlap, reference.size()));
          break;
        case Overlap::Kind::subsequence:
          subsequences_.set_pattern(reference, types);
          write_row(rows, static_cast<double>(subsequences_.common_subsequence(hypothesis)),
                    static_cast<double>(hypothesis.size()), static_cast<double>(reference.size()));
          break;
        case Overlap::Kind::weighted: {
          const std::size_t first = i;
          while (i + 1 < what.overlaps.size() && what.overlaps[i + 1].kind == Overlap::Kind::weighted) ++i;
          weighted_.count({what.overlaps.data() + first, i - first + 1}, hypothesis, reference, rows);
          rows += 3 * (i - first);
          break;
        }
        case Overlap::Kind::skip_bigrams:
          skip_bigrams_.count(overlap, hypothesis, reference, types, rows);
          break;
      }
      rows += 3;
    }
  }
}

double OverlapWorkspace::shared_ngrams(const Overlap& what, Sequence hypothesis, Sequence reference) {
  const std::size_t highest = std::min({what.highest, hypothesis.size(), reference.size()});
  if (highest < what.lowest) return 0.0;
  matches_.resize(highest);
  matcher_.count(hypothesis, reference, words_.types, static_cast<int>(highest), matches_.data());
  return std::accumulate(matches_.begin() + static_cast<std::ptrdiff_t>(what.lowest) - 1, matches_.end(), 0.0);
}

void WeightedSubsequences::count(std::span<const Overlap> what, Sequence hypothesis, Sequence reference, double* rows) {
  lanes_.resize(std::max(lanes_.size(), (what.size() + most_lanes - 1) / most_lanes));
  for (std::size_t first = 0; first < what.size(); first += most_lanes) {
    Lanes& by = lanes_[first / most_lanes];
    const auto some = what.subspan(first, std::min(most_lanes, what.size() - first));
    if (some.size() == 1) {
      count_lanes<1>(some, by, hypothesis, reference, rows + 3 * first);
    } else {
      count_lanes<most_lanes>(some, by, hypothesis, reference, rows + 3 * first);
    }
  }
}

template <std::size_t lanes>
void WeightedSubsequences::count_lanes(std::span<const Overlap> what, Lanes& by, Sequence hypothesis,
                                       Sequence reference, double* rows) {
  std::array<double, most_lanes> weights{};  // a lane that is not needed has weight 0
  for (std::size_t l = 0; l < what.size(); ++l) weights[l] = what[l].weight;
  if (weights != by.weights) by.worths.clear();
  by.weights = weights;
  for (std::size_t run = by.worths.size() / lanes; run <= std::max(hypothesis.size(), reference.size()); ++run)
    for (std::size_t l = 0; l < lanes; ++l) by.worths.push_back(std::pow(static_cast<double>(run), weights[l]));
  const double* worth = shared<lanes>(by.worths, hypothesis, reference);
  for (std::size_t l = 0; l < what.size(); ++l)
    write_row(rows + 3 * l, worth[l], by.worths[lanes * hypothesis.size() + l],
              by.worths[lanes * reference.size() + l]);
}

// Row by row through the table of Lin & Och's recurrence. A match always goes on from the diagonal, even where that is
// worth less than a neighbour. A run of k is worth worths[k] more than what was there before it began, which is the
// recurrence's f(k+1) - f(k) added up without rounding.
template <std::size_t lanes>
const double* WeightedSubsequences::shared(const std::vector<double>& worths, Sequence hypothesis, Sequence reference) {
  const std::size_t places = reference.size() + 1;
  for (auto* row : {&worth_, &worth_above_, &before_, &before_above_}) row->assign(lanes * places, 0.0);
  for (auto* row : {&run_, &run_above_}) row->assign(places, 0);
  for (const std::uint32_t word : hypothesis) {
    check_interrupt();
    worth_.swap(worth_above_);
    before_.swap(before_above_);
    run_.swap(run_above_);
    double* worth = worth_.data();
    const double* worth_above = worth_above_.data();
    std::array<double, lanes> left{};
    for (std::size_t j = 1; j < places; ++j) {
      const std::size_t here = lanes * j;
      if (reference[j - 1] == word) {
        const double* from = (run_above_[j - 1] > 0 ? before_above_.data() : worth_above) + here - lanes;
        run_[j] = run_above_[j - 1] + 1;
        const double* more = worths.data() + lanes * run_[j];
        for (std::size_t l = 0; l < lanes; ++l) {
          before_[here + l] = from[l];
          left[l] = from[l] + more[l];
        }
      } else {
        run_[j] = 0;
        for (std::size_t l = 0; l < lanes; ++l) left[l] = std::max(worth_above[here + l], left[l]);
      }
      for (std::size_t l = 0; l < lanes; ++l) worth[here + l] = left[l];
    }
  }
  return worth_.data() + lanes * (places - 1);
}

void SkipBigrams::count(const Overlap& what, Sequence hypothesis, Sequence reference, std::uint32_t types,
                        double* row) {
  const std::size_t reach = what.skip == Overlap::no_limit ? what.skip : what.skip + 1;
  write_row(row, static_cast<double>(shared(reach, hypothesis, reference, types)), pairs_of(reach, hypothesis.size()),
            pairs_of(reach, reference.size()));
  if (!what.unigrams) return;
  row[0] += static_cast<double>(shared_unigrams(hypothesis, reference, types));
  row[1] += static_cast<double>(hypothesis.size());
  row[2] += static_cast<double>(reference.size());
}

// One first word after the other: what follows it in the reference is counted, and what follows it in the hypothesis
// takes from those counts. So memory is linear although pairs may be quadratic in number.
std::uint64_t SkipBigrams::shared(std::size_t reach, Sequence hypothesis, Sequence reference, std::uint32_t types) {
  constexpr auto nowhere = static_cast<std::size_t>(-1);
  auto chain = [&](Sequence words, std::vector<std::size_t>& last, std::vector<std::size_t>& earlier) {
    last.assign(types, nowhere);
    earlier.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == absent) continue;
      earlier[i] = last[words[i]];
      last[words[i]] = i;
    }
  };
  chain(hypothesis, last_hypothesis_, earlier_hypothesis_);
  chain(reference, last_reference_, earlier_reference_);
  left_.assign(types, 0);
  auto for_followers = [&](Sequence words, std::size_t last, const std::vector<std::size_t>& earlier, auto&& use) {
    for (std::size_t i = last; i != nowhere; i = earlier[i]) {
      const std::size_t end = reach < words.size() - i ? i + reach + 1 : words.size();
      for (std::size_t j = i + 1; j < end; ++j) use(words[j]);
    }
  };
  std::uint64_t shared = 0;
  for (std::uint32_t first = 0; first < types; ++first) {
    check_interrupt();
    const std::size_t in_hypothesis = last_hypothesis_[first], in_reference = last_reference_[first];
    if (in_hypothesis == nowhere || in_reference == nowhere) continue;
    for_followers(reference, in_reference, earlier_reference_, [&](std::uint32_t word) { ++left_[word]; });
    for_followers(hypothesis, in_hypothesis, earlier_hypothesis_, [&](std::uint32_t word) {
      if (word == absent || left_[word] == 0) return;
      --left_[word];
      ++shared;
    });
    for_followers(reference, in_reference, earlier_reference_, [&](std::uint32_t word) { left_[word] = 0; });
  }
  return shared;
}

std::uint64_t SkipBigrams::shared_unigrams(Sequence hypothesis, Sequence reference, std::uint32_t types) {
  left_.assign(types, 0);
  for (const std::uint32_t word : reference) ++left_[word];
  std::uint64_t shared = 0;
  for (const std::uint32_t word : hypothesis) {
    if (word == absent || left_[word] == 0) continue;
    --left_[word];
    ++shared;
  }
  return shared;
}

}  // namespace tricolore::counting
