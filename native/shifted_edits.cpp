#include "shifted_edits.hpp"

#include <algorithm>
#include <bit>

#include "processors.hpp"

namespace tricolore::counting {

namespace {

// How a sum changes over four rows, and how low it gets on the way.
struct Steps {
  std::int8_t change = 0, least = 0;
};

// By four bits each, from where one column grows, where it falls, and the same of a column with rows from last to
// first.
std::array<Steps, 65536> all_steps() {
  std::array<Steps, 65536> found;
  for (std::size_t bits = 0; bits < found.size(); ++bits) {
    int sum = 0, least = 0;
    for (std::size_t row = 0; row < 4; ++row) {
      sum += static_cast<int>(((bits >> row) & 1) + ((bits >> (15 - row)) & 1));
      sum -= static_cast<int>(((bits >> (4 + row)) & 1) + ((bits >> (11 - row)) & 1));
      least = std::min(least, sum);
    }
    found[bits] = {static_cast<std::int8_t>(sum), static_cast<std::int8_t>(least)};
  }
  return found;
}

const std::array<Steps, 65536>& steps() {
  static const std::array<Steps, 65536> table = all_steps();
  return table;
}

// The next column, by Myers (1999) as rewritten by Hyyrö (2003); see BitParallel. W words, or `words` if W is 0.
// Returns by how much the cell in the last bit differs from that in the column before.
template <std::size_t W, class OnDiagonal>
inline std::int64_t advance(const std::uint64_t* equals, const std::uint64_t* from, std::uint64_t* to,
                            std::size_t words, OnDiagonal&& on_diagonal) {
  const std::size_t size = W ? W : words;
  std::uint64_t enters_right = 1, enters_left = 0;
  for (std::size_t w = 0; w < size; ++w) {
    const std::uint64_t up = from[w], down = from[size + w];
    const std::uint64_t equal = equals[w] | enters_left, vertical = equals[w] | down;
    const std::uint64_t diagonal = (((equal & up) + up) ^ up) | equal;
    const std::uint64_t right = down | ~(diagonal | up), left = up & diagonal;
    on_diagonal(w, diagonal | down);
    const std::uint64_t moved_right = (right << 1) | enters_right, moved_left = (left << 1) | enters_left;
    enters_right = right >> 63;
    enters_left = left >> 63;
    to[w] = moved_left | ~(vertical | moved_right);
    to[size + w] = moved_right & vertical;
  }
  return static_cast<std::int64_t>(enters_right) - static_cast<std::int64_t>(enters_left);
}

template <std::size_t W>
inline std::int64_t advance(const std::uint64_t* equals, const std::uint64_t* from, std::uint64_t* to,
                            std::size_t words) {
  return advance<W>(equals, from, to, words, [](std::size_t, std::uint64_t) {});
}

}  // namespace

void ShiftedEdits::set_reference(Sequence reference, std::uint32_t types) {
  reference_ = reference;
  types_ = types;
  words_ = (reference.size() + 63) / 64;
  // What is there of the reference before goes, word by word: texts of a long list have far more types in common.
  for (const std::size_t at : set_) positions_[at] = 0;
  for (const std::size_t at : set_back_) positions_back_[at] = 0;
  set_.clear();
  set_back_.clear();
  const std::size_t size = (types + 1) * words_;  // and one for words that the reference does not have
  if (positions_.size() < size) positions_.resize(size, 0);
  for (std::size_t j = 0; j < reference.size(); ++j) {
    set_.push_back(reference[j] * words_ + j / 64);
    positions_[set_.back()] |= std::uint64_t{1} << (j % 64);
  }
}

std::size_t ShiftedEdits::set_text(Sequence text) {
  text_ = text;
  chains_of_ = text.size();
  after_is_known_ = false;
  before_.resize((text.size() + 1) * 2 * words_);
  diagonals_.resize(text.size() * words_);
  return fill_before();
}

TRICOLORE_FOR_EACH_PROCESSOR
std::size_t ShiftedEdits::fill_before() {
  switch (words_) {
    case 1:
      return fill_before_by<1>();
    case 2:
      return fill_before_by<2>();
    case 3:
      return fill_before_by<3>();
    case 4:
      return fill_before_by<4>();
    default:
      return fill_before_by<0>();
  }
}

template <std::size_t W>
inline std::size_t ShiftedEdits::fill_before_by() {
  const std::size_t words = W ? W : words_, column = 2 * words, n = text_.size();
  std::uint64_t* current = before_.data();
  std::fill_n(current, words, ~std::uint64_t{0});
  std::fill_n(current + words, words, 0);
  for (std::size_t i = 0; i < n; ++i, current += column) {
    std::uint64_t* diagonals = diagonals_.data() + i * words;
    advance<W>(positions(positions_, text_[i]), current, current + column, words,
               [&](std::size_t w, std::uint64_t bits) { diagonals[w] = bits; });
  }
  auto distance = static_cast<int>(n);
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t inside = rows_in(w);
    distance += std::popcount(current[w] & inside) - std::popcount(current[words + w] & inside);
  }
  return static_cast<std::size_t>(distance);
}

