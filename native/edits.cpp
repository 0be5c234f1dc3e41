#include "edits.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "interruption.hpp"

namespace tricolore::counting {

namespace {

// The lowest `size` bits, of which there is at least one.
std::uint64_t first_bits(std::size_t size) { return ~std::uint64_t{0} >> (64 - size); }

}  // namespace

void BitParallel::set_pattern(Sequence pattern, std::uint32_t types) {
  pattern_ = pattern;
  types_ = types;
  positions_.assign(types, 0);
  filled_ = 0;
  if (!pattern.empty()) fill_strip(0);
}

void BitParallel::fill_strip(std::size_t strip) {
  const std::size_t begin = strip * 64, end = std::min(pattern_.size(), begin + 64);
  for (std::size_t i = begin; i < end; ++i) positions_[pattern_[i]] |= std::uint64_t{1} << (i - begin);
  filled_ = strip;
}

void BitParallel::clear_strip(std::size_t strip) {
  const std::size_t begin = strip * 64, end = std::min(pattern_.size(), begin + 64);
  for (std::size_t i = begin; i < end; ++i) positions_[pattern_[i]] = 0;
}

std::size_t BitParallel::levenshtein(Sequence text) {
  const std::size_t size = pattern_.size();
  if (size == 0) return text.size();
  if (filled_ != 0) {
    clear_strip(filled_);
    fill_strip(0);
  }
  if (size <= 64) {
    EditColumn column(size);
    for (const std::uint32_t element : text) column.advance(positions_of(element), size - 1);
    return column.distance;
  }
  switch (strips()) {
    case 2:
      return levenshtein_side_by_side<2>(pattern_, text, types_);
    case 3:
      return levenshtein_side_by_side<3>(pattern_, text, types_);
    case 4:
      return levenshtein_side_by_side<4>(pattern_, text, types_);
    case 5:
      return levenshtein_side_by_side<5>(pattern_, text, types_);
    case 6:
      return levenshtein_side_by_side<6>(pattern_, text, types_);
  }
  border_.assign(text.size(), 1);
  auto distance = static_cast<std::int64_t>(size);
  for (std::size_t strip = 0; strip < strips(); ++strip) {
    check_interrupt(4 * text.size());
    if (strip > 0) {
      clear_strip(strip - 1);
      fill_strip(strip);
    }
    const std::size_t last = std::min<std::size_t>(64, size - strip * 64) - 1;
    std::uint64_t up = ~std::uint64_t{0}, down = 0;
    std::int64_t bottom = 0;
    for (std::size_t j = 0; j < text.size(); ++j) {
      std::uint64_t equal = positions_of(text[j]);
      const std::uint64_t enters_right = border_[j] > 0, enters_left = border_[j] < 0;
      const std::uint64_t vertical = equal | down;
      equal |= enters_left;
      const std::uint64_t diagonal = (((equal & up) + up) ^ up) | equal;
      std::uint64_t right = down | ~(diagonal | up), left = up & diagonal;
      const auto leaves = static_cast<std::int8_t>(((right >> last) & 1) - ((left >> last) & 1));
      border_[j] = leaves;
      bottom += leaves;
      right = (right << 1) | enters_right;
      left = (left << 1) | enters_left;
      up = left | ~(vertical | right);
      down = right & vertical;
    }
    if (strip + 1 == strips()) distance += bottom;
  }
  return static_cast<std::size_t>(distance);
}

std::size_t BitParallel::levenshtein(Bytes a, Bytes b) {
  constexpr std::size_t types = 256, at_once = 4 * 64;
  if (a.size() > b.size()) std::swap(a, b);  // the shorter is the pattern
  switch ((a.size() + 63) / 64) {
    case 0:
      return b.size();
    case 1:
      return levenshtein_side_by_side<1>(a, b, types);
    case 2:
      return levenshtein_side_by_side<2>(a, b, types);
    case 3:
      return levenshtein_side_by_side<3>(a, b, types);
    case 4:
      return levenshtein_side_by_side<4>(a, b, types);
    case 5:
      return levenshtein_side_by_side<5>(a, b, types);
    case 6:
      return levenshtein_side_by_side<6>(a, b, types);
  }
  border_.assign(b.size(), 1);
  std::size_t distance = b.size();
  for (; !a.empty(); a = a.subspan(std::min(at_once, a.size()))) {
    check_interrupt(4 * b.size());
    distance += growth<at_once / 64, true>(a.first(std::min(at_once, a.size())), b, types);
  }
  return distance;
}

// In the top row the distance is that from nothing; from there the last column leads down.
template <std::size_t W, class Element>
std::size_t BitParallel::levenshtein_side_by_side(std::span<const Element> pattern, std::span<const Element> text,
                                                  std::size_t types) {
  return text.size() + growth<W, false>(pattern, text, types);
}

// By how much the last column grows along part of a pattern, modulo 2⁶⁴. What enters it from above and what leaves it
// is in border_, if there is one; if not, the part is the first.
template <std::size_t W, bool has_border, class Element>
std::size_t BitParallel::growth(std::span<const Element> pattern, std::span<const Element> text, std::size_t types) {
  const std::size_t size = pattern.size();
  all_positions_.assign((types + 1) * W, 0);  // and one for elements that the pattern does not have
  for (std::size_t i = 0; i < size; ++i) all_positions_[pattern[i] * W + i / 64] |= std::uint64_t{1} << (i % 64);
  std::uint64_t up[W], down[W];
  for (std::size_t w = 0; w < W; ++w) {
    up[w] = ~std::uint64_t{0};
    down[w] = 0;
  }
  for (std::size_t j = 0; j < text.size(); ++j) {
    const std::uint64_t* positions = all_positions_.data() + std::min<std::size_t>(text[j], types) * W;
    std::uint64_t enters_right = has_border ? border_[j] > 0 : 1, enters_left = has_border ? border_[j] < 0 : 0;
    for (std::size_t w = 0; w < W; ++w) {
      const std::uint64_t equal = positions[w] | enters_left, vertical = positions[w] | down[w];
      const std::uint64_t diagonal = (((equal & up[w]) + up[w]) ^ up[w]) | equal;
      const std::uint64_t right = down[w] | ~(diagonal | up[w]), left = up[w] & diagonal;
      const std::uint64_t moved_right = (right << 1) | enters_right, moved_left = (left << 1) | enters_left;
      enters_right = right >> 63;
      enters_left = left >> 63;
      up[w] = moved_left | ~(vertical | moved_right);
      down[w] = moved_right & vertical;
    }
    if constexpr (has_border)
      border_[j] = static_cast<std::int8_t>(static_cast<int>(enters_right) - static_cast<int>(enters_left));
  }
  std::size_t grown = 0;
  for (std::size_t w = 0; w < W && 64 * w < size; ++w) {
    const std::uint64_t inside = first_bits(std::min<std::size_t>(64, size - 64 * w));
    grown += static_cast<std::size_t>(std::popcount(up[w] & inside));
    grown -= static_cast<std::size_t>(std::popcount(down[w] & inside));
  }
  return grown;
}

std::size_t BitParallel::common_subsequence(Sequence text) {
  const std::size_t size = pattern_.size();
  if (size == 0) return 0;
  if (filled_ != 0) {
    clear_strip(filled_);
    fill_strip(0);
  }
  // A bit is 0 where the table grows by one from the row above.
  if (size <= 64) {
    std::uint64_t flat = ~std::uint64_t{0};
    for (const std::uint32_t element : text) {
      const std::uint64_t used = flat & positions_of(element);
      flat = (flat + used) | (flat - used);
    }
    const std::uint64_t inside = first_bits(size);
    return static_cast<std::size_t>(std::popcount(~flat & inside));
  }
  border_.assign(text.size(), 0);
  std::size_t length = 0;
  for (std::size_t strip = 0; strip < strips(); ++strip) {
    check_interrupt(4 * text.size());
    if (strip > 0) {
      clear_strip(strip - 1);
      fill_strip(strip);
    }
    const std::size_t bits = std::min<std::size_t>(64, size - strip * 64);
    const std::uint64_t inside = first_bits(bits);
    std::uint64_t flat = ~std::uint64_t{0};
    for (std::size_t j = 0; j < text.size(); ++j) {
      const std::uint64_t used = flat & positions_of(text[j]);
      const std::uint64_t carried = static_cast<std::uint64_t>(border_[j]);
      const std::uint64_t partly = flat + used;
      const std::uint64_t sum = partly + carried;
      border_[j] = static_cast<std::int8_t>(partly < flat || sum < partly);
      flat = sum | (flat - used);
    }
    length += static_cast<std::size_t>(std::popcount(~flat & inside));
  }
  return length;
}

namespace {

// What both texts begin and end with costs no edit.
template <class Element>
void drop_common_ends(std::span<const Element>& a, std::span<const Element>& b) {
  const auto begin = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
  a = a.subspan(begin);
  b = b.subspan(begin);
  const auto end =
      static_cast<std::size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend()).first - a.rbegin());
  a = a.first(a.size() - end);
  b = b.first(b.size() - end);
}

}  // namespace

