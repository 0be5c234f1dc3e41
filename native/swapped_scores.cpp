#include "swapped_scores.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "interruption.hpp"

namespace tricolore::judging {

template <class Number>
std::size_t PairSums<Number>::chunks_of(std::size_t systems) {
  return std::max<std::size_t>(2, (systems + bits - 1) / bits);
}

// The sums of pairs with one system in chunk a and one in chunk b, for all swaps of both.
template <class Number>
void PairSums<Number>::fill(const std::vector<Number>& terms, std::size_t systems, std::size_t a, std::size_t b) {
  table_.assign(choices * choices, Number{});
  Number lines[2][choices];
  for (std::size_t i = a * bits; i < std::min(systems, (a + 1) * bits); ++i) {
    for (std::size_t s = 0; s < 2; ++s) {
      lines[s][0] = Number{};
      for (std::size_t j = b * bits; j < std::min(systems, (b + 1) * bits); ++j)
        lines[s][0] += terms[4 * (i * systems + j) + 2 * s];
      for (std::size_t swap = 1; swap < choices; ++swap) {
        std::size_t lowest = 0;
        while ((swap >> lowest) % 2 == 0) ++lowest;
        const std::size_t j = b * bits + lowest;
        lines[s][swap] = lines[s][swap & (swap - 1)];
        if (j >= systems) continue;
        const Number* of = terms.data() + 4 * (i * systems + j) + 2 * s;
        lines[s][swap] += of[1] - of[0];
      }
    }
    for (std::size_t swap = 0; swap < choices; ++swap) {
      const Number* line = lines[(swap >> (i - a * bits)) % 2];
      for (std::size_t other = 0; other < choices; ++other) table_[swap * choices + other] += line[other];
    }
  }
}

// The sums of pairs within chunk a, to the rows of the table or to its columns.
template <class Number>
void PairSums<Number>::add_within(const std::vector<Number>& terms, std::size_t systems, std::size_t a, bool rows) {
  for (std::size_t swap = 0; swap < choices; ++swap) {
    Number sum{};
    for (std::size_t i = a * bits; i < std::min(systems, (a + 1) * bits); ++i)
      for (std::size_t j = i + 1; j < std::min(systems, (a + 1) * bits); ++j)
        sum += terms[4 * (i * systems + j) + 2 * ((swap >> (i - a * bits)) % 2) + (swap >> (j - a * bits)) % 2];
    for (std::size_t other = 0; other < choices; ++other)
      table_[rows ? swap * choices + other : other * choices + swap] += sum;
  }
}

template <class Number>
void PairSums<Number>::add(const std::vector<Number>& terms, std::size_t systems, const std::uint8_t* chunks,
                           std::size_t swaps, Number* sums) {
  const std::size_t number = chunks_of(systems);
  for (std::size_t a = 0; a + 1 < number; ++a)
    for (std::size_t b = a + 1; b < number; ++b) {
      fill(terms, systems, a, b);
      if (b == a + 1) add_within(terms, systems, a, true);
      if (b == a + 1 && b + 1 == number) add_within(terms, systems, b, false);
      const std::uint8_t *of_a = chunks + a * swaps, *of_b = chunks + b * swaps;
      for (std::size_t e = 0; e < swaps; ++e) sums[e] += table_[of_a[e] * choices + of_b[e]];
    }
}

template class PairSums<std::int64_t>;
template class PairSums<double>;

namespace {

// Three counts in one number: pairs in the same order, ties of the metric, ties of both.
constexpr std::int64_t same_order = 1, metric_tie = std::int64_t{1} << 20, both_tie = std::int64_t{1} << 40;
constexpr std::int64_t count_mask = (std::int64_t{1} << 20) - 1;

// Where the variance is less than this share of the squares, it is computed again from deviations.
constexpr double cancels = 1e-3;

// Pack the swaps of systems, a byte each, into chunks.
std::vector<std::uint8_t> chunks_of_swaps(const std::uint8_t* swaps, std::size_t number, std::size_t systems) {
  constexpr std::size_t bits = PairSums<double>::bits;
  std::vector<std::uint8_t> chunks(PairSums<double>::chunks_of(systems) * number, 0);
  for (std::size_t e = 0; e < number; ++e)
    for (std::size_t i = 0; i < systems; ++i)
      chunks[i / bits * number + e] |= static_cast<std::uint8_t>(swaps[e * systems + i] << (i % bits));
  return chunks;
}

int sign(double a, double b) { return int(a > b) - int(a < b); }

}  // namespace

void SwappedStatistics::read(const SwappedScores& scores, std::size_t group) {
  const std::size_t n = scores.systems;
  const double *human = scores.human + group * n, *first = scores.first + group * n,
               *second = scores.second + group * n;
  std::vector<std::size_t> present;
  x_.clear();
  y_.clear();
  for (std::size_t i = 0; i < n; ++i) {
    if (std::isnan(human[i]) || std::isnan(first[i]) || std::isnan(second[i])) continue;
    present.push_back(i);
    x_.push_back(human[i]);
    y_.push_back(first[i]);
    y_.push_back(second[i]);
  }
  if (present.size() != size_ || present.size() < n || chunks_.empty()) {
    size_ = present.size();
    swaps_.resize(scores.number * size_);
    for (std::size_t e = 0; e < scores.number; ++e)
      for (std::size_t i = 0; i < size_; ++i) swaps_[e * size_ + i] = scores.swaps[e * n + present[i]];
    chunks_ = chunks_of_swaps(swaps_.data(), scores.number, size_);
  }
  std::vector<std::uint32_t> order(y_.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](auto a, auto b) { return y_[a] < y_[b]; });
  rank_.resize(y_.size());
  for (std::size_t k = 0; k < order.size(); ++k)
    rank_[order[k]] = k > 0 && y_[order[k]] == y_[order[k - 1]] ? rank_[order[k - 1]] : static_cast<std::uint32_t>(k);
}

