#include "tolerant.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "interruption.hpp"

namespace tricolore::counting {

std::uint32_t AffixDistance::edits(Spelling a, Spelling b) {
  constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max() / 2;
  any_.resize(b.size() + 1);
  std::iota(any_.begin(), any_.end(), 0);
  anchored_.assign(b.size() + 1, never);
  const bool is_long = a.size() > 64 || b.size() > 64;
  if (!is_long) check_interrupt(4 * a.size() * b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (is_long) check_interrupt(4 * b.size());
    std::uint32_t diagonal = any_[0], anchored_diagonal = anchored_[0];
    ++any_[0];
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool equal = a[i] == b[j - 1];
      const std::uint32_t any = std::min({any_[j] + 1, any_[j - 1] + 1, diagonal + !equal});
      std::uint32_t anchored = std::min({anchored_[j] + 1, anchored_[j - 1] + 1, anchored_diagonal + !equal});
      if (equal) anchored = std::min(anchored, diagonal);
      diagonal = any_[j];
      anchored_diagonal = anchored_[j];
      any_[j] = any;
      anchored_[j] = std::min(anchored, never);
    }
  }
  return std::min(anchored_.back(), static_cast<std::uint32_t>(std::max(a.size(), b.size())));
}

const std::vector<std::uint32_t>& Assignment::solve(const std::vector<std::int64_t>& costs, std::size_t hypothesis,
                                                    std::size_t reference) {
  turned_ = hypothesis > reference;
  rows_ = std::min(hypothesis, reference);
  columns_ = std::max(hypothesis, reference);
  costs_ = costs.data();
  if (turned_) {
    turned_costs_.resize(costs.size());
    for (std::size_t i = 0; i < hypothesis; ++i)
      for (std::size_t j = 0; j < reference; ++j) turned_costs_[j * columns_ + i] = costs[i * reference + j];
    costs_ = turned_costs_.data();
  }
  find_any();
  find_first();
  return partner_;
}

// Rows and columns are numbered from 1; column 0 is where a row that is being placed begins.
void Assignment::find_any() {
  row_potential_.assign(rows_ + 1, 0);
  column_potential_.assign(columns_ + 1, 0);
  row_of_.assign(columns_ + 1, 0);
  way_.assign(columns_ + 1, 0);
  take_cheapest();
  least_.resize(columns_ + 1);
  visited_.resize(columns_ + 1);
  for (const std::size_t placed : unplaced_) place(placed);
}

// The shortest way to a free column; numbers are kept in pointers of their own, so that the compiler sees that they
// stay.
void Assignment::place(std::size_t placed) {
  constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max();
  const std::size_t columns = columns_;
  std::int64_t *least = least_.data(), *column_potential = column_potential_.data();
  std::size_t *way = way_.data(), *row_of = row_of_.data();
  std::uint8_t* visited = visited_.data();
  std::fill_n(least, columns + 1, infinite);
  std::fill_n(visited, columns + 1, std::uint8_t{0});
  row_of[0] = placed;
  std::size_t column = 0;
  do {
    check_interrupt(columns);
    visited[column] = 1;
    const std::size_t row = row_of[column];
    const std::int64_t *costs = costs_ + (row - 1) * columns, row_potential = row_potential_[row];
    std::int64_t step = infinite;
    std::size_t next = 0;
    for (std::size_t j = 1; j <= columns; ++j) {
      if (visited[j]) continue;
      const std::int64_t reduced = costs[j - 1] - row_potential - column_potential[j];
      if (reduced < least[j]) {
        least[j] = reduced;
        way[j] = column;
      }
      if (least[j] < step) {
        step = least[j];
        next = j;
      }
    }
    if (step > 0) {
      for (std::size_t j = 0; j <= columns; ++j) {
        if (visited[j]) {
          row_potential_[row_of[j]] += step;
          column_potential[j] -= step;
        } else if (least[j] != infinite) {
          least[j] -= step;
        }
      }
    }
    column = next;
  } while (row_of[column] != 0);
  for (; column != 0; column = way[column]) row_of[column] = row_of[way[column]];
}

