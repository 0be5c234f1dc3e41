#include "tie_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interruption.hpp"
#include "lanes.hpp"
#include "processors.hpp"

// Its clones must not change results: the build forbids fused multiplication and addition in this file.

namespace tricolore::judging {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Gains of groups of different sizes are not exact, so a later sum must be better by more than their noise.
constexpr double noise_of_a_group = 1e-12;

// What becomes right or wrong when a pair of the second list is tied: 1 where the first list ties, -1 where both have
// the same order. 0: it stays as wrong as it is.
int gain_of(double x1, double x2, double y1, double y2) {
  if (x1 == x2) return 1;
  return y1 != y2 && (x1 > x2) == (y1 > y2) ? -1 : 0;
}

// Equal infinite scores are tied, though their difference is not a number.
double difference_of(double a, double b) { return a == b ? 0.0 : std::abs(a - b); }

bool is_point(double x, double y) { return !std::isnan(x) && !std::isnan(y); }

void write_row(double groups, double pairs, double best, double epsilon, double* row) {
  row[0] = groups > 0 ? best / groups : nan;
  row[1] = groups > 0 ? epsilon : nan;
  row[2] = groups;
  row[3] = pairs;
}

// Takes changes in the order of their differences, and keeps the least difference with which the sum is best.
class Best {
 public:
  Best(double shares, double groups) : shares_(shares), noise_(noise_of_a_group * groups) {}

  void take(double difference, double gain) {
    if (difference != difference_) settle();
    difference_ = difference;
    shares_ += gain;
  }
  void finish(double groups, double pairs, double* row) {
    settle();
    write_row(groups, pairs, best_, epsilon_, row);
  }

 private:
  void settle() {
    if (shares_ <= best_ + noise_) return;
    best_ = shares_;
    epsilon_ = difference_;
  }

  double shares_, noise_, difference_ = 0, best_ = -1, epsilon_ = 0;
};

}  // namespace

// Adds the changes of a group, as numbers of pairs; returns how many pairs it has. `right` are those right without
// ties.
std::size_t TieCalibration::read_group(const double* x, const double* y, std::size_t size, double& right) {
  std::size_t pairs = 0;
  right = 0;
  for (std::size_t i = 0; i < size; ++i) {
    if (!is_point(x[i], y[i])) continue;
    if (i % 256 == 255) check_interrupt();
    for (std::size_t j = 0; j < i; ++j) {
      if (!is_point(x[j], y[j])) continue;
      ++pairs;
      const int gain = gain_of(x[i], x[j], y[i], y[j]);
      if (gain != 0) changes_.push_back({difference_of(y[i], y[j]), static_cast<double>(gain)});
      right += gain < 0;
    }
  }
  return pairs;
}

void TieCalibration::calibrate(const double* first, const double* second, std::size_t groups, std::size_t size,
                               double* row) {
  changes_.clear();
  double shares = 0, all_pairs = 0, used = 0;
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t begin = changes_.size();
    double right = 0;
    const std::size_t pairs = read_group(first + group * size, second + group * size, size, right);
    if (pairs == 0) continue;
    const double weight = 1.0 / static_cast<double>(pairs);
    for (std::size_t i = begin; i < changes_.size(); ++i) changes_[i].gain *= weight;
    shares += right * weight;
    all_pairs += static_cast<double>(pairs);
    ++used;
  }
  check_interrupt();
  std::sort(changes_.begin(), changes_.end(),
            [](const Change& a, const Change& b) { return a.difference < b.difference; });
  check_interrupt();
  Best best(shares, used);
  for (const Change& change : changes_) best.take(change.difference, change.gain);
  best.finish(used, all_pairs, row);
}

// Resamples ----------------------------------------------------------------------------------------------------

namespace {

constexpr std::size_t lanes = ResampledTies::lanes, strips = lanes / four;
constexpr std::size_t pairs_between_checks = 1 << 16;

inline const Four& strip(const std::vector<double>& numbers, std::size_t i, std::size_t k) {
  return at(numbers.data() + i * lanes + k * four);
}

}  // namespace