// What each pair of systems adds to counts of pairs, and to Spearman's covariance.
void SwappedStatistics::make_terms() {
  const std::size_t n = size_;
  counted_.assign(4 * n * n, 0);
  ranked_.assign(4 * n * n, 0);
  twice_rank_.assign(n, 2);
  pairs_ = static_cast<std::int64_t>(n * (n - 1) / 2);
  human_ties_ = human_values_ = 0;
  for (std::size_t i = 0; i < n; ++i) {
    bool is_new = true;
    for (std::size_t j = 0; j < i; ++j) {
      const int by = sign(x_[i], x_[j]);
      twice_rank_[i] += 1 + by;
      twice_rank_[j] += 1 - by;
      human_ties_ += by == 0;
      is_new = is_new && by != 0;
    }
    human_values_ += is_new;
  }
  varies_ = human_values_ > 1;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 1; j < n; ++j) {
      const int by = sign(x_[i], x_[j]);
      for (std::size_t k = 0; k < 4; ++k) {
        const std::uint32_t a = rank_[2 * i + k / 2], b = rank_[2 * j + k % 2];
        const int by_metric = int(a > b) - int(a < b);
        counted_[4 * (i * n + j) + k] = by_metric == 0    ? metric_tie + (by == 0 ? both_tie : 0)
                                        : by_metric == by ? same_order
                                                          : 0;
        ranked_[4 * (i * n + j) + k] = (twice_rank_[i] - twice_rank_[j]) * (1 + by_metric);
      }
    }
}

double SwappedStatistics::exact_pearson(std::size_t swap, bool& defined) {
  const auto score = [&](std::size_t i) { return y_[2 * i + swaps_[swap * size_ + i]]; };
  double mean = 0, low = score(0), high = low;
  for (std::size_t i = 0; i < size_; ++i) {
    mean += score(i) / static_cast<double>(size_);
    low = std::min(low, score(i));
    high = std::max(high, score(i));
  }
  defined = low < high;
  double product = 0, square = 0, human = 0;
  for (std::size_t i = 0; i < size_; ++i) {
    const double away = (score(i) - mean) / (defined ? high - low : 1);
    product += x_[i] * away;
    square += away * away;
    human += x_[i] * x_[i];
  }
  return product / std::sqrt(square * human);
}

void SwappedStatistics::add_pearson(std::size_t number, double* rows) {
  constexpr std::size_t bits = PairSums<double>::bits, choices = PairSums<double>::choices;
  const double n = static_cast<double>(size_);
  const double centre = std::accumulate(y_.begin(), y_.end(), 0.0) / (2 * n);
  const double squares_of_human = std::inner_product(x_.begin(), x_.end(), x_.begin(), 0.0);
  const std::size_t chunks = PairSums<double>::chunks_of(size_);
  // Sums of scores, of squares and of products with people's scores, for all swaps of each chunk.
  sums_.assign(chunks * choices * 3, 0.0);
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t swap = 0; swap < choices; ++swap) {
      const double y = y_[2 * i + (swap >> (i % bits)) % 2] - centre;
      double* sums = sums_.data() + (i / bits * choices + swap) * 3;
      sums[0] += y;
      sums[1] += y * y;
      sums[2] += y * x_[i];
    }
  for (std::size_t e = 0; e < number; ++e) {
    double sum = 0, squares = 0, products = 0;
    for (std::size_t c = 0; c < chunks; ++c) {
      const double* sums = sums_.data() + (c * choices + chunks_[c * number + e]) * 3;
      sum += sums[0];
      squares += sums[1];
      products += sums[2];
    }
    const double variance = squares - sum * sum / n;
    bool defined = true;
    const double r =
        variance > cancels * squares ? products / std::sqrt(variance * squares_of_human) : exact_pearson(e, defined);
    if (!defined) continue;
    rows[e * columns + 5] += std::clamp(r, -1.0, 1.0);
    rows[e * columns + 6] += 1;
  }
}

