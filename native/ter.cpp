#include "ter.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <utility>

#include "interruption.hpp"

namespace tricolore::counting {

namespace {

constexpr std::size_t farthest_shift = 50;
constexpr std::size_t most_candidates = 1000;
constexpr std::size_t most_cells = std::size_t{1} << 30;  // of a table to trace back: a quarter of a gigabyte of bits

constexpr std::size_t checks_between_interrupts = 16;

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
      while (shift_once(best, distance)) {
        perform(best, shifted_);
        current_.swap(shifted_);
        ++shifts;
      }
    }
    *rows++ = too_long ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(shifts + distance);
    *rows++ = static_cast<double>(shifts);
    *rows++ = static_cast<double>(words_.hypothesis.size());
    *rows++ = static_cast<double>(reference.size());
  }
}

void TerWorkspace::set_reference(Sequence reference) {
  reference_ = reference;
  beam_is_set_ = false;
  list_places();
  in_tables_ = ShiftedEdits::fits(current_.size(), reference.size());
  if (in_tables_) {
    edits_.set_reference(reference, words_.types);
  } else {
    bits_.set_pattern(reference, words_.types);
  }
}

// Where the reference has the words of the hypothesis. Texts of a long list have far more types in common than these:
// what is kept of others is not looked at.
void TerWorkspace::list_places() {
  if (first_place_.size() < words_.types) first_place_.resize(words_.types);
  for (const std::uint32_t word : current_)
    if (word < words_.types) first_place_[word] = absent;
  next_place_.resize(reference_.size());
  for (std::size_t b = reference_.size(); b-- > 0;)
    next_place_[b] = std::exchange(first_place_[reference_[b]], static_cast<std::uint32_t>(b));
}

// The order of Tercom: the largest gain, then the longest block, then the earliest, then the earliest target.
bool TerWorkspace::Shift::better_than(const Shift& other) const {
  if (gain != other.gain) return gain > other.gain;
  if (length != other.length) return length > other.length;
  if (start != other.start) return start < other.start;
  return target < other.target;
}

// Find the shift that helps most; false if none does, or if too many have been tried by now. `distance` is that before.
bool TerWorkspace::shift_once(Shift& best, std::size_t& distance) {
  distance = trace();
  if (distance == 0) return false;  // no error, so no block to move
  const auto& [at, hypothesis_errors, reference_errors] = alignment_;
  best = {};
  for (std::size_t a = 0; a < current_.size(); ++a) {
    if (current_[a] >= words_.types) continue;
    const std::size_t first = a > farthest_shift ? a - farthest_shift : 0;
    const std::size_t last = std::min(reference_.size(), a + farthest_shift + 1);
    for (std::size_t b = first_place_[current_[a]]; b < last; b = next_place_[b]) {
      if (b < first) continue;
      const std::size_t longest = std::min({ShiftedEdits::longest_block, current_.size() - a, reference_.size() - b});
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
          try_shift({0, length, a, target}, static_cast<std::int64_t>(distance), best);
        }
        if (checked_ >= most_candidates) return false;
      }
    }
  }
  return best.gain > 0;
}

// Keep a shift that helps, and more than the best one so far.
void TerWorkspace::try_shift(Shift shift, std::int64_t before, Shift& best) {
  if (!in_tables_ || checked_ % checks_between_interrupts == 0) check_interrupt();
  const std::size_t place = place_of(shift), end = shift.start + shift.length;
  const std::size_t passed = place < shift.start ? shift.start - place : place - end;
  // To take words out and put them in elsewhere, the block or those that it passes, changes no distance by more.
  shift.gain =
      before - static_cast<std::int64_t>(exact_) + static_cast<std::int64_t>(2 * std::min(shift.length, passed));
  if (shift.gain <= 0 || !shift.better_than(best)) return;
  std::size_t distance = 0;
  if (in_tables_) {
    distance = edits_.distance_after(shift.start, shift.length, place);
  } else {
    perform(shift, shifted_);
    distance = bits_.levenshtein(shifted_);
  }
  shift.gain = before - static_cast<std::int64_t>(distance);
  if (shift.gain <= 0 || !shift.better_than(best)) return;
  if (!beam_is_wide_enough(distance)) {  // looking no farther than the beam may cost more edits, never fewer
    perform(shift, shifted_);
    shift.gain = before - static_cast<std::int64_t>(beam_distance(shifted_));
    if (shift.gain <= 0 || !shift.better_than(best)) return;
  }
  best = shift;
}

