#include "tolerant.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "interruption.hpp"

namespace tricolore::counting {

double AffixDistance::operator()(Spelling a, Spelling b) {
  constexpr std::uint32_t never = std::numeric_limits<std::uint32_t>::max() / 2;
  any_.resize(b.size() + 1);
  std::iota(any_.begin(), any_.end(), 0);
  anchored_.assign(b.size() + 1, never);
  for (std::size_t i = 0; i < a.size(); ++i) {
    check_interrupt();
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
  const std::size_t longer = std::max(a.size(), b.size());
  const std::uint32_t edits = anchored_.back();
  return edits >= longer ? 1.0 : static_cast<double>(edits) / static_cast<double>(longer);
}

// Rows and columns are numbered from 1; column 0 is where a row that is being placed begins.
const std::vector<std::uint32_t>& Assignment::solve(const std::vector<double>& costs, std::size_t rows,
                                                    std::size_t columns) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  row_potential_.assign(rows + 1, 0.0);
  column_potential_.assign(columns + 1, 0.0);
  row_of_.assign(columns + 1, 0);
  way_.assign(columns + 1, 0);
  for (std::size_t placed = 1; placed <= rows; ++placed) {
    check_interrupt();
    row_of_[0] = placed;
    std::size_t column = 0;
    least_.assign(columns + 1, infinite);
    visited_.assign(columns + 1, false);
    do {
      visited_[column] = true;
      const std::size_t row = row_of_[column];
      double step = infinite;
      std::size_t next = 0;
      for (std::size_t j = 1; j <= columns; ++j) {
        if (visited_[j]) continue;
        const double reduced = costs[(row - 1) * columns + j - 1] - row_potential_[row] - column_potential_[j];
        if (reduced < least_[j]) {
          least_[j] = reduced;
          way_[j] = column;
        }
        if (least_[j] < step) {
          step = least_[j];
          next = j;
        }
      }
      for (std::size_t j = 0; j <= columns; ++j) {
        if (visited_[j]) {
          row_potential_[row_of_[j]] += step;
          column_potential_[j] -= step;
        } else {
          least_[j] -= step;
        }
      }
      column = next;
    } while (row_of_[column] != 0);
    for (; column != 0; column = way_[column]) row_of_[column] = row_of_[way_[column]];
  }
  column_of_.assign(rows, 0);
  for (std::size_t j = 1; j <= columns; ++j)
    if (row_of_[j] != 0) column_of_[row_of_[j] - 1] = static_cast<std::uint32_t>(j - 1);
  return column_of_;
}

void TolerantWorkspace::count(const TolerantCounting& what, const SegmentView& segment, double* rows) {
  read(what.reading, segment);
  std::size_t begin = 0;
  for (const std::size_t end : reference_ends_) {
    const std::span<const std::uint32_t> reference{references_.data() + begin, end - begin};
    begin = end;
    align(what, reference);
    match(what.match_orders, reference, rows);
    rows += what.match_orders;
    const auto length = static_cast<long long>(hypothesis_.size());
    for (long long n = 1; n <= what.total_orders; ++n) *rows++ = static_cast<double>(std::max(0LL, length - n + 1));
    *rows++ = static_cast<double>(length);
    *rows++ = static_cast<double>(reference.size());
  }
}

void TolerantWorkspace::read(const Reading& how, const SegmentView& segment) {
  std::size_t units = segment.hypothesis.size + Arena<std::uint32_t>::padding;
  for (const auto& text : segment.references) units += text.size + Arena<std::uint32_t>::padding;
  if (units > absent)
    throw std::length_error("a segment of more than four thousand million characters cannot be counted");
  arena_.reset(units);
  vocabulary_.reset(units / 8);
  spellings_.clear();
  hypothesis_.clear();
  references_.clear();
  reference_ends_.clear();
  cut(how, segment.hypothesis, hypothesis_);
  for (const auto& text : segment.references) {
    cut(how, text, references_);
    reference_ends_.push_back(references_.size());
  }
}

void TolerantWorkspace::cut(const Reading& how, const TextView& text, std::vector<std::uint32_t>& words) {
  const std::size_t start = arena_.append(text);
  const Tokenizer tokenizer = how.tokenizer_of(text);
  std::uint32_t* units = arena_.data() + start;
  const std::size_t size = clean(tokenizer, how.strip_punctuation, units, text.size);
  split(tokenizer, units, size, [&](std::size_t begin, std::size_t end) {
    const auto at = static_cast<std::uint32_t>(start + begin), length = static_cast<std::uint32_t>(end - begin);
    const std::uint32_t type = vocabulary_.intern(arena_.data(), at, length);
    if (type == spellings_.size()) spellings_.push_back({at, length});
    words.push_back(type);
  });
}

// Equal words are aligned first, in order; what is left on both sides by least cost, unless that is too much.
void TolerantWorkspace::align(const TolerantCounting& what, std::span<const std::uint32_t> reference) {
  replaced_ = hypothesis_;
  distances_.assign(hypothesis_.size() + 1, 0.0);
  counts_.assign(spellings_.size(), 0);
  for (const std::uint32_t type : reference) ++counts_[type];
  std::vector<std::uint32_t> here, there;  // places of the words that are left
  for (std::uint32_t i = 0; i < hypothesis_.size(); ++i) {
    std::uint32_t& count = counts_[hypothesis_[i]];
    if (count > 0) {
      --count;
    } else {
      here.push_back(i);
    }
  }
  // Of the reference's words of a type the last ones are left, as of the hypothesis's.
  for (auto j = static_cast<std::uint32_t>(reference.size()); j-- > 0;) {
    std::uint32_t& count = counts_[reference[j]];
    if (count > 0) {
      --count;
      there.push_back(j);
    }
  }
  std::reverse(there.begin(), there.end());
  if (!here.empty() && !there.empty() && std::max(here.size(), there.size()) <= what.assign) {
    const bool turned = here.size() > there.size();
    const std::size_t rows = std::min(here.size(), there.size()), columns = std::max(here.size(), there.size());
    std::vector<double> costs(rows * columns), distances(rows * columns);
    for (std::size_t r = 0; r < rows; ++r) {
      check_interrupt();
      for (std::size_t c = 0; c < columns; ++c) {
        const std::uint32_t i = here[turned ? c : r], j = there[turned ? r : c];
        const double distance = distance_(spelling(hypothesis_[i]), spelling(reference[j]));
        // Of equal alignments the one whose words stand nearest, as fractions too small to matter otherwise.
        const double apart = std::abs(static_cast<double>(i) - static_cast<double>(j)) /
                             static_cast<double>(std::max(hypothesis_.size(), reference.size()));
        distances[r * columns + c] = distance;
        costs[r * columns + c] = distance + 1e-9 * apart;
      }
    }
    const auto& column_of = assignment_.solve(costs, rows, columns);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t c = column_of[r];
      const double distance = distances[r * columns + c];
      if (distance > what.threshold) continue;
      const std::uint32_t i = here[turned ? c : r], j = there[turned ? r : c];
      replaced_[i] = reference[j];
      distances_[i + 1] = distance;
    }
  }
  std::partial_sum(distances_.begin(), distances_.end(), distances_.begin());
}