// The table from the end of the text; only texts with a block to move need it.
void ShiftedEdits::set_after() {
  if (set_back_.empty()) {
    if (positions_back_.size() < positions_.size()) positions_back_.resize(positions_.size(), 0);
    for (std::size_t j = 0; j < reference_.size(); ++j) {
      const std::size_t back = words_ * 64 - 1 - j;
      set_back_.push_back(reference_[j] * words_ + back / 64);
      positions_back_[set_back_.back()] |= std::uint64_t{1} << (back % 64);
    }
  }
  after_.resize(before_.size());
  distances_.resize(text_.size() + 1);
  column_.resize(4 * words_);
  fill_after();
  after_is_known_ = true;
}

TRICOLORE_FOR_EACH_PROCESSOR
void ShiftedEdits::fill_after() {
  switch (words_) {
    case 1:
      return fill_after_by<1>();
    case 2:
      return fill_after_by<2>();
    case 3:
      return fill_after_by<3>();
    case 4:
      return fill_after_by<4>();
    default:
      return fill_after_by<0>();
  }
}

template <std::size_t W>
inline void ShiftedEdits::fill_after_by() {
  const std::size_t words = W ? W : words_, column = 2 * words, n = text_.size(), m = reference_.size();
  std::uint64_t* last = after_.data() + n * column;
  std::fill_n(last, words, ~std::uint64_t{0});
  std::fill_n(last + words, words, 0);
  last[0] <<= words * 64 - m;  // bits below those of the reference neither grow nor fall, in no column
  distances_[n] = m;
  for (std::size_t i = n; i-- > 0;) {
    const std::int64_t change = advance<W>(positions(positions_back_, text_[i]), after_.data() + (i + 1) * column,
                                           after_.data() + i * column, words);
    distances_[i] = distances_[i + 1] + static_cast<std::size_t>(change);
  }
}

std::size_t ShiftedEdits::distance_after(std::size_t start, std::size_t length, std::size_t place) {
  if (start != chains_of_) {
    for (Chain& chain : onward_) chain.size = 0;
    for (Chain& chain : backward_) chain.size = 0;
    chains_of_ = start;
  }
  if (!after_is_known_) set_after();
  return move(start, length, place);
}

TRICOLORE_FOR_EACH_PROCESSOR
std::size_t ShiftedEdits::move(std::size_t start, std::size_t length, std::size_t place) {
  switch (words_) {
    case 1:
      return move_block<1>(start, length, place);
    case 2:
      return move_block<2>(start, length, place);
    case 3:
      return move_block<3>(start, length, place);
    case 4:
      return move_block<4>(start, length, place);
    default:
      return move_block<0>(start, length, place);
  }
}

template <std::size_t W>
inline std::size_t ShiftedEdits::move_block(std::size_t start, std::size_t length, std::size_t place) {
  const std::size_t words = W ? W : words_, column = 2 * words, end = start + length;
  std::size_t distance = 0, first = 0;
  const std::uint64_t *before = nullptr, *after = nullptr;
  if (place >= end) {
    before = without_block_before<W>(start, length, place);
    first = place - length;
    after = after_.data() + place * column;
    distance = distances_[place];
  } else {
    before = before_.data() + place * column;
    first = place;
    after = without_block_after<W>(start, length, place, distance);
  }
  for (std::size_t k = 0; k < length; ++k) {
    std::uint64_t* next = column_.data() + (k % 2) * column;
    advance<W>(positions(positions_, text_[start + k]), before, next, words);
    before = next;
  }
  return least_sum<W>(before, first + length, after, distance);
}