// Where every character is a byte, none need be numbered. False if that is not so, or texts are long.
bool EditWorkspace::count_bytes(const EditCounting& what, const SegmentView& segment, double* row) {
  if (what.distance != Distance::levenshtein || segment.hypothesis.ids) return false;
  const auto bytes = reader_.read_bytes(what.reading, segment);
  if (!bytes) return false;
  auto [hypothesis, reference] = *bytes;
  row[1] = static_cast<double>(hypothesis.size());
  row[2] = static_cast<double>(reference.size());
  drop_common_ends(hypothesis, reference);
  constexpr std::size_t done_at_once = std::size_t{1} << 22;  // nobody waits longer for Ctrl-C than that takes
  if (std::max(hypothesis.size(), reference.size()) > done_at_once) return false;
  row[0] = static_cast<double>(bits_.levenshtein(hypothesis, reference));
  return true;
}

void EditWorkspace::count(const EditCounting& what, const SegmentView& segment, double* rows) {
  if (count_bytes(what, segment, rows)) return;
  reader_.read(what.reading, segment, words_);
  for (std::size_t k = 0; k < words_.reference_ends.size(); ++k) {
    const Sequence reference = words_.reference(k);
    *rows++ = static_cast<double>(distance(what.distance, reference));
    *rows++ = static_cast<double>(words_.hypothesis.size());
    *rows++ = static_cast<double>(reference.size());
  }
}

