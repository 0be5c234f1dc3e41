#include "tolerant.hpp"

#include <algorithm>
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
  for (std::size_t i = 0; i < a.size(); ++i) {
    check_interrupt(4 * b.size());
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
  costs_ = &costs;
  turned_ = hypothesis > reference;
  rows_ = std::min(hypothesis, reference);
  columns_ = std::max(hypothesis, reference);
  find_any();
  find_first();
  return partner_;
}

// Rows and columns are numbered from 1; column 0 is where a row that is being placed begins.
void Assignment::find_any() {
  constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max();
  row_potential_.assign(rows_ + 1, 0);
  column_potential_.assign(columns_ + 1, 0);
  row_of_.assign(columns_ + 1, 0);
  way_.assign(columns_ + 1, 0);
  take_cheapest();
  for (const std::size_t placed : unplaced_) {
    row_of_[0] = placed;
    std::size_t column = 0;
    least_.assign(columns_ + 1, infinite);
    visited_.assign(columns_ + 1, false);
    do {
      check_interrupt(columns_);
      visited_[column] = true;
      const std::size_t row = row_of_[column];
      std::int64_t step = infinite;
      std::size_t next = 0;
      for (std::size_t j = 1; j <= columns_; ++j) {
        if (visited_[j]) continue;
        const std::int64_t reduced = cost(row - 1, j - 1) - row_potential_[row] - column_potential_[j];
        if (reduced < least_[j]) {
          least_[j] = reduced;
          way_[j] = column;
        }
        if (least_[j] < step) {
          step = least_[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= columns_; ++j) {
        if (visited_[j]) {
          row_potential_[row_of_[j]] += step;
          column_potential_[j] -= step;
        } else if (least_[j] != infinite) {
          least_[j] -= step;
        }
      }
      column = next;
    } while (row_of_[column] != 0);
    for (; column != 0; column = way_[column]) row_of_[column] = row_of_[way_[column]];
  }
}

// A row whose cheapest column is free has it at once; the others are left to be placed.
void Assignment::take_cheapest() {
  unplaced_.clear();
  for (std::size_t row = 1; row <= rows_; ++row) {
    std::size_t cheapest = 1;
    for (std::size_t j = 2; j <= columns_; ++j)
      if (cost(row - 1, j - 1) < cost(row - 1, cheapest - 1)) cheapest = j;
    row_potential_[row] = cost(row - 1, cheapest - 1);
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
  if (known_of_ != hypothesis) forget_edits();
  known_of_ = hypothesis;
  const auto reference = text(hypotheses_ + reference_number);
  align(what, reference);
  match(what.match_orders, reference, row);
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
  words_.clear();
  ends_.clear();
  for_all([&](const TextView& text) { cut(what.reading, text); });
  hypotheses_ = hypotheses.size();
  counts_.assign(spellings_.size(), 0);
  known_of_ = absent;
}

std::span<const std::uint32_t> TolerantWorkspace::text(std::size_t number) const {
  const std::size_t begin = number == 0 ? 0 : ends_[number - 1];
  return {words_.data() + begin, ends_[number] - begin};
}

// The references of many texts have the same words over and over.
void TolerantWorkspace::forget_edits() {
  constexpr std::size_t few = 8, most = 1 << 20;
  const std::size_t pairs = hypothesis_.size() * spellings_.size();
  known_.assign(ends_.size() > few && pairs <= most ? pairs : 0, 0);
}

std::uint32_t TolerantWorkspace::edits(std::size_t place, std::uint32_t type) {
  const auto find = [&] { return distance_.edits(spelling(hypothesis_[place]), spelling(type)); };
  if (known_.empty()) return find();
  std::uint32_t& known = known_[place * spellings_.size() + type];
  if (known == 0) known = find() + 1;
  return known - 1;
}

void TolerantWorkspace::cut(const Reading& how, const TextView& text) {
  const std::size_t start = arena_.append(text);
  const Tokenizer tokenizer = how.tokenizer_of(text);
  std::uint32_t* units = arena_.data() + start;
  const std::size_t size = clean(tokenizer, how.strip_punctuation, units, text.size);
  split(tokenizer, units, size, [&](std::size_t begin, std::size_t end) {
    const auto at = static_cast<std::uint32_t>(start + begin), length = static_cast<std::uint32_t>(end - begin);
    const std::uint32_t type = vocabulary_.intern(arena_.data(), at, length);
    if (type == spellings_.size()) spellings_.push_back({at, length});
    words_.push_back(type);
  });
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
  std::int64_t scale = 1;
  const auto include = [&](std::uint32_t type) {
    const std::int64_t size = spellings_[type].size, factor = size / std::gcd(scale, size);
    scale = factor <= most / scale ? scale * factor : most;
  };
  for (const std::uint32_t i : here_) include(hypothesis_[i]);
  for (const std::uint32_t j : there_) include(reference[j]);
  edits_.resize(here_.size() * there_.size());
  costs_.resize(edits_.size());
  for (std::size_t at = 0; const std::uint32_t i : here_) {
    check_interrupt(8 * there_.size());
    for (const std::uint32_t j : there_) {
      const std::uint32_t a = hypothesis_[i], b = reference[j];
      const auto longer = static_cast<std::int64_t>(std::max(spellings_[a].size, spellings_[b].size));
      edits_[at] = edits(i, b);
      const std::int64_t whole = scale / longer * edits_[at], rest = scale % longer * edits_[at];
      const auto apart = std::abs(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(j));
      costs_[at++] = (whole + (2 * rest + longer) / (2 * longer)) * apart_unit + apart;
    }
  }
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
  std::fill(row, row + orders, 0.0);
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
    if (n == 1) rank(reference);
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

}  // namespace tricolore::counting
