#include "envelopes.hpp"

#include <algorithm>
#include <limits>

#include "interruption.hpp"
#include "processors.hpp"

namespace tricolore::tuning {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Where the line a0 + γb0, which is the highest somewhere, crosses those that rise more in the direction of `sign`; for
// others infinite or nan, by a division by 0 that spares the processor a branch. Returns the least. Several minima are
// kept side by side so that as many can be taken at once.
TRICOLORE_FOR_EACH_PROCESSOR
double cross(const double* a, const double* b, std::size_t size, double a0, double b0, double sign, double* out) {
  for (std::size_t i = 0; i < size; ++i) {
    const double ahead = a0 - a[i], rise = sign * (b[i] - b0);
    out[i] = (ahead > 0 ? ahead : 0.0) / (rise > 0 ? rise : 0.0);
  }
  constexpr std::size_t lanes = 8;
  double least[lanes];
  for (std::size_t lane = 0; lane < lanes; ++lane) least[lane] = infinite;
  std::size_t i = 0;
  for (; i + lanes <= size; i += lanes)
    for (std::size_t lane = 0; lane < lanes; ++lane)
      least[lane] = out[i + lane] < least[lane] ? out[i + lane] : least[lane];
  for (; i < size; ++i) least[0] = out[i] < least[0] ? out[i] : least[0];
  return *std::min_element(least, least + lanes);
}

}  // namespace

Envelopes::Envelopes(SparseRows features, std::span<const std::int64_t> starts, const std::int32_t* text_of,
                     Rows2d<double> rows, std::size_t width)
    : features_(features), starts_(starts), text_of_(text_of), rows_(rows) {
  build_columns(width);
}

// The features column by column.
void Envelopes::build_columns(std::size_t width) {
  const std::size_t size = static_cast<std::size_t>(features_.begins[features_.size]);
  std::vector<std::int64_t> next(width + 1, 0);
  for (std::size_t k = 0; k < size; ++k) ++next[features_.columns[k] + 1];
  for (std::size_t c = 0; c < width; ++c) next[c + 1] += next[c];
  const std::vector<std::int64_t> begins = next;
  hypotheses_.resize(size);
  values_.resize(size);
  for (std::size_t row = 0; row < features_.size; ++row) {
    for (std::int64_t k = features_.begins[row]; k < features_.begins[row + 1]; ++k) {
      const std::int64_t place = next[features_.columns[k]]++;
      hypotheses_[place] = static_cast<std::int32_t>(row);
      values_[place] = features_.values[k];
    }
  }
  columns_.assign(1, 0);
  varying_.assign(width, 0);
  for (std::size_t c = 0; c < width; ++c) {
    if (c % 256 == 0) check_interrupt();
    for (std::int64_t first = begins[c], last; first < begins[c + 1]; first = last) {
      const auto source = std::upper_bound(starts_.begin(), starts_.end(), hypotheses_[first]) - starts_.begin() - 1;
      last = std::lower_bound(hypotheses_.begin() + first, hypotheses_.begin() + begins[c + 1], starts_[source + 1]) -
             hypotheses_.begin();
      const bool all = last - first == starts_[source + 1] - starts_[source];
      const auto [low, high] = std::minmax_element(values_.begin() + first, values_.begin() + last);
      const bool varies = !all || *low < *high;
      blocks_.push_back({static_cast<std::int32_t>(source), varies, first, last});
      varying_[c] += varies;
    }
    columns_.push_back(static_cast<std::int64_t>(blocks_.size()));
  }
}

// One search: walks along the envelopes of some sources, and adds up what was met.
class Envelopes::Walk {
 public:
  Walk(const Envelopes& of, Point point, double low, double high)
      : of_(of), point_(point), low_(low), high_(high), leftmost_(point.total, point.total + of.rows_.columns) {}

  void over(std::size_t source, const double* slopes);
  SumsAlong sums();

 private:
  // At `at`, the text of a source changes.
  struct Turn {
    double at;
    std::int32_t left, right;
  };

  template <int sign>
  std::int32_t one_way(const double* a, const double* b, std::size_t size, std::size_t from, double limit,
                       const std::int32_t* texts);

  const Envelopes& of_;
  Point point_;
  double low_, high_;
  std::vector<double> leftmost_;  // the sum to the left of all turns
  std::vector<double> crossings_;
  std::vector<Turn> turns_;
};