std::size_t EditWorkspace::distance(Distance kind, Sequence reference) {
  switch (kind) {
    case Distance::bag:
      return bag_distance(reference);
    case Distance::cder:
      return cder(reference);
    default:
      Sequence hypothesis(words_.hypothesis);
      drop_common_ends(hypothesis, reference);
      bits_.set_pattern(reference, words_.types);
      return bits_.levenshtein(hypothesis);
  }
}

std::size_t EditWorkspace::bag_distance(Sequence reference) {
  counts_.assign(words_.types, 0);
  for (const std::uint32_t word : reference) ++counts_[word];
  std::size_t shared = 0;
  for (const std::uint32_t word : words_.hypothesis) shared += word < words_.types && counts_[word]-- > 0;
  return std::max(words_.hypothesis.size(), reference.size()) - shared;
}

// Leusch et al. (2006): row[i] is the least cost of a path that has covered the reference words so far and stands after
// word i of the hypothesis. From anywhere in a row a jump leads to anywhere else in it.
std::size_t EditWorkspace::cder(Sequence reference) {
  const auto& hypothesis = words_.hypothesis;
  row_.assign(hypothesis.size() + 1, 1);
  row_[0] = 0;
  next_.resize(row_.size());
  for (const std::uint32_t word : reference) {
    check_interrupt(row_.size());
    next_[0] = row_[0] + 1;
    std::size_t least = next_[0];
    for (std::size_t i = 1; i < row_.size(); ++i) {
      next_[i] = std::min({next_[i - 1] + 1, row_[i - 1] + (hypothesis[i - 1] != word), row_[i] + 1});
      least = std::min(least, next_[i]);
    }
    for (std::size_t& cost : next_) cost = std::min(cost, least + 1);
    row_.swap(next_);
  }
  return row_.back();
}

}  // namespace tricolore::counting