// The column before `place`, without the block, which stands further left.
template <std::size_t W>
inline const std::uint64_t* ShiftedEdits::without_block_before(std::size_t start, std::size_t length,
                                                               std::size_t place) {
  const std::size_t words = W ? W : words_, column = 2 * words, end = start + length;
  const std::size_t steps = place - end;
  Chain& chain = onward_[length - 1];
  if (steps == 0) return before_.data() + start * column;
  if (chain.columns.size() < steps * column) chain.columns.resize(2 * steps * column);
  for (; chain.size < steps; ++chain.size) {
    const std::uint64_t* from =
        chain.size == 0 ? before_.data() + start * column : chain.columns.data() + (chain.size - 1) * column;
    advance<W>(positions(positions_, text_[end + chain.size]), from, chain.columns.data() + chain.size * column, words);
  }
  return chain.columns.data() + (steps - 1) * column;
}

// The column after `place`, without the block, which stands further right; and its distance to the whole reference.
template <std::size_t W>
inline const std::uint64_t* ShiftedEdits::without_block_after(std::size_t start, std::size_t length, std::size_t place,
                                                              std::size_t& distance) {
  const std::size_t words = W ? W : words_, column = 2 * words, end = start + length;
  const std::size_t steps = start - place;
  Chain& chain = backward_[length - 1];
  distance = distances_[end];
  if (steps == 0) return after_.data() + end * column;
  if (chain.columns.size() < steps * column) chain.columns.resize(2 * steps * column);
  if (chain.distances.size() < steps) chain.distances.resize(2 * steps);
  for (; chain.size < steps; ++chain.size) {
    const bool begins = chain.size == 0;
    const std::uint64_t* from =
        begins ? after_.data() + end * column : chain.columns.data() + (chain.size - 1) * column;
    const std::int64_t change = advance<W>(positions(positions_back_, text_[start - 1 - chain.size]), from,
                                           chain.columns.data() + chain.size * column, words);
    chain.distances[chain.size] =
        (begins ? distances_[end] : chain.distances[chain.size - 1]) + static_cast<std::size_t>(change);
  }
  distance = chain.distances[steps - 1];
  return chain.columns.data() + (steps - 1) * column;
}

// The least sum over j of two columns: what comes before against j words of the reference, and what comes after against
// the others. In row 0 that is `first` and `distance`.
template <std::size_t W>
inline std::size_t ShiftedEdits::least_sum(const std::uint64_t* before, std::size_t first, const std::uint64_t* after,
                                           std::size_t distance) const {
  constexpr std::uint64_t low = 0x0F0F0F0F0F0F0F0F, high = ~low;
  const std::size_t words = W ? W : words_;
  const Steps* const table = steps().data();
  auto sum = static_cast<std::int64_t>(first + distance), least = sum;
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t up = before[w] & rows_in(w), down = before[words + w] & rows_in(w);
    const std::uint64_t up_back = after[words - 1 - w], down_back = after[2 * words - 1 - w];
    // Four bits of each side in a byte: of rows 0-3, 8-11, ... and of rows 4-7, 12-15, ...
    const std::uint64_t even = (up & low) | ((down & low) << 4), odd = ((up & high) >> 4) | (down & high);
    const std::uint64_t even_back = ((up_back & high) >> 4) | (down_back & high);
    const std::uint64_t odd_back = (up_back & low) | ((down_back & low) << 4);
    for (std::size_t byte = 0; byte < 64; byte += 8) {
      const Steps one = table[((even >> byte) & 255) | ((even_back >> (56 - byte)) & 255) << 8];
      least = std::min(least, sum + one.least);
      sum += one.change;
      const Steps other = table[((odd >> byte) & 255) | ((odd_back >> (56 - byte)) & 255) << 8];
      least = std::min(least, sum + other.least);
      sum += other.change;
    }
  }
  return static_cast<std::size_t>(least);
}

}  // namespace tricolore::counting