// Sums of shares in each lane: of all pairs that are right, and then as pairs are tied, one difference after another.
struct ResampledTies::Sums {
  Four shares[strips] = {}, limits[strips] = {};  // a better sum is above its limit
  double noise[lanes] = {}, best[lanes] = {}, epsilon[lanes] = {};

  void begin(const std::vector<double>& groups) {
    for (std::size_t l = 0; l < lanes; ++l) {
      noise[l] = noise_of_a_group * groups[l];
      best[l] = -1;
    }
    set_limits();
  }
  void keep_better(double difference) {
    double now[lanes];
    for (std::size_t k = 0; k < strips; ++k) at(now + k * four) = shares[k];
    for (std::size_t l = 0; l < lanes; ++l) {
      if (now[l] <= best[l] + noise[l]) continue;
      best[l] = now[l];
      epsilon[l] = difference;
    }
    set_limits();
  }

 private:
  void set_limits() {
    for (std::size_t k = 0; k < strips; ++k) limits[k] = at(best + k * four) + at(noise + k * four);
  }
};

TRICOLORE_FOR_EACH_PROCESSOR
void ResampledTies::add_right(std::size_t from, std::size_t to, const Workspace& workspace, Sums& sums) const {
  Four shares[strips];
  for (std::size_t k = 0; k < strips; ++k) shares[k] = sums.shares[k];
  if (workspace.points.empty())
    for (std::size_t i = from; i < to; ++i)
      for (std::size_t k = 0; k < strips; ++k) shares[k] += strip(workspace.weights, right_groups_[i], k);
  else
    for (std::size_t i = from; i < to; ++i)
      for (std::size_t k = 0; k < strips; ++k)
        shares[k] += strip(workspace.weights, right_groups_[i], k) * strip(workspace.points, right_points_[i].one, k) *
                     strip(workspace.points, right_points_[i].other, k);
  for (std::size_t k = 0; k < strips; ++k) sums.shares[k] = shares[k];
}

// Ties the pairs of some differences, from `pair` on; returns the pair after them.
TRICOLORE_FOR_EACH_PROCESSOR
std::size_t ResampledTies::tie(std::size_t difference, std::size_t to, std::size_t pair, const Workspace& workspace,
                               Sums& sums) const {
  constexpr double gains[] = {-1.0, 1.0};
  const bool whole = workspace.points.empty();
  Four shares[strips];
  for (std::size_t k = 0; k < strips; ++k) shares[k] = sums.shares[k];
  for (; difference < to; ++difference) {
    if (whole)
      for (; pair < ends_[difference]; ++pair)
        for (std::size_t k = 0; k < strips; ++k)
          shares[k] += gains[marks_[pair] % 2] * strip(workspace.weights, marks_[pair] / 2, k);
    else
      for (; pair < ends_[difference]; ++pair)
        for (std::size_t k = 0; k < strips; ++k)
          shares[k] += gains[marks_[pair] % 2] * (strip(workspace.points, points_[pair].one, k) *
                                                  strip(workspace.points, points_[pair].other, k) *
                                                  strip(workspace.weights, marks_[pair] / 2, k));
    if (!any_above(shares, sums.limits)) continue;
    for (std::size_t k = 0; k < strips; ++k) sums.shares[k] = shares[k];
    sums.keep_better(differences_[difference]);
  }
  for (std::size_t k = 0; k < strips; ++k) sums.shares[k] = shares[k];
  return pair;
}