// Spearman's correlation, and Kendall's in two forms.
void SwappedStatistics::add_ranked(std::size_t number, double* rows) {
  const auto n = static_cast<std::int64_t>(size_);
  double rest = 0, human = 0;  // of the covariance of ranks, and people's squares
  for (std::int64_t i = 0; i < n; ++i) {
    const double away = 0.5 * static_cast<double>(twice_rank_[i] - (n + 1));
    rest += away * static_cast<double>(i);
    human += away * away;
  }
  const double whole = static_cast<double>(n * n * n - n) / 12;
  tied_.assign(2 * size_, 0);
  for (std::size_t e = 0; e < number; ++e) {
    double* row = rows + e * columns;
    const std::int64_t same = counts_[e] & count_mask, ties = (counts_[e] / metric_tie) & count_mask,
                       both = counts_[e] / both_tie;
    const std::int64_t opposite = pairs_ - human_ties_ - ties + both - same;
    const std::int64_t found[] = {same, opposite, human_ties_ - both, ties - both, both};
    for (std::size_t k = 0; k < 5; ++k) row[k] += static_cast<double>(found[k]);
    std::int64_t values = n - ties, cubes = 6 * ties;  // up to two ties are of two systems each
    if (ties > 2) {
      values = cubes = 0;
      const auto rank = [&](std::size_t i) { return rank_[2 * i + swaps_[e * size_ + i]]; };
      for (std::size_t i = 0; i < size_; ++i) values += tied_[rank(i)]++ == 0;
      for (std::size_t i = 0; i < size_; ++i) {
        const std::int64_t t = std::exchange(tied_[rank(i)], 0);
        cubes += t * t * t - t;
      }
    }
    if (!varies_ || values < 2) continue;
    const double variance = whole - static_cast<double>(cubes) / 12;
    const double r = (0.25 * static_cast<double>(ranks_[e]) + rest) / std::sqrt(variance * human);
    const auto difference = static_cast<double>(same - opposite);
    const double fewer = static_cast<double>(std::min(values, human_values_));
    const double above = std::sqrt(static_cast<double>(pairs_ - ties) * static_cast<double>(pairs_ - human_ties_));
    const double value[] = {std::clamp(r, -1.0, 1.0), difference / above,
                            2 * difference / (static_cast<double>(n * n) * (fewer - 1) / fewer)};
    for (std::size_t k = 0; k < 3; ++k) {
      row[7 + 2 * k] += value[k];
      row[8 + 2 * k] += 1;
    }
  }
}

void SwappedStatistics::add(const SwappedScores& scores, std::size_t group, double* rows) {
  read(scores, group);
  if (size_ < 2) return;
  make_terms();
  counts_.assign(scores.number, 0);
  ranks_.assign(scores.number, 0);
  pair_sums_.add(counted_, size_, chunks_.data(), scores.number, counts_.data());
  pair_sums_.add(ranked_, size_, chunks_.data(), scores.number, ranks_.data());
  const double mean = std::accumulate(x_.begin(), x_.end(), 0.0) / static_cast<double>(size_);
  add_ranked(scores.number, rows);
  for (double& x : x_) x -= mean;
  if (varies_) add_pearson(scores.number, rows);
  check_interrupt();
}

// Ties ---------------------------------------------------------------------------------------------------------

namespace {

// A pair of systems in a group, with one of the scores of either, that is right or wrong if it is tied.
struct Change {
  double difference, gain;
  std::uint32_t term;  // see PairSums
};

constexpr std::size_t changes_at_once = 1024;

// Looks for the best sum of shares, swap by swap. Changes come in blocks by their differences: the sums of a block are
// those of a few tables, and a block is gone through only if it may hold the best.
class BestOfSwaps {
 public:
  BestOfSwaps(std::vector<Change> changes, const SwappedScores& scores)
      : changes_(std::move(changes)),
        scores_(scores),
        chunks_(chunks_of_swaps(scores.swaps, scores.number, scores.systems)),
        terms_(4 * scores.systems * scores.systems) {
    std::sort(changes_.begin(), changes_.end(),
              [](const Change& a, const Change& b) { return a.difference < b.difference; });
    check_interrupt();
    cut();
  }

