#include "beam_edits.hpp"

#include <cmath>

#include "interruption.hpp"
#include "processors.hpp"

namespace tricolore::counting {

namespace {

constexpr std::int32_t unreachable = std::int32_t{1} << 29;
constexpr std::size_t diagonals_between_interrupts = 256;

// Fill `size` cells of a diagonal: what is dearer by one than the nearer of two cells of the diagonal before, or as
// dear as the cell of the diagonal before that, and one more if the words differ.
TRICOLORE_FOR_EACH_PROCESSOR
void fill_cells(const std::uint32_t* words, const std::uint32_t* others, const std::int32_t* diagonal,
                const std::int32_t* before, std::int32_t* cells, std::size_t size) {
  for (std::size_t k = 0; k < size; ++k) {
    const std::int32_t through = diagonal[k] + static_cast<std::int32_t>(words[k] != others[k]);
    const std::int32_t beside = (before[k] < before[k + 1] ? before[k] : before[k + 1]) + 1;
    cells[k] = through < beside ? through : beside;
  }
}

}  // namespace

void BeamEdits::set_reference(Sequence reference, std::size_t size, int beam) {
  reference_.assign(reference.rbegin(), reference.rend());
  set_beam(size, beam);
}

// The diagonal of the table leads from corner to corner, and the last row goes to the end. The first row is there as
// far as the second needs it.
void BeamEdits::set_beam(std::size_t size, int beam) {
  const std::size_t m = reference_.size();
  const double ratio = static_cast<double>(m) / static_cast<double>(size);
  double width = beam;
  if (width < ratio / 2) width = std::ceil(ratio / 2 + width);
  diagonals_.assign(size + m + 1, {static_cast<std::ptrdiff_t>(size), -1, 0});
  auto reach = [&](std::size_t i, std::size_t first, std::size_t end) {  // cells first <= j < end of row i
    for (std::size_t d = i + first; d < i + end; ++d) {
      Diagonal& diagonal = diagonals_[d];
      diagonal.first = std::min(diagonal.first, static_cast<std::ptrdiff_t>(i));
      diagonal.last = static_cast<std::ptrdiff_t>(i);
    }
  };
  auto first_of = [&](std::size_t i) {
    return static_cast<std::size_t>(std::max(0.0, std::floor(static_cast<double>(i) * ratio) - width));
  };
  auto end_of = [&](std::size_t i) {
    const double end = std::min(static_cast<double>(m + 1), std::floor(static_cast<double>(i) * ratio) + width);
    return i == size ? m + 1 : static_cast<std::size_t>(end);
  };
  reach(0, 0, size == 0 ? m + 1 : end_of(1));
  for (std::size_t i = 1; i <= size; ++i) reach(i, first_of(i), end_of(i));
  std::ptrdiff_t cells = 0, last = -1;
  for (Diagonal& diagonal : diagonals_) {
    // One without a cell comes up where a row begins where the row before it ends; that cell is reached diagonally.
    if (diagonal.last < 0) diagonal = {last + 1, last, 0};
    last = diagonal.last;
    diagonal.at = cells + 1 - diagonal.first;
    cells += diagonal.last - diagonal.first + 3;
  }
  cells_.resize(static_cast<std::size_t>(cells));
}

std::size_t BeamEdits::distance(Sequence text) {
  text_.assign(text.begin(), text.end());
  for (std::size_t d = 0; d < diagonals_.size(); ++d) {
    if (d % diagonals_between_interrupts == 0) check_interrupt();
    fill(d);
  }
  return static_cast<std::size_t>(cell(text.size(), diagonals_.size() - 1));
}

void BeamEdits::fill(std::size_t d) {
  const auto& [first, last, at] = diagonals_[d];
  const auto number = static_cast<std::ptrdiff_t>(d);
  std::int32_t* cells = cells_.data() + at;
  cells[first - 1] = cells[last + 1] = unreachable;
  if (first == 0) cells[0] = static_cast<std::int32_t>(d);
  if (last == number) cells[last] = static_cast<std::int32_t>(d);
  const std::ptrdiff_t begin = std::max<std::ptrdiff_t>(first, 1), end = std::min(last, number - 1) + 1;
  if (begin >= end) return;
  const std::ptrdiff_t other = static_cast<std::ptrdiff_t>(reference_.size()) - number + begin;
  fill_cells(text_.data() + begin - 1, reference_.data() + other, cells_.data() + diagonals_[d - 2].at + begin - 1,
             cells_.data() + diagonals_[d - 1].at + begin - 1, cells + begin, static_cast<std::size_t>(end - begin));
}

char BeamEdits::operation(std::size_t i, std::size_t j) const {
  if (j == 0) return 'd';
  const std::size_t d = i + j;
  const bool equal = text_[i - 1] == reference_[reference_.size() - j];
  std::int32_t least = cell(i - 1, d - 2) + static_cast<std::int32_t>(!equal);
  char found = equal ? ' ' : 's';
  if (cell(i - 1, d - 1) + 1 < least) {
    least = cell(i - 1, d - 1) + 1;
    found = 'd';
  }
  return cell(i, d - 1) + 1 < least ? 'i' : found;
}

}  // namespace tricolore::counting