// A row whose cheapest column is free has it at once; the others are left to be placed.
void Assignment::take_cheapest() {
  unplaced_.clear();
  for (std::size_t row = 1; row <= rows_; ++row) {
    const std::int64_t* costs = costs_ + (row - 1) * columns_;
    const std::size_t cheapest = static_cast<std::size_t>(std::min_element(costs, costs + columns_) - costs) + 1;
    row_potential_[row] = costs[cheapest - 1];
    if (row_of_[cheapest] == 0) {
      row_of_[cheapest] = row;
    } else {
      unplaced_.push_back(row);
    }
  }
}

// Whether an assignment of least cost may join two words. Rows beyond the last stand for none; a column may be left
// with none if its potential is 0.
bool Assignment::is_tight(std::size_t i, std::size_t j) const {
  const std::size_t row = turned_ ? j : i, column = turned_ ? i : j;
  if (row >= rows_) return column_potential_[column + 1] == 0;
  return cost(row, column) == row_potential_[row + 1] + column_potential_[column + 1];
}

// All assignments of least cost join words by tight pairs only. To give a word an earlier one, find a cycle of tight
// pairs through the words that have not been decided.
void Assignment::find_first() {
  partner_.assign(columns_, 0);
  owner_.assign(columns_, 0);
  for (std::size_t column = 0, none = rows_; column < columns_; ++column) {
    const std::size_t row = row_of_[column + 1] != 0 ? row_of_[column + 1] - 1 : none++;
    partner_[turned_ ? column : row] = static_cast<std::uint32_t>(turned_ ? row : column);
    owner_[turned_ ? row : column] = static_cast<std::uint32_t>(turned_ ? column : row);
  }
  const std::size_t hypothesis = turned_ ? columns_ : rows_, reference = turned_ ? rows_ : columns_;
  for (std::uint32_t i = 0; i < hypothesis; ++i) {
    check_interrupt(reference);
    const auto is_earlier = [&](std::size_t j) { return j < partner_[i] && owner_[j] > i && is_tight(i, j); };
    std::uint32_t first = 0;
    while (first < reference && !is_earlier(first)) ++first;
    if (first >= std::min<std::size_t>(reference, partner_[i])) continue;
    // The words that can move to where this one is, or to where another one is that can move.
    next_.assign(columns_, absent);
    queue_.assign(1, partner_[i]);
    for (std::size_t q = 0; q < queue_.size(); ++q)
      for (std::uint32_t k = i + 1; k < columns_; ++k)
        if (next_[k] == absent && is_tight(k, queue_[q])) {
          next_[k] = queue_[q];
          queue_.push_back(partner_[k]);
        }
    while (first < partner_[i] && (next_[owner_[first]] == absent || !is_earlier(first))) ++first;
    if (first >= std::min<std::size_t>(reference, partner_[i])) continue;
    for (std::uint32_t mover = i, to = first; mover != absent;) {
      const std::uint32_t moved = owner_[to];
      partner_[mover] = to;
      owner_[to] = mover;
      if (moved == i) break;
      mover = moved;
      to = next_[moved];
    }
  }
}

void TolerantWorkspace::count(const TolerantCounting& what, const SegmentView& segment, double* rows) {
  read(what, {&segment.hypothesis, 1}, segment.references);
  for (std::size_t k = 0; k < segment.references.size(); ++k) compare(what, 0, k, rows + k * what.columns());
}

void TolerantWorkspace::compare(const TolerantCounting& what, std::size_t hypothesis, std::size_t reference_number,
                                double* row) {
  hypothesis_ = text(hypothesis);
  const auto reference = text(hypotheses_ + reference_number);
  align(what, reference);
  std::fill(row, row + what.match_orders, 0.0);
  rank(reference);
  if (reference.size() <= 64) {
    match_in_bits(what.match_orders, reference, row);
  } else {
    match(what.match_orders, reference, row);
  }
  row += what.match_orders;
  const auto length = static_cast<long long>(hypothesis_.size());
  for (long long n = 1; n <= what.total_orders; ++n) *row++ = static_cast<double>(std::max(0LL, length - n + 1));
  *row++ = static_cast<double>(length);
  *row++ = static_cast<double>(reference.size());
}