ResampledTies::ResampledTies(const double* first, const double* second, std::size_t groups, std::size_t size)
    : groups_(groups), size_(size), points_of_(groups), present_(groups * size) {
  struct Found {
    double difference;
    std::uint32_t mark;
    Points points;
  };
  std::vector<Found> found;
  for (std::size_t group = 0; group < groups; ++group) {
    const double *x = first + group * size, *y = second + group * size;
    for (std::size_t i = 0; i < size; ++i) {
      if (!is_point(x[i], y[i])) continue;
      present_[group * size + i] = true;
      ++points_of_[group];
      if (i % 256 == 255) check_interrupt();
      for (std::size_t j = 0; j < i; ++j) {
        const int gain = is_point(x[j], y[j]) ? gain_of(x[i], x[j], y[i], y[j]) : 0;
        if (gain != 0)
          found.push_back({difference_of(y[i], y[j]),
                           static_cast<std::uint32_t>(2 * group + (gain > 0)),
                           {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j)}});
      }
    }
  }
  check_interrupt();
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.difference < b.difference; });
  check_interrupt();
  marks_.reserve(found.size());
  points_.reserve(found.size());
  differences_.push_back(0.0);  // ties nothing but what is tied
  ends_.push_back(0);
  for (const Found& one : found) {
    if (one.difference != differences_.back()) {
      differences_.push_back(one.difference);
      ends_.push_back(0);
    }
    marks_.push_back(one.mark);
    points_.push_back(one.points);
    ends_.back() = static_cast<std::uint32_t>(marks_.size());
    if (one.mark % 2 == 1) continue;
    right_groups_.push_back(one.mark / 2);
    right_points_.push_back(one.points);
  }
}

// The weight of each pair of a group, in each lane: the group counts as often as it was drawn, however many pairs it
// has. `whole`: each point was drawn once.
void ResampledTies::weigh(const Times& times, Workspace& workspace, bool whole) const {
  workspace.weights.assign(groups_ * lanes, 0.0);
  workspace.used.assign(lanes, 0.0);
  workspace.pairs.assign(lanes, 0.0);
  for (std::size_t l = 0; l < times.resamples; ++l) {
    const double *group_times = times.groups + l * groups_, *point_times = times.points + l * size_;
    for (std::size_t group = 0; group < groups_; ++group) {
      if (group_times[group] == 0) continue;
      double points = points_of_[group], copies = points;
      if (!whole) {
        points = copies = 0;
        for (std::size_t i = 0; i < size_; ++i) {
          if (!present_[group * size_ + i]) continue;
          points += point_times[i];
          copies += point_times[i] * point_times[i];
        }
      }
      const double pairs = (points * points - copies) / 2;  // of whole numbers, so it is exact
      if (pairs == 0) continue;
      workspace.used[l] += group_times[group];
      workspace.pairs[l] += group_times[group] * pairs;
      workspace.weights[group * lanes + l] = group_times[group] / pairs;
    }
  }
}

void ResampledTies::calibrate(const Times& times, Workspace& workspace, double* rows) const {
  const bool whole = std::all_of(times.points, times.points + times.resamples * size_, [](double n) { return n == 1; });
  weigh(times, workspace, whole);
  check_interrupt();
  workspace.points.assign(whole ? 0 : size_ * lanes, 0.0);
  for (std::size_t l = 0; !whole && l < times.resamples; ++l)
    for (std::size_t i = 0; i < size_; ++i) workspace.points[i * lanes + l] = times.points[l * size_ + i];
  Sums sums;
  for (std::size_t from = 0; from < right_groups_.size(); from += pairs_between_checks, check_interrupt())
    add_right(from, std::min(from + pairs_between_checks, right_groups_.size()), workspace, sums);
  sums.begin(workspace.used);
  for (std::size_t difference = 0, pair = 0, end; difference < differences_.size(); difference = end) {
    end = std::min(difference + pairs_between_checks, differences_.size());
    pair = tie(difference, end, pair, workspace, sums);
    check_interrupt();
  }
  for (std::size_t l = 0; l < times.resamples; ++l)
    write_row(workspace.used[l], workspace.pairs[l], sums.best[l], sums.epsilon[l], rows + l * TieCalibration::columns);
}

}  // namespace tricolore::judging
