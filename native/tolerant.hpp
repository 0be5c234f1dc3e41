// Tolerant n-gram matches: words of the hypothesis are aligned with similar words of the reference and stand for them.
#pragma once

#include <algorithm>
#include <array>
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
  double operator()(Spelling a, Spelling b) {
    const std::size_t longer = std::max(a.size(), b.size());
    return longer == 0 ? 1.0 : static_cast<double>(edits(a, b)) / static_cast<double>(longer);
  }
  std::uint32_t edits(Spelling a, Spelling b);  // at most the length of the longer word

 private:
  std::vector<std::uint32_t> any_, anchored_;  // a row of the table: edits, and edits with a character in place
};

// The assignment of words of the hypothesis to words of the reference, as many as the shorter has, of least total cost,
// in whole numbers: the Hungarian algorithm with potentials, cubic. Of all such assignments it is the first: the first
// word of the hypothesis has the earliest word of the reference that it can have, or else none, then the second, and so
// on.
class Assignment {
 public:
  // For each word of the hypothesis its word of the reference, or a number beyond them; costs are word by word of the
  // hypothesis.
  const std::vector<std::uint32_t>& solve(const std::vector<std::int64_t>& costs, std::size_t hypothesis,
                                          std::size_t reference);

 private:
  void find_any();
  void take_cheapest();
  void place(std::size_t placed);
  void find_first();
  bool is_tight(std::size_t i, std::size_t j) const;
  std::int64_t cost(std::size_t row, std::size_t column) const { return costs_[row * columns_ + column]; }

  const std::int64_t* costs_ = nullptr;  // row by row
  std::vector<std::int64_t> turned_costs_;
  bool turned_ = false;  // rows are words of the reference, which is the shorter
  std::size_t rows_ = 0, columns_ = 0;
  std::vector<std::int64_t> row_potential_, column_potential_, least_;
  std::vector<std::size_t> row_of_, way_, unplaced_;
  std::vector<std::uint8_t> visited_;
  std::vector<std::uint32_t> partner_, owner_;  // of words of the hypothesis, of the reference; both as many
  std::vector<std::uint32_t> next_, queue_;
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

  // Read many texts once; then compare any of them with any other.
  void read(const TolerantCounting& what, std::span<const TextView> hypotheses, std::span<const TextView> references);
  void compare(const TolerantCounting& what, std::size_t hypothesis, std::size_t reference, double* row);

 private:
  void cut(const Reading& how, const TextView& text);
  std::span<const std::uint32_t> text(std::size_t number) const;
  Spelling spelling(std::uint32_t type) { return {arena_.data() + spellings_[type].begin, spellings_[type].size}; }
  void align(const TolerantCounting& what, std::span<const std::uint32_t> reference);
  void find_costs(std::span<const std::uint32_t> reference);
  void forget_edits();
  std::int64_t common_scale(std::span<const std::uint32_t> reference, std::int64_t most);
  std::uint32_t find_edits(std::uint32_t type, std::uint32_t other);
  std::uint32_t edits(std::uint32_t type, std::uint32_t other);
  void rank(std::span<const std::uint32_t> reference);
  void match_in_bits(int orders, std::span<const std::uint32_t> reference, double* row);
  void match(int orders, std::span<const std::uint32_t> reference, double* row);

  Arena<std::uint32_t> arena_;
  Cutter cutter_;
  Vocabulary<std::uint32_t> vocabulary_;
  std::vector<Slice> spellings_;        // of each type
  std::vector<std::uint64_t> letters_;  // of each type: two without a common bit share none
  std::vector<std::uint32_t> words_;    // of all texts, hypotheses first
  std::vector<std::size_t> ends_;       // of each text
  std::size_t hypotheses_ = 0;
  std::span<const std::uint32_t> hypothesis_;

  AffixDistance distance_;
  std::vector<std::uint32_t> known_row_;  // of each type; empty if nothing is kept
  std::vector<std::uint8_t> known_;       // in each row the edits to each type, and 1; 0 if not known
  // A whole number divided by the length of a word.
  struct Parts {
    std::int64_t whole, rest;
  };
  static constexpr std::int64_t few_letters = 64;
  std::array<Parts, few_letters> parts_{};  // of a scale, by each length
  Assignment assignment_;
  std::vector<std::uint32_t> edits_;  // of each pair of words that are left
  std::vector<std::int64_t> costs_;
  std::vector<std::uint32_t> here_, there_;  // places of the words that are left
  std::vector<std::uint32_t> replaced_;      // the hypothesis, aligned words replaced
  std::vector<double> distances_;            // of its words from what they were replaced with, summed up
  PairNumbers pairs_;
  std::vector<std::uint32_t> grams_, reference_grams_, counts_;
  std::vector<std::uint32_t> ranks_;  // types by where they are first, in the hypothesis or else in the reference
  struct Hit {
    std::uint32_t gram;
    double weight;
    std::uint64_t places = 0;  // in the reference, as bits
  };
  std::vector<Hit> hits_;
  std::vector<std::uint64_t> places_, ends_in_;  // of each type in the reference; of each n-gram there
};

}  // namespace tricolore::counting