void TolerantWorkspace::read(const TolerantCounting& what, std::span<const TextView> hypotheses,
                             std::span<const TextView> references) {
  const auto for_all = [&](auto&& use) {
    for (const auto& text : hypotheses) use(text);
    for (const auto& text : references) use(text);
  };
  std::size_t units = 0;
  for_all([&](const TextView& text) { units += text.size + Arena<std::uint32_t>::padding; });
  if (units > absent)
    throw std::length_error("a segment of more than four thousand million characters cannot be counted");
  arena_.reset(units);
  vocabulary_.reset(units / 8);
  spellings_.clear();
  letters_.clear();
  words_.clear();
  ends_.clear();
  for_all([&](const TextView& text) { cut(what.reading, text); });
  hypotheses_ = hypotheses.size();
  counts_.assign(spellings_.size(), 0);
  places_.assign(spellings_.size(), 0);
  forget_edits();
}

std::span<const std::uint32_t> TolerantWorkspace::text(std::size_t number) const {
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  return {words_.data() + begin, ends_[number] - begin};
}

// Many texts have the same words over and over: their distances are kept, until there is no more room.
void TolerantWorkspace::forget_edits() {
  constexpr std::size_t few = 8;
  known_.clear();
  known_row_.assign(ends_.size() > few ? spellings_.size() : 0, absent);
}

std::uint32_t TolerantWorkspace::find_edits(std::uint32_t type, std::uint32_t other) {
  if ((letters_[type] & letters_[other]) == 0) return std::max(spellings_[type].size, spellings_[other].size);
  return distance_.edits(spelling(type), spelling(other));
}

std::uint32_t TolerantWorkspace::edits(std::uint32_t type, std::uint32_t other) {
  constexpr std::size_t room = std::size_t{1} << 26;
  if (known_row_.empty()) return find_edits(type, other);
  const std::size_t types = spellings_.size();
  if (known_row_[type] == absent) {
    if (known_.size() + types > room) forget_edits();
    known_row_[type] = static_cast<std::uint32_t>(known_.size() / types);
    known_.resize(known_.size() + types, 0);
  }
  std::uint8_t& known = known_[known_row_[type] * types + other];
  if (known > 0) return known - 1u;
  if (known_row_[other] != absent) known = known_[known_row_[other] * types + type];
  if (known > 0) return known - 1u;
  const std::uint32_t found = find_edits(type, other);
  if (found < std::numeric_limits<std::uint8_t>::max()) known = static_cast<std::uint8_t>(found + 1);
  return found;
}

void TolerantWorkspace::cut(const Reading& how, const TextView& text) {
  const std::size_t start = arena_.append(text);
  const Tokenizer tokenizer = how.tokenizer_of(text);
  std::uint32_t* units = arena_.data() + start;
  const std::size_t size = clean(tokenizer, how.strip_punctuation, units, text.size);
  for (const auto [begin, length] : cutter_.cut(tokenizer, units, size)) {
    const auto at = static_cast<std::uint32_t>(start) + begin;
    const std::uint32_t type = vocabulary_.intern(arena_.data(), at, length);
    if (type == spellings_.size()) {
      spellings_.push_back({at, length});
      std::uint64_t letters = 0;
      for (const std::uint32_t letter : spelling(type)) letters |= std::uint64_t{1} << (letter % 64);
      letters_.push_back(letters);
    }
    words_.push_back(type);
  }
  ends_.push_back(words_.size());
}

