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

}  // namespace

void OverlapWorkspace::count(const OverlapCounting& what, const SegmentView& segment, double* rows) {
  reader_.read(what.reading, segment, words_);
  const Sequence hypothesis(words_.hypothesis);
  const std::uint32_t types = words_.types;
  std::size_t highest = 0;  // of all n-grams that are counted
  for (const Overlap& overlap : what.overlaps)
    if (overlap.kind == Overlap::Kind::ngrams) highest = std::max(highest, overlap.highest);
  for (std::size_t k = 0; k < words_.reference_ends.size(); ++k) {
    const Sequence reference = words_.reference(k);
    match_ngrams(std::min({highest, hypothesis.size(), reference.size()}), hypothesis, reference);
    for (std::size_t i = 0; i < what.overlaps.size(); ++i) {
      const Overlap& overlap = what.overlaps[i];
      switch (overlap.kind) {
        case Overlap::Kind::ngrams:
          write_row(rows, shared_ngrams(overlap), ngrams_of(overlap, hypothesis.size()),
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
          write_row(rows, skip_bigrams_.shared(overlap, hypothesis, reference, types),
                    SkipBigrams::of(overlap, hypothesis.size()), SkipBigrams::of(overlap, reference.size()));
          break;
      }
      rows += 3;
    }
  }
}

void OverlapWorkspace::match_ngrams(std::size_t highest, Sequence hypothesis, Sequence reference) {
  matches_.resize(highest);
  if (highest > 0) matcher_.count(hypothesis, reference, words_.types, static_cast<int>(highest), matches_.data());
}

double OverlapWorkspace::shared_ngrams(const Overlap& what) const {
  const std::size_t highest = std::min(what.highest, matches_.size());
  double shared = 0.0;
  for (std::size_t n = what.lowest; n <= highest; ++n) shared += matches_[n - 1];
  return shared;
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
    check_interrupt(lanes * places);
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

double SkipBigrams::of(const Overlap& what, std::size_t length) {
  const auto n = static_cast<double>(length), single = what.unigrams ? n : 0.0;
  if (length < 2) return single;
  const auto farthest = static_cast<double>(std::min(reach(what), length - 1));
  return farthest * n - farthest * (farthest + 1) / 2 + single;
}

double SkipBigrams::shared(const Overlap& what, Sequence hypothesis, Sequence reference, std::uint32_t types) {
  const std::uint64_t single = what.unigrams ? shared_unigrams(hypothesis, reference, types) : 0;
  return static_cast<double>(single + shared_pairs(reach(what), hypothesis, reference, types));
}

// One first word after the other: what follows it in the reference is counted, and what follows it in the hypothesis
// takes from those counts. So memory is linear although pairs may be quadratic in number. Afterwards every table is as
// it was before: of all the types there may be, only those of the two texts are touched.
std::uint64_t SkipBigrams::shared_pairs(std::size_t reach, Sequence hypothesis, Sequence reference,
                                        std::uint32_t types) {
  constexpr auto nowhere = static_cast<std::size_t>(-1);
  auto chain = [&](Sequence words, std::vector<std::size_t>& last, std::vector<std::size_t>& earlier) {
    if (last.size() < types) last.resize(types, nowhere);
    earlier.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == absent) continue;
      earlier[i] = last[words[i]];
      last[words[i]] = i;
    }
  };
  chain(hypothesis, last_hypothesis_, earlier_hypothesis_);
  chain(reference, last_reference_, earlier_reference_);
  if (left_.size() < types) left_.resize(types, 0);
  auto for_followers = [&](Sequence words, std::size_t last, const std::vector<std::size_t>& earlier, auto&& use) {
    for (std::size_t i = last; i != nowhere; i = earlier[i]) {
      const std::size_t end = reach < words.size() - i ? i + reach + 1 : words.size();
      check_interrupt(end - i);
      for (std::size_t j = i + 1; j < end; ++j) use(words[j]);
    }
  };
  std::uint64_t shared = 0;
  for (const std::uint32_t first : hypothesis) {
    if (first == absent) continue;
    const std::size_t in_hypothesis = last_hypothesis_[first], in_reference = last_reference_[first];
    last_hypothesis_[first] = nowhere;  // so that a word that comes again is not counted again
    if (in_hypothesis == nowhere || in_reference == nowhere) continue;
    for_followers(reference, in_reference, earlier_reference_, [&](std::uint32_t word) { ++left_[word]; });
    for_followers(hypothesis, in_hypothesis, earlier_hypothesis_, [&](std::uint32_t word) {
      if (word == absent || left_[word] == 0) return;
      --left_[word];
      ++shared;
    });
    for_followers(reference, in_reference, earlier_reference_, [&](std::uint32_t word) { left_[word] = 0; });
  }
  for (const std::uint32_t word : reference) last_reference_[word] = nowhere;
  return shared;
}

std::uint64_t SkipBigrams::shared_unigrams(Sequence hypothesis, Sequence reference, std::uint32_t types) {
  if (left_.size() < types) left_.resize(types, 0);
  for (const std::uint32_t word : reference) ++left_[word];
  std::uint64_t shared = 0;
  for (const std::uint32_t word : hypothesis) {
    if (word == absent || left_[word] == 0) continue;
    --left_[word];
    ++shared;
  }
  for (const std::uint32_t word : reference) left_[word] = 0;
  return shared;
}

}  // namespace tricolore::counting