  // `noise`: sums that differ by no more are equal.
  void find(double noise, double* best) {
    const std::size_t swaps = scores_.number, blocks = ends_.size();
    std::vector<double> begin(swaps, 0.0);
    add(0, changes_.size(), [](double gain) { return gain < 0 ? -gain : 0.0; }, begin.data());
    add(0, first_positive_, [](double gain) { return gain; }, begin.data());
    std::copy(begin.begin(), begin.end(), best);
    std::vector<double> starts(blocks * swaps), most(blocks * swaps, 0.0);
    for (std::size_t b = 0; b < blocks; ++b) {
      std::copy(begin.begin(), begin.end(), starts.begin() + b * swaps);
      add(start_of(b), ends_[b], [](double gain) { return gain; }, begin.data());
      add(start_of(b), ends_[b], [](double gain) { return std::max(gain, 0.0); }, most.data() + b * swaps);
      for (std::size_t e = 0; e < swaps; ++e) best[e] = std::max(best[e], begin[e]);
      check_interrupt();
    }
    for (std::size_t e = 0; e < swaps; ++e, check_interrupt())
      for (std::size_t b = 0; b < blocks; ++b)
        if (starts[b * swaps + e] + most[b * swaps + e] > best[e] + noise)
          best[e] = std::max(best[e], best_within(b, e, starts[b * swaps + e]));
  }

 private:
  std::size_t start_of(std::size_t block) const { return block == 0 ? first_positive_ : ends_[block - 1]; }

  // Blocks end where differences do.
  void cut() {
    while (first_positive_ < changes_.size() && changes_[first_positive_].difference == 0.0) ++first_positive_;
    for (std::size_t end = first_positive_; end < changes_.size();) {
      end = std::min(end + changes_at_once, changes_.size());
      while (end < changes_.size() && changes_[end].difference == changes_[end - 1].difference) ++end;
      ends_.push_back(end);
    }
  }

  template <class Part>
  void add(std::size_t from, std::size_t to, Part&& part, double* sums) {
    std::fill(terms_.begin(), terms_.end(), 0.0);
    for (std::size_t k = from; k < to; ++k) terms_[changes_[k].term] += part(changes_[k].gain);
    pair_sums_.add(terms_, scores_.systems, chunks_.data(), scores_.number, sums);
  }

  double best_within(std::size_t block, std::size_t swap, double sum) {
    const std::size_t n = scores_.systems;
    const std::uint8_t* swapped = scores_.swaps + swap * n;
    if (swap != active_swap_) {
      active_.assign(terms_.size(), 0.0);
      for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) active_[4 * (i * n + j) + 2 * swapped[i] + swapped[j]] = 1.0;
      active_swap_ = swap;
    }
    double best = sum;
    for (std::size_t k = start_of(block); k < ends_[block]; ++k) {
      sum += changes_[k].gain * active_[changes_[k].term];
      const bool ends = k + 1 == ends_[block] || changes_[k + 1].difference != changes_[k].difference;
      if (ends) best = std::max(best, sum);
    }
    return best;
  }

  std::vector<Change> changes_;
  const SwappedScores& scores_;
  std::vector<std::uint8_t> chunks_;
  std::vector<double> terms_, active_;
  std::vector<std::size_t> ends_;
  std::size_t first_positive_ = 0, active_swap_ = static_cast<std::size_t>(-1);
  PairSums<double> pair_sums_;
};

}  // namespace

void calibrate_swapped_ties(const SwappedScores& scores, double* best) {
  const std::size_t n = scores.systems;
  std::vector<Change> changes;
  double used = 0;
  for (std::size_t group = 0; group < scores.groups; ++group) {
    const double *x = scores.human + group * n, *y[] = {scores.first + group * n, scores.second + group * n};
    const auto present = [&](std::size_t i) {
      return !std::isnan(x[i]) && !std::isnan(y[0][i]) && !std::isnan(y[1][i]);
    };
    double points = 0;
    for (std::size_t i = 0; i < n; ++i) points += present(i);
    if (points < 2) continue;
    ++used;
    const double weight = 2 / (points * (points - 1));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = i + 1; j < n && present(i); ++j)
        for (std::size_t k = 0; k < 4 && present(j); ++k) {
          const double a = y[k / 2][i], b = y[k % 2][j];
          const int by = sign(x[i], x[j]);
          const double gain = by == 0 ? weight : a != b && by == sign(a, b) ? -weight : 0;
          if (gain != 0)
            changes.push_back({a == b ? 0.0 : std::abs(a - b), gain, static_cast<std::uint32_t>(4 * (i * n + j) + k)});
        }
    if (group % 64 == 63) check_interrupt();
  }
  BestOfSwaps(std::move(changes), scores).find(1e-12 * used, best);
  for (std::size_t e = 0; e < scores.number; ++e) best[e] = used > 0 ? best[e] / used : std::nan("");
}

}  // namespace tricolore::judging
