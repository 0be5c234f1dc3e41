#include "ter.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "interruption.hpp"

namespace tricolore::counting {

namespace {

constexpr std::size_t longest_block = 10;
constexpr std::size_t farthest_shift = 50;
constexpr std::size_t most_candidates = 1000;
constexpr std::int64_t unreachable = std::int64_t{1} << 40;
constexpr std::size_t most_cells = std::size_t{1} << 30;  // of a table to trace back: a quarter of a gigabyte of bits

EditColumn column_of(std::uint64_t up, std::uint64_t down, std::size_t distance) {
  EditColumn column(distance);
  column.up = up;
  column.down = down;
  return column;
}

}  // namespace

void TerWorkspace::count(const TerCounting& what, const SegmentView& segment, double* rows) {
  reader_.read(what.reading, segment, words_);
  beam_ = what.beam;
  for (std::size_t k = 0; k < words_.reference_ends.size(); ++k) {
    const Sequence reference = words_.reference(k);
    current_ = words_.hypothesis;
    std::size_t shifts = 0, distance = current_.size();
    const bool too_long = !reference.empty() && current_.size() > most_cells / reference.size();
    if (!reference.empty() && !too_long) {
      set_reference(reference);
      checked_ = 0;
      Shift best{};
      while (shift_once(best)) {
        perform(best, shifted_);
        current_.swap(shifted_);
        ++shifts;
      }
      distance = exact_distance(current_, 0);
      if (!beam_is_wide_enough(distance)) distance = beam_distance(current_);
    }
    *rows++ = too_long ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(shifts + distance);
    *rows++ = static_cast<double>(shifts);
    *rows++ = static_cast<double>(words_.hypothesis.size());
    *rows++ = static_cast<double>(reference.size());
  }
}

void TerWorkspace::set_reference(Sequence reference) {
  reference_ = reference;
  if (reference.size() > 64) {
    bits_.set_pattern(reference, words_.types);
    return;
  }
  positions_.assign(words_.types, 0);
  for (std::size_t j = 0; j < reference.size(); ++j) positions_[reference[j]] |= std::uint64_t{1} << j;
}

// The order of Tercom: the largest gain, then the longest block, then the earliest, then the earliest target.
bool TerWorkspace::Shift::better_than(const Shift& other) const {
  if (gain != other.gain) return gain > other.gain;
  if (length != other.length) return length > other.length;
  if (start != other.start) return start < other.start;
  return target < other.target;
}

// Find the shift that helps most; false if none does, or if too many have been tried by now.
bool TerWorkspace::shift_once(Shift& best) {
  const auto before = static_cast<std::int64_t>(trace());
  if (before == 0) return false;  // no error, so no block to move
  const auto& [at, hypothesis_errors, reference_errors] = alignment_;
  bool found = false;
  for (std::size_t a = 0; a < current_.size(); ++a) {
    if (current_[a] >= words_.types) continue;
    const std::size_t first = a > farthest_shift ? a - farthest_shift : 0;
    const std::size_t last = std::min(reference_.size(), a + farthest_shift + 1);
    for (std::size_t b = first; b < last; ++b) {
      const std::size_t longest = std::min({longest_block, current_.size() - a, reference_.size() - b});
      for (std::size_t length = 1; length <= longest && current_[a + length - 1] == reference_[b + length - 1];
           ++length) {
        if (hypothesis_errors[a + length] == hypothesis_errors[a]) continue;
        if (reference_errors[b + length] == reference_errors[b]) continue;
        if (at[b] >= static_cast<std::int64_t>(a) && at[b] < static_cast<std::int64_t>(a + length)) continue;
        std::size_t previous = static_cast<std::size_t>(-1);
        for (std::size_t offset = 0; offset <= length; ++offset) {
          if (b + offset > reference_.size()) break;
          const std::size_t target = b + offset == 0 ? 0 : static_cast<std::size_t>(at[b + offset - 1] + 1);
          if (target == previous) continue;
          previous = target;
          ++checked_;
          check_interrupt();
          Shift shift{0, length, a, target};
          perform(shift, shifted_);
          std::size_t distance = exact_distance(shifted_, std::min(a, target));
          shift.gain = before - static_cast<std::int64_t>(distance);
          if (found && !shift.better_than(best)) continue;
          if (!beam_is_wide_enough(distance)) {  // looking no farther than the beam may cost more edits, never fewer
            distance = beam_distance(shifted_);
            shift.gain = before - static_cast<std::int64_t>(distance);
            if (found && !shift.better_than(best)) continue;
          }
          best = shift;
          found = true;
        }
        if (checked_ >= most_candidates) return false;
      }
    }
  }
  return found && best.gain > 0;
}

// Move words [start, start + length) so that they stand before what was at `target`; if that is inside or right after
// the block, by as many words to the right.
void TerWorkspace::perform(const Shift& shift, std::vector<std::uint32_t>& shifted) const {
  const auto& [gain, length, start, target] = shift;
  const std::size_t end = start + length;
  shifted = current_;
  const auto begin = shifted.begin();
  auto position = [&](std::size_t i) { return begin + static_cast<std::ptrdiff_t>(std::min(i, shifted.size())); };
  if (target < start) {
    std::rotate(position(target), position(start), position(end));
  } else if (target > end) {
    std::rotate(position(start), position(end), position(target));
  } else {
    std::rotate(position(start), position(end), position(length + target));
  }
}

// Levenshtein distance of `words`, of which the first `unchanged` are those of the current hypothesis.
std::size_t TerWorkspace::exact_distance(Sequence words, std::size_t unchanged) {
  if (reference_.size() > 64) return bits_.levenshtein(words);
  const bool known = unchanged > 0 && unchanged < columns_.size();
  EditColumn column = known ? columns_[unchanged] : EditColumn(reference_.size());
  for (std::size_t i = known ? unchanged : 0; i < words.size(); ++i)
    column.advance(words[i] < words_.types ? positions_[words[i]] : 0, reference_.size() - 1);
  return column.distance;
}

// Edits that take `distance` steps stray from the diagonal by no more than this, so that the beam cannot matter.
bool TerWorkspace::beam_is_wide_enough(std::size_t distance) const {
  if (beam_ == 0) return true;
  const std::size_t n = current_.size(), m = reference_.size();
  const std::size_t difference = n > m ? n - m : m - n;
  return (distance + difference) / 2 + 2 < static_cast<std::size_t>(beam_);
}

// The columns that row i of the table has within the beam. The diagonal leads from corner to corner, and the last row
// goes to the end.
TerWorkspace::Range TerWorkspace::beam_range(std::size_t i) const {
  const std::size_t n = current_.size(), m = reference_.size();
  const double ratio = static_cast<double>(m) / static_cast<double>(n);
  double width = beam_;
  if (width < ratio / 2) width = std::ceil(ratio / 2 + width);
  const double diagonal = std::floor(static_cast<double>(i) * ratio);
  const double first = std::max(0.0, diagonal - width), last = std::min(static_cast<double>(m + 1), diagonal + width);
  return {static_cast<std::size_t>(first), i == n ? m + 1 : static_cast<std::size_t>(last)};
}

// Fill the table within the beam row by row; on_cell(i, j, operation) is told how each cell was reached: ' ' equal,
// 's' substitution, 'd' a hypothesis word dropped, 'i' a reference word added; in this order where costs are equal.
template <class OnCell>
std::size_t TerWorkspace::beam_rows(Sequence words, OnCell&& on_cell) {
  const std::size_t m = reference_.size();
  row_.resize(m + 2);
  next_.resize(m + 2);
  for (std::size_t j = 0; j <= m; ++j) row_[j] = static_cast<std::int64_t>(j);
  Range before{0, m + 1};
  for (std::size_t i = 1; i <= words.size(); ++i) {
    const Range range = beam_range(i);
    for (std::size_t j = before.last; j < range.last; ++j) row_[j] = unreachable;
    if (range.first > 0) {
      if (range.first - 1 < before.first) row_[range.first - 1] = unreachable;
      next_[range.first - 1] = unreachable;
    }
    for (std::size_t j = range.first; j < range.last; ++j) {
      if (j == 0) {
        next_[0] = row_[0] + 1;
        on_cell(i, j, 'd');
        continue;
      }
      const bool equal = words[i - 1] == reference_[j - 1];
      std::int64_t least = row_[j - 1] + !equal;
      char operation = equal ? ' ' : 's';
      if (row_[j] + 1 < least) {
        least = row_[j] + 1;
        operation = 'd';
      }
      if (next_[j - 1] + 1 < least) {
        least = next_[j - 1] + 1;
        operation = 'i';
      }
      next_[j] = least;
      on_cell(i, j, operation);
    }
    row_.swap(next_);
    before = range;
  }
  return static_cast<std::size_t>(row_[m]);
}

std::size_t TerWorkspace::beam_distance(Sequence words) {
  return beam_rows(words, [](std::size_t, std::size_t, char) {});
}

// Align the current hypothesis with the reference and return their distance.
std::size_t TerWorkspace::trace() {
  alignment_.hypothesis_at.assign(reference_.size(), -1);
  alignment_.hypothesis_errors.assign(current_.size() + 1, 0);
  alignment_.reference_errors.assign(reference_.size() + 1, 0);
  std::size_t distance = fill_table();
  if (beam_is_wide_enough(distance)) {
    trace_exactly();
  } else {
    distance = trace_in_beam();
  }
  auto& [at, hypothesis_errors, reference_errors] = alignment_;
  for (std::size_t i = 0; i < current_.size(); ++i) hypothesis_errors[i + 1] += hypothesis_errors[i];
  for (std::size_t j = 0; j < reference_.size(); ++j) reference_errors[j + 1] += reference_errors[j];
  return distance;
}

// One step of the way back from (i, j), which stand for how many words of each side are left.
void TerWorkspace::step_back(char operation, std::size_t& i, std::size_t& j) {
  auto& [at, hypothesis_errors, reference_errors] = alignment_;
  const std::uint32_t error = operation != ' ';
  if (operation != 'd') {
    at[j - 1] = static_cast<std::int64_t>(i) - 1;
    reference_errors[j] = error;
  }
  if (operation != 'i') hypothesis_errors[i] = error;
  j -= operation != 'd';
  i -= operation != 'i';
}

// The whole table in bits, strip by strip (see BitParallel): where a cell equals the one diagonally before it, and
// where it is one less than the one above it. That is enough to find the way back.
std::size_t TerWorkspace::fill_table() {
  const std::size_t n = current_.size(), m = reference_.size(), strips = (m + 63) / 64;
  diagonal_.resize(n * strips);
  down_.resize((n + 1) * strips);
  border_.assign(n, 1);
  const bool single = strips == 1;
  columns_.clear();
  if (!single) positions_.assign(words_.types, 0);
  std::size_t distance = m;
  for (std::size_t strip = 0; strip < strips; ++strip) {
    check_interrupt();
    const std::size_t begin = strip * 64, size = std::min<std::size_t>(64, m - begin);
    if (!single)
      for (std::size_t j = 0; j < size; ++j) positions_[reference_[begin + j]] |= std::uint64_t{1} << j;
    std::uint64_t up = ~std::uint64_t{0}, down = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (single) columns_.push_back(column_of(up, down, distance));
      down_[strip * (n + 1) + i] = down;
      std::uint64_t equal = current_[i] < words_.types ? positions_[current_[i]] : 0;
      const std::uint64_t enters_right = border_[i] > 0, enters_left = border_[i] < 0;
      const std::uint64_t vertical = equal | down;
      equal |= enters_left;
      const std::uint64_t reached = (((equal & up) + up) ^ up) | equal;
      std::uint64_t right = down | ~(reached | up), left = up & reached;
      diagonal_[strip * n + i] = reached | down;
      const auto leaves = static_cast<std::int8_t>(((right >> (size - 1)) & 1) - ((left >> (size - 1)) & 1));
      border_[i] = leaves;
      if (strip + 1 == strips) distance += static_cast<std::size_t>(static_cast<std::int64_t>(leaves));
      right = (right << 1) | enters_right;
      left = (left << 1) | enters_left;
      up = left | ~(vertical | right);
      down = right & vertical;
    }
    down_[strip * (n + 1) + n] = down;
    if (!single)
      for (std::size_t j = 0; j < size; ++j) positions_[reference_[begin + j]] = 0;
  }
  return distance;
}