// An n-gram of the hypothesis matches as often as it stands in the reference, those of the greatest weight first.
void TolerantWorkspace::match(int orders, std::span<const std::uint32_t> reference, double* row) {
  std::fill(row, row + orders, 0.0);
  grams_ = replaced_;
  reference_grams_.assign(reference.begin(), reference.end());
  std::size_t kinds = spellings_.size();
  for (std::size_t n = 1; n <= static_cast<std::size_t>(orders); ++n) {
    if (n > reference.size() || n > replaced_.size()) return;
    if (n > 1) {
      pairs_.reset(reference.size());
      for (std::size_t j = 0; j + n <= reference.size(); ++j)
        reference_grams_[j] = pairs_.intern(reference_grams_[j], reference[j + n - 1]);
      for (std::size_t i = 0; i + n <= replaced_.size(); ++i)
        if (grams_[i] != absent) grams_[i] = pairs_.find(grams_[i], replaced_[i + n - 1]);
      kinds = pairs_.size();
    }
    counts_.assign(kinds, 0);
    for (std::size_t j = 0; j + n <= reference.size(); ++j) ++counts_[reference_grams_[j]];
    hits_.clear();
    for (std::size_t i = 0; i + n <= replaced_.size(); ++i) {
      if (grams_[i] == absent || counts_[grams_[i]] == 0) continue;
      const double mean = (distances_[i + n] - distances_[i]) / static_cast<double>(n);
      hits_.push_back({grams_[i], 1.0 - mean});
    }
    std::sort(hits_.begin(), hits_.end(),
              [](const Hit& a, const Hit& b) { return a.gram != b.gram ? a.gram < b.gram : a.weight > b.weight; });
    for (const Hit& hit : hits_)
      if (counts_[hit.gram] > 0) {
        --counts_[hit.gram];
        row[n - 1] += hit.weight;
      }
  }
}

}  // namespace tricolore::counting
