// Tolerant n-gram matches: words of the hypothesis are aligned with similar words of the reference and stand for them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reader.hpp"
#include "vocabulary.hpp"

namespace tricolore::counting {

using Spelling = std::span<const std::uint32_t>;

// The least number of edits that leave at least one character in place, by the length of the longer word, at most 1.
// Keeping one character of a common part is keeping all of it, so this is the least sum of edits before and after any
// common substring.
class AffixDistance {
 public:
  double operator()(Spelling a, Spelling b);

 private:
  std::vector<std::uint32_t> any_, anchored_;  // a row of the table: edits, and edits with a character in place
};

// The assignment of rows to columns of least total cost: the Hungarian algorithm with potentials, cubic.
class Assignment {
 public:
  // For each row its column; costs are row by row, and there are at least as many columns as rows.
  const std::vector<std::uint32_t>& solve(const std::vector<double>& costs, std::size_t rows, std::size_t columns);

 private:
  std::vector<double> row_potential_, column_potential_, least_;
  std::vector<std::size_t> row_of_, way_;
  std::vector<bool> visited_;
  std::vector<std::uint32_t> column_of_;
};

// What to count: weighted matches of order 1..match_orders, n-grams of order 1..total_orders, and both lengths.
struct TolerantCounting {
  static constexpr std::size_t block_size = 16;
  static constexpr bool compares_words_only = false;
  Reading reading;
  int match_orders = 4;
  int total_orders = 4;
  double threshold = 0.5;
  std::size_t assign = 400;

  std::size_t columns() const { return static_cast<std::size_t>(match_orders + total_orders) + 2; }
};

class TolerantWorkspace {
 public:
  void count(const TolerantCounting& what, const SegmentView& segment, double* rows);

 private:
  void read(const Reading& how, const SegmentView& segment);
  void cut(const Reading& how, const TextView& text, std::vector<std::uint32_t>& words);
  Spelling spelling(std::uint32_t type) { return {arena_.data() + spellings_[type].begin, spellings_[type].size}; }
  void align(const TolerantCounting& what, std::span<const std::uint32_t> reference);
  void match(int orders, std::span<const std::uint32_t> reference, double* row);

  Arena<std::uint32_t> arena_;
  Vocabulary<std::uint32_t> vocabulary_;
  std::vector<Vocabulary<std::uint32_t>::Slice> spellings_;  // of each type
  std::vector<std::uint32_t> hypothesis_, references_;
  std::vector<std::size_t> reference_ends_;

  AffixDistance distance_;
  Assignment assignment_;
  std::vector<std::uint32_t> replaced_;  // the hypothesis, aligned words replaced
  std::vector<double> distances_;        // of its words from what they were replaced with, summed up
  PairNumbers pairs_;
  std::vector<std::uint32_t> grams_, reference_grams_, counts_;
  struct Hit {
    std::uint32_t gram;
    double weight;
  };
  std::vector<Hit> hits_;
};

}  // namespace tricolore::counting
