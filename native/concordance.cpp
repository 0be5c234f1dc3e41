#include "concordance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "interruption.hpp"

namespace tricolore::judging {

namespace {

constexpr std::size_t few = 32;  // for as many points, looking at all pairs is faster than sorting
constexpr std::size_t run = 16;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::uint64_t pairs_of(std::uint64_t number) { return number < 2 ? 0 : number * (number - 1) / 2; }

void fill(double* row, std::uint64_t concordant, std::uint64_t discordant, std::uint64_t first, std::uint64_t second,
          std::uint64_t both, std::size_t points, std::size_t of_first, std::size_t of_second) {
  const std::uint64_t counts[] = {concordant, discordant, first, second, both, points, of_first, of_second};
  for (const std::uint64_t count : counts) *row++ = static_cast<double>(count);
}

}  // namespace

void Concordance::count(const double* first, const double* second, std::size_t size, double* row) {
  read(first, second, size);
  if (first_.size() <= few)
    count_all_pairs(row);
  else
    count_by_sorting(row);
}

void Concordance::read(const double* first, const double* second, std::size_t size) {
  first_.clear();
  second_.clear();
  for (std::size_t i = 0; i < size; ++i) {
    if (std::isnan(first[i]) || std::isnan(second[i])) continue;
    first_.push_back(first[i]);
    second_.push_back(second[i]);
  }
}

void Concordance::count_all_pairs(double* row) const {
  const double *x = first_.data(), *y = second_.data();
  const std::size_t points = first_.size();
  int concordant = 0, different = 0, ties_x = 0, ties_y = 0;
  std::size_t values_x = 0, values_y = 0;
  for (std::size_t i = 0; i < points; ++i) {
    int same_x = 0, same_y = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const int by_x = int(x[i] > x[j]) - int(x[i] < x[j]), by_y = int(y[i] > y[j]) - int(y[i] < y[j]);
      concordant += int(by_x * by_y > 0);
      different += by_x * by_x * by_y * by_y;
      same_x += int(by_x == 0);
      same_y += int(by_y == 0);
    }
    ties_x += same_x;
    ties_y += same_y;
    values_x += same_x == 0;
    values_y += same_y == 0;
  }
  const int both = different + ties_x + ties_y - static_cast<int>(pairs_of(points));
  fill(row, concordant, different - concordant, ties_x - both, ties_y - both, both, points, values_x, values_y);
}

// W. R. Knight. A computer method for calculating Kendall's tau with ungrouped data. JASA 61, 1966: in the order of the
// first list, and of the second among ties, a pair in opposite order is an inversion of the second list.
void Concordance::count_by_sorting(double* row) {
  const std::size_t points = first_.size();
  points_.resize(points);
  for (std::size_t i = 0; i < points; ++i) points_[i] = {first_[i], second_[i]};
  check_interrupt();
  std::sort(points_.begin(), points_.end());
  check_interrupt();
  std::uint64_t ties_x = 0, ties_y = 0, both = 0, same_x = 1, same_point = 1, same_y = 1;
  std::size_t values_x = 1, values_y = 1;
  for (std::size_t i = 1; i <= points; ++i) {
    const bool x_goes_on = i < points && points_[i].first == points_[i - 1].first;
    if (x_goes_on && points_[i].second == points_[i - 1].second) {
      ++same_point;
    } else {
      both += pairs_of(same_point);
      same_point = 1;
    }
    if (x_goes_on) {
      ++same_x;
    } else {
      ties_x += pairs_of(same_x);
      same_x = 1;
      values_x += i < points;
    }
  }
  for (std::size_t i = 0; i < points; ++i) second_[i] = points_[i].second;
  const std::uint64_t discordant = inversions();
  for (std::size_t i = 1; i <= points; ++i) {
    if (i < points && second_[i] == second_[i - 1]) {
      ++same_y;
    } else {
      ties_y += pairs_of(same_y);
      same_y = 1;
      values_y += i < points;
    }
  }
  const std::uint64_t concordant = pairs_of(points) + both - ties_x - ties_y - discordant;
  fill(row, concordant, discordant, ties_x - both, ties_y - both, both, points, values_x, values_y);
}

// Sorts the second list by merging, and counts the pairs that stood the wrong way round.
std::uint64_t Concordance::inversions() {
  const std::size_t size = second_.size();
  std::uint64_t moves = 0;
  for (std::size_t start = 0; start < size; start += run) {
    const std::size_t end = std::min(size, start + run);
    for (std::size_t i = start + 1; i < end; ++i) {
      const double value = second_[i];
      std::size_t at = i;
      for (; at > start && second_[at - 1] > value; --at) second_[at] = second_[at - 1];
      second_[at] = value;
      moves += i - at;
    }
  }
  room_.resize(size);
  for (std::size_t width = run; width < size; width *= 2) {
    check_interrupt();
    for (std::size_t start = 0; start < size; start += 2 * width) {
      const std::size_t middle = std::min(size, start + width), end = std::min(size, start + 2 * width);
      std::size_t left = start, right = middle;
      double* out = room_.data() + start;
      while (left < middle && right < end) {
        const bool takes_right = second_[right] < second_[left];
        *out++ = takes_right ? second_[right] : second_[left];
        moves += takes_right ? middle - left : 0;
        right += takes_right;
        left += !takes_right;
      }
      out = std::copy(second_.begin() + left, second_.begin() + middle, out);
      std::copy(second_.begin() + right, second_.begin() + end, out);
    }
    second_.swap(room_);
  }
  return moves;
}

void Ranking::rank(const double* values, std::size_t size, double* ranks) {
  order_.clear();
  for (std::size_t i = 0; i < size; ++i) {
    ranks[i] = nan;
    if (!std::isnan(values[i])) order_.emplace_back(values[i], i);
  }
  std::sort(order_.begin(), order_.end());
  for (std::size_t i = 0, end = 0; i < order_.size(); i = end) {
    while (end < order_.size() && order_[end].first == order_[i].first) ++end;
    const double rank = 0.5 * static_cast<double>(i + end + 1);  // the mean of i + 1 ... end
    for (std::size_t k = i; k < end; ++k) ranks[order_[k].second] = rank;
  }
}

}  // namespace tricolore::judging
