#include "resampled_concordance.hpp"

#include <algorithm>
#include <cmath>

#include "interruption.hpp"
#include "lanes.hpp"
#include "processors.hpp"

namespace tricolore::judging {

namespace {

constexpr std::size_t lanes = ResampledConcordance::lanes;
static_assert(lanes == sixteen);
constexpr std::size_t cells_between_checks = 1 << 14;

std::uint64_t pairs_of(std::uint64_t number) { return number < 2 ? 0 : number * (number - 1) / 2; }

std::vector<double> distinct(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// Of the points with the same value, lane by lane: the squares of their numbers, and how many values were drawn.
struct Ties {
  std::uint64_t squares[lanes] = {};
  std::uint32_t values[lanes] = {};

  void add(const std::uint32_t* points) {
    for (std::size_t l = 0; l < lanes; ++l) squares[l] += std::uint64_t{points[l]} * points[l];
    for (std::size_t l = 0; l < lanes; ++l) values[l] += points[l] > 0;
  }
};

}  // namespace

struct ResampledConcordance::Sums {
  std::uint64_t concordant[lanes] = {};
  Ties alone;  // cells that share no value of the list that is walked
  Ties walked, ranked, both;
};

ResampledConcordance::ResampledConcordance(const double* first, const double* second, const std::uint32_t* places,
                                           std::size_t size) {
  struct Point {
    double walked, ranked;
    std::uint32_t place;
  };
  std::vector<double> x, y;
  std::vector<Point> points;
  for (std::size_t i = 0; i < size; ++i) {
    if (std::isnan(first[i]) || std::isnan(second[i])) continue;
    x.push_back(first[i]);
    y.push_back(second[i]);
    points.push_back({first[i], second[i], places[i]});
  }
  check_interrupt();
  std::vector<double> values = distinct(std::move(x)), others = distinct(std::move(y));
  check_interrupt();
  turned_ = values.size() < others.size();
  if (turned_)
    for (Point& point : points) std::swap(point.walked, point.ranked);
  else
    values.swap(others);
  values_ = values.size();
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) {
    return a.walked != b.walked ? a.walked < b.walked : a.ranked < b.ranked;
  });
  check_interrupt();
  places_.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    places_.push_back(points[i].place);
    const bool ends = i + 1 == points.size(), last = ends || points[i + 1].walked != points[i].walked;
    if (!last && points[i + 1].ranked == points[i].ranked) continue;
    const auto rank = std::lower_bound(values.begin(), values.end(), points[i].ranked) - values.begin() + 1;
    cells_.push_back({static_cast<std::uint32_t>(i + 1), static_cast<std::uint32_t>(rank), last});
  }
}

namespace {

// The tree of P. M. Fenwick (A new data structure for cumulative frequency tables, 1994), a vector in each node.
inline void insert(std::uint32_t* tree, std::size_t nodes, std::size_t rank, const std::uint32_t* drawn) {
  const Sixteen number = at(drawn);
  for (std::size_t node = rank; node <= nodes; node += node & (~node + 1)) at(tree + node * lanes) += number;
}

// What was inserted at one rank: what its node holds, without the nodes below it.
void inserted(const std::uint32_t* tree, std::uint32_t rank, std::uint32_t* drawn) {
  std::copy_n(tree + rank * lanes, lanes, drawn);
  for (std::uint32_t node = rank - 1, end = rank & (rank - 1); node > end; node &= node - 1)
    for (std::size_t l = 0; l < lanes; ++l) drawn[l] -= tree[node * lanes + l];
}

}  // namespace

// Goes over cells that begin and end between values of the list that is walked. Points that are equal in it are no pair
// of either order, so they wait until all of them are counted.
TRICOLORE_FOR_EACH_PROCESSOR
void ResampledConcordance::walk(std::size_t from, std::size_t to, const std::uint32_t* times, Workspace& workspace,
                                Sums& sums) const {
  std::uint32_t* const tree = workspace.tree.data();
  std::uint32_t drawn[lanes], together[lanes] = {}, below[lanes];
  const std::uint32_t* place = places_.data() + (from == 0 ? 0 : cells_[from - 1].end);
  std::size_t first = from;
  for (std::size_t c = from; c < to; ++c) {
    const Cell& cell = cells_[c];
    Sixteen sum = {};
    for (const std::uint32_t* const end = places_.data() + cell.end; place < end; ++place)
      sum += at(times + *place * lanes);
    at(drawn) = sum;
    Sixteen lower = {};
    for (std::uint32_t node = cell.rank - 1; node > 0; node &= node - 1) lower += at(tree + node * lanes);
    at(below) = lower;
    for (std::size_t l = 0; l < lanes; ++l) sums.concordant[l] += std::uint64_t{drawn[l]} * below[l];
    if (cell.last && first == c) {
      sums.alone.add(drawn);
      insert(tree, values_, cell.rank, drawn);
      first = c + 1;
      continue;
    }
    sums.both.add(drawn);
    if (first == c) at(together) = Sixteen{};
    at(together) += at(drawn);
    workspace.waiting.insert(workspace.waiting.end(), drawn, drawn + lanes);
    if (!cell.last) continue;
    sums.walked.add(together);
    for (std::size_t k = first; k <= c; ++k)
      insert(tree, values_, cells_[k].rank, workspace.waiting.data() + (k - first) * lanes);
    workspace.waiting.clear();
    first = c + 1;
  }
}

void ResampledConcordance::count(const std::uint32_t* times, std::size_t resamples, Workspace& workspace, double* rows,
                                 std::size_t stride) const {
  Sums sums;
  workspace.tree.assign((values_ + 1) * lanes, 0);
  workspace.waiting.clear();
  for (std::size_t from = 0, to; from < cells_.size(); from = to, check_interrupt()) {
    to = std::min(from + cells_between_checks, cells_.size());
    while (!cells_[to - 1].last) ++to;
    walk(from, to, times, workspace, sums);
  }
  std::uint32_t drawn[lanes];
  std::uint64_t points[lanes] = {};
  for (std::uint32_t rank = 1; rank <= values_; ++rank) {
    inserted(workspace.tree.data(), rank, drawn);
    sums.ranked.add(drawn);
    for (std::size_t l = 0; l < lanes; ++l) points[l] += drawn[l];
  }
  for (std::size_t l = 0; l < lanes; ++l) {
    sums.walked.values[l] += sums.alone.values[l];
    sums.walked.squares[l] += sums.alone.squares[l];
    sums.both.squares[l] += sums.alone.squares[l];
  }
  const Ties &of_first = turned_ ? sums.ranked : sums.walked, &of_second = turned_ ? sums.walked : sums.ranked;
  for (std::size_t l = 0; l < resamples; ++l) {
    const auto tied = [&](const Ties& ties) { return (ties.squares[l] - points[l]) / 2; };
    const std::uint64_t both = tied(sums.both), x = tied(of_first), y = tied(of_second);
    const std::uint64_t discordant = pairs_of(points[l]) + both - x - y - sums.concordant[l];
    const std::uint64_t counts[] = {sums.concordant[l], discordant,         x - both,           y - both, both,
                                    points[l],          of_first.values[l], of_second.values[l]};
    for (std::size_t k = 0; k < 8; ++k) rows[l * stride + k] = static_cast<double>(counts[k]);
  }
}

}  // namespace tricolore::judging