// Equal words are aligned first, in order; what is left on both sides by least cost, unless that is too much.
void TolerantWorkspace::align(const TolerantCounting& what, std::span<const std::uint32_t> reference) {
  replaced_.assign(hypothesis_.begin(), hypothesis_.end());
  distances_.assign(hypothesis_.size() + 1, 0.0);
  for (const std::uint32_t type : reference) ++counts_[type];  // all are 0 before and after
  here_.clear();
  there_.clear();
  for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
    std::uint32_t& count = counts_[hypothesis_[i]];
    if (count > 0) {
      --count;
    } else {
      here_.push_back(i);
    }
  }
  // Of the reference's words of a type the last ones are left, as of the hypothesis's.
  for (auto j = static_cast<std::uint32_t>(reference.size()); j-- > 0;) {
    std::uint32_t& count = counts_[reference[j]];
    if (count > 0) {
      --count;
      there_.push_back(j);
    }
  }
  std::reverse(there_.begin(), there_.end());
  if (here_.empty() || there_.empty() || std::max(here_.size(), there_.size()) > what.assign) return;
  find_costs(reference);
  const auto& partner = assignment_.solve(costs_, here_.size(), there_.size());
  for (std::size_t i = 0; i < here_.size(); ++i) {
    const std::size_t j = partner[i];
    if (j >= there_.size()) continue;
    const std::uint32_t word = hypothesis_[here_[i]], other = reference[there_[j]];
    const double distance = static_cast<double>(edits_[i * there_.size() + j]) /
                            static_cast<double>(std::max(spellings_[word].size, spellings_[other].size));
    if (distance > what.threshold) continue;
    replaced_[here_[i]] = other;
    distances_[here_[i] + 1] = distance;
  }
  std::partial_sum(distances_.begin(), distances_.end(), distances_.begin());
}

// Distances as whole numbers, so that equal sums are equal: in units of 1 / scale, the least common multiple of all
// lengths of words, or if that is too large, rounded. The number of words between the places of two words is added in
// units that are too small to matter unless sums of distances are equal.
void TolerantWorkspace::find_costs(std::span<const std::uint32_t> reference) {
  const std::size_t pairs = std::min(here_.size(), there_.size());
  const auto apart_unit = static_cast<std::int64_t>(pairs * std::max(hypothesis_.size(), reference.size()) + 1);
  const std::int64_t most =
      std::numeric_limits<std::int64_t>::max() / 8 / apart_unit / static_cast<std::int64_t>(pairs);
  const std::int64_t scale = common_scale(reference, most);
  edits_.resize(here_.size() * there_.size());
  costs_.resize(edits_.size());
  for (std::size_t at = 0; const std::uint32_t i : here_) {
    check_interrupt(8 * there_.size());
    for (const std::uint32_t j : there_) {
      const std::uint32_t a = hypothesis_[i], b = reference[j];
      const auto longer = static_cast<std::int64_t>(std::max(spellings_[a].size, spellings_[b].size));
      edits_[at] = edits(a, b);
      const Parts parts =
          longer < few_letters ? parts_[static_cast<std::size_t>(longer)] : Parts{scale / longer, scale % longer};
      std::int64_t distance = parts.whole * edits_[at];
      if (parts.rest > 0) distance += (2 * parts.rest * edits_[at] + longer) / (2 * longer);
      const auto apart = std::abs(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(j));
      costs_[at++] = distance * apart_unit + apart;
    }
  }
}

// The least common multiple of the lengths of all words that are left, or `most`; and what it is divided by each.
std::int64_t TolerantWorkspace::common_scale(std::span<const std::uint32_t> reference, std::int64_t most) {
  std::int64_t scale = 1;
  std::uint64_t lengths = 0;  // those of short words
  const auto include = [&](std::int64_t size) {
    const std::int64_t factor = size / std::gcd(scale, size);
    scale = factor <= most / scale ? scale * factor : most;
  };
  const auto add = [&](std::uint32_t type) {
    const std::int64_t size = spellings_[type].size;
    if (size < few_letters)
      lengths |= std::uint64_t{1} << size;
    else
      include(size);
  };
  for (const std::uint32_t i : here_) add(hypothesis_[i]);
  for (const std::uint32_t j : there_) add(reference[j]);
  for (std::uint64_t left = lengths; left != 0; left &= left - 1) include(std::countr_zero(left));
  for (std::uint64_t left = lengths; left != 0; left &= left - 1) {
    const std::int64_t size = std::countr_zero(left);
    parts_[static_cast<std::size_t>(size)] = {scale / size, scale % size};
  }
  return scale;
}