// Between which words of the current hypothesis a block goes: before what was at `target`; if that is inside or right
// after the block, by as many words to the right.
std::size_t TerWorkspace::place_of(const Shift& shift) const {
  const auto& [gain, length, start, target] = shift;
  const bool inside = target >= start && target <= start + length;
  return std::min(inside ? length + target : target, current_.size());
}

void TerWorkspace::perform(const Shift& shift, std::vector<std::uint32_t>& shifted) const {
  const std::size_t place = place_of(shift), end = shift.start + shift.length;
  shifted = current_;
  auto position = [&](std::size_t i) { return shifted.begin() + static_cast<std::ptrdiff_t>(i); };
  if (place < shift.start) {
    std::rotate(position(place), position(shift.start), position(end));
  } else {
    std::rotate(position(shift.start), position(end), position(place));
  }
}

// Edits that take `distance` steps stray from the diagonal by no more than this, so that the beam cannot matter.
bool TerWorkspace::beam_is_wide_enough(std::size_t distance) const {
  if (beam_ == 0) return true;
  const std::size_t n = current_.size(), m = reference_.size();
  const std::size_t difference = n > m ? n - m : m - n;
  return (distance + difference) / 2 + 2 < static_cast<std::size_t>(beam_);
}

std::size_t TerWorkspace::beam_distance(Sequence words) {
  if (!beam_is_set_) beam_edits_.set_reference(reference_, words.size(), beam_);
  beam_is_set_ = true;
  return beam_edits_.distance(words);
}

// Align the current hypothesis with the reference and return their distance.
std::size_t TerWorkspace::trace() {
  alignment_.hypothesis_at.assign(reference_.size(), -1);
  alignment_.hypothesis_errors.assign(current_.size() + 1, 0);
  alignment_.reference_errors.assign(reference_.size() + 1, 0);
  exact_ = in_tables_ ? edits_.set_text(current_) : fill_table();
  std::size_t distance = exact_;
  if (beam_is_wide_enough(exact_)) {
    trace_exactly();
  } else {
    distance = beam_distance(current_);
    trace_in_beam();
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

// The whole of a large table in bits, strip by strip (see BitParallel): where a cell equals the one diagonally before
// it, and where it is one less than the one above it. That is enough to find the way back.
std::size_t TerWorkspace::fill_table() {
  const std::size_t n = current_.size(), m = reference_.size(), strips = (m + 63) / 64;
  diagonal_.resize(n * strips);
  down_.resize((n + 1) * strips);
  border_.assign(n, 1);
  positions_.assign(words_.types, 0);
  std::size_t distance = m;
  for (std::size_t strip = 0; strip < strips; ++strip) {
    check_interrupt();
    const std::size_t begin = strip * 64, size = std::min<std::size_t>(64, m - begin);
    for (std::size_t j = 0; j < size; ++j) positions_[reference_[begin + j]] |= std::uint64_t{1} << j;
    std::uint64_t up = ~std::uint64_t{0}, down = 0;
    for (std::size_t i = 0; i < n; ++i) {
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
    } else if (in_tables_ ? edits_.equals_diagonal(i, j) : (diagonal_[strip * n + i - 1] >> bit) & 1) {
      // No dearer than the cell diagonally before: not through it.
      const bool falls = in_tables_ ? edits_.falls(i - 1, j) : (down_[strip * (n + 1) + i - 1] >> bit) & 1;
      operation = falls ? 'd' : 'i';
    }
    step_back(operation, i, j);
  }
  while (i > 0) step_back('d', i, j);
  while (j > 0) step_back('i', i, j);
}

void TerWorkspace::trace_in_beam() {
  std::size_t i = current_.size(), j = reference_.size();
  while (i > 0) step_back(beam_edits_.operation(i, j), i, j);
  while (j > 0) step_back('i', i, j);
}

}  // namespace tricolore::counting