void TerWorkspace::trace_exactly() {
  const std::size_t n = current_.size();
  std::size_t i = n, j = reference_.size();
  while (i > 0 && j > 0) {
    const std::size_t strip = (j - 1) / 64, bit = (j - 1) % 64;
    char operation = 's';
    if (current_[i - 1] == reference_[j - 1]) {
      operation = ' ';
    } else if ((diagonal_[strip * n + i - 1] >> bit) &
               1) {  // no dearer than the cell diagonally before: not through it
      operation = (down_[strip * (n + 1) + i - 1] >> bit) & 1 ? 'd' : 'i';
    }
    step_back(operation, i, j);
  }
  while (i > 0) step_back('d', i, j);
  while (j > 0) step_back('i', i, j);
}

std::size_t TerWorkspace::trace_in_beam() {
  const std::size_t n = current_.size();
  operations_at_.assign(n + 1, 0);
  first_of_row_.assign(n + 1, 0);
  std::size_t cells = 0;
  for (std::size_t i = 1; i <= n; ++i) {
    const Range range = beam_range(i);
    first_of_row_[i] = range.first;
    operations_at_[i] = cells;
    cells += range.last - range.first;
  }
  operations_.resize(cells);
  const std::size_t distance = beam_rows(current_, [&](std::size_t i, std::size_t j, char operation) {
    operations_[operations_at_[i] + j - first_of_row_[i]] = operation;
  });
  std::size_t i = n, j = reference_.size();
  while (i > 0) step_back(operations_[operations_at_[i] + j - first_of_row_[i]], i, j);
  while (j > 0) step_back('i', i, j);
  return distance;
}

}  // namespace tricolore::counting