// Weights are summed in an order that does not depend on what other texts there are.
void TolerantWorkspace::rank(std::span<const std::uint32_t> reference) {
  ranks_.resize(spellings_.size());
  auto last = static_cast<std::uint32_t>(reference.size() + hypothesis_.size());
  for (auto word = reference.rbegin(); word != reference.rend(); ++word) ranks_[*word] = last--;
  for (auto word = hypothesis_.rbegin(); word != hypothesis_.rend(); ++word) ranks_[*word] = last--;
}

// An n-gram of the hypothesis matches as often as it stands in the reference, those of the greatest weight first.
void TolerantWorkspace::match(int orders, std::span<const std::uint32_t> reference, double* row) {
  grams_ = replaced_;
  reference_grams_.assign(reference.begin(), reference.end());
  for (std::size_t n = 1; n <= static_cast<std::size_t>(orders); ++n) {
    if (n > reference.size() || n > replaced_.size()) return;
    if (n > 1) {
      pairs_.reset(reference.size());
      for (std::size_t j = 0; j + n <= reference.size(); ++j)
        reference_grams_[j] = pairs_.intern(reference_grams_[j], reference[j + n - 1]);
      for (std::size_t i = 0; i + n <= replaced_.size(); ++i)
        if (grams_[i] != absent) grams_[i] = pairs_.find(grams_[i], replaced_[i + n - 1]);
      if (counts_.size() < pairs_.size()) counts_.resize(pairs_.size(), 0);
    }
    for (std::size_t j = 0; j + n <= reference.size(); ++j) ++counts_[reference_grams_[j]];
    hits_.clear();
    for (std::size_t i = 0; i + n <= replaced_.size(); ++i) {
      if (grams_[i] == absent || counts_[grams_[i]] == 0) continue;
      const double mean = (distances_[i + n] - distances_[i]) / static_cast<double>(n);
      hits_.push_back({grams_[i], 1.0 - mean});
    }
    const auto at = [&](const Hit& hit) { return n == 1 ? ranks_[hit.gram] : hit.gram; };
    std::sort(hits_.begin(), hits_.end(),
              [&](const Hit& a, const Hit& b) { return a.gram != b.gram ? at(a) < at(b) : a.weight > b.weight; });
    for (const Hit& hit : hits_)
      if (counts_[hit.gram] > 0) {
        --counts_[hit.gram];
        row[n - 1] += hit.weight;
      }
    for (std::size_t j = 0; j + n <= reference.size(); ++j) counts_[reference_grams_[j]] = 0;
  }
}

// The same where places in the reference are bits: those that an n-gram ends in. Where it ends first is its number.
void TolerantWorkspace::match_in_bits(int orders, std::span<const std::uint32_t> reference, double* row) {
  for (std::size_t j = 0; j < reference.size(); ++j) places_[reference[j]] |= std::uint64_t{1} << j;
  ends_in_.resize(replaced_.size());
  for (std::size_t n = 1; n <= static_cast<std::size_t>(orders) && n <= replaced_.size(); ++n) {
    hits_.clear();
    for (std::size_t i = 0; i + n <= replaced_.size(); ++i) {
      const std::uint32_t word = replaced_[i + n - 1];
      ends_in_[i] = n == 1 ? places_[word] : (ends_in_[i] << 1) & places_[word];
      if (ends_in_[i] == 0) continue;
      const double mean = (distances_[i + n] - distances_[i]) / static_cast<double>(n);
      const auto number = n == 1 ? ranks_[word] : static_cast<std::uint32_t>(std::countr_zero(ends_in_[i]));
      hits_.push_back({number, 1.0 - mean, ends_in_[i]});
    }
    if (hits_.empty()) break;
    std::sort(hits_.begin(), hits_.end(),
              [](const Hit& a, const Hit& b) { return a.gram != b.gram ? a.gram < b.gram : a.weight > b.weight; });
    std::uint64_t left = 0;
    for (std::size_t k = 0; k < hits_.size(); ++k) {
      if (k == 0 || hits_[k].gram != hits_[k - 1].gram) left = hits_[k].places;
      if (left != 0) row[n - 1] += hits_[k].weight;
      left &= left - 1;
    }
  }
  for (const std::uint32_t word : reference) places_[word] = 0;
}

}  // namespace tricolore::counting