void Envelopes::Walk::over(std::size_t source, const double* slopes) {
  const std::int64_t first = of_.starts_[source];
  const std::size_t size = static_cast<std::size_t>(of_.starts_[source + 1] - first);
  if (crossings_.size() < size) crossings_.resize(size);
  const double* scores = point_.scores + first;
  const std::int32_t* texts = of_.text_of_ + first;
  const std::size_t from = static_cast<std::size_t>(point_.best[source] - first);
  one_way<1>(scores, slopes, size, from, high_, texts);
  const std::int32_t leftmost = one_way<-1>(scores, slopes, size, from, -low_, texts);
  if (leftmost == texts[from]) return;
  const double *added = of_.rows_[leftmost], *removed = of_.rows_[texts[from]];
  for (std::size_t c = 0; c < leftmost_.size(); ++c) leftmost_[c] += added[c] - removed[c];
}

// Walk from where the line `from` is the highest until `limit`; returns the text at the end. Each line is crossed first
// by one that rises more; of several that cross it at one place, the one that rises most is the highest behind it.
template <int sign>
std::int32_t Envelopes::Walk::one_way(const double* a, const double* b, std::size_t size, std::size_t from,
                                      double limit, const std::int32_t* texts) {
  double reached = 0;
  for (;;) {
    const double least = cross(a, b, size, a[from], b[from], sign, crossings_.data());
    reached = std::max(reached, least);  // it can be less by rounding only
    if (!(reached < limit)) return texts[from];
    std::size_t to = size;
    for (std::size_t i = 0; i < size; ++i) {
      if (crossings_[i] != least) continue;
      if (to == size || sign * b[i] > sign * b[to] || (b[i] == b[to] && a[i] > a[to])) to = i;
    }
    if (texts[from] != texts[to]) {
      const std::int32_t before = texts[from], behind = texts[to];
      turns_.push_back(sign > 0 ? Turn{reached, before, behind} : Turn{-reached, behind, before});
    }
    from = to;
  }
}

SumsAlong Envelopes::Walk::sums() {
  // Texts differ between sources, so that the order is the same everywhere, also of turns at one place.
  std::sort(turns_.begin(), turns_.end(),
            [](const Turn& x, const Turn& y) { return x.at < y.at || (x.at == y.at && x.left < y.left); });
  SumsAlong found;
  std::vector<double> sum = leftmost_;
  found.at.reserve(turns_.size());
  found.sums.reserve((turns_.size() + 1) * sum.size());
  for (const Turn& turn : turns_) {
    if (found.at.empty() || found.at.back() != turn.at) {
      found.at.push_back(turn.at);
      found.sums.insert(found.sums.end(), sum.begin(), sum.end());
    }
    const double *left = of_.rows_[turn.left], *right = of_.rows_[turn.right];
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += right[c] - left[c];
  }
  found.sums.insert(found.sums.end(), sum.begin(), sum.end());
  return found;
}

SumsAlong Envelopes::along(Point point, const double* slopes, double low, double high) const {
  Walk walk(*this, point, low, high);
  for (std::size_t source = 0; source + 1 < starts_.size(); ++source) {
    if (source % 256 == 0) check_interrupt();
    walk.over(source, slopes + starts_[source]);
  }
  return walk.sums();
}

SumsAlong Envelopes::along_axis(Point point, std::size_t column, double low, double high) const {
  Walk walk(*this, point, low, high);
  std::vector<double> all;
  for (std::int64_t i = columns_[column]; i < columns_[column + 1]; ++i) {
    if (i % 256 == 0) check_interrupt();
    const Block& block = blocks_[i];
    if (!block.varies) continue;
    const std::int64_t first = starts_[block.source], size = starts_[block.source + 1] - first;
    const double* slopes = values_.data() + block.first;
    if (block.last - block.first < size) {  // the others are 0
      all.assign(size, 0.0);
      for (std::int64_t k = block.first; k < block.last; ++k) all[hypotheses_[k] - first] = values_[k];
      slopes = all.data();
    }
    walk.over(block.source, slopes);
  }
  return walk.sums();
}

void Envelopes::rescore(std::size_t column, const double* weights, double* scores, std::int64_t* best) const {
  for (std::int64_t i = columns_[column]; i < columns_[column + 1]; ++i) {
    const Block& block = blocks_[i];
    for (std::int64_t k = block.first; k < block.last; ++k)
      scores[hypotheses_[k]] = features_.dot(hypotheses_[k], weights);
    const double *begin = scores + starts_[block.source], *end = scores + starts_[block.source + 1];
    best[block.source] = std::max_element(begin, end) - scores;
  }
}

}  // namespace tricolore::tuning
