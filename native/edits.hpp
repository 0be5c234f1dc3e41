// Distances between sequences of numbers: Levenshtein, bags of words, CDER; and longest common subsequences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "reader.hpp"

namespace tricolore::counting {

using Sequence = std::span<const std::uint32_t>;

// A column of the Levenshtein table of a pattern of up to 64 elements, in bits: where it grows by one from the row
// above and where it falls. Myers (1999) as rewritten by Hyyrö (2003).
struct EditColumn {
  std::uint64_t up = ~std::uint64_t{0}, down = 0;
  std::size_t distance;  // in the last row

  explicit EditColumn(std::size_t size = 0) : distance(size) {}

  // Go on to the next column: `equal` has the positions of its element in the pattern, `last` is the last position.
  void advance(std::uint64_t equal, std::size_t last) {
    const std::uint64_t diagonal = (((equal & up) + up) ^ up) | equal | down;
    std::uint64_t right = down | ~(diagonal | up), left = diagonal & up;
    distance += (right >> last) & 1;
    distance -= (left >> last) & 1;
    right = (right << 1) | 1;
    left <<= 1;
    up = left | ~(diagonal | right);
    down = right & diagonal;
  }
};

// Bit-parallel comparison of one sequence, the pattern, with others: 64 of its elements at a time. Elements of the
// pattern are numbers below `types`; a number from there on, or `absent`, equals none of them.
//
// Levenshtein as above; LCS: Hyyrö (2004). Patterns of more than 64 elements are cut
// into strips, and what leaves one strip at a column of the table enters the next. A few strips go through the columns
// side by side, which keeps the processor busy; many go one after another, so that memory is linear.
class BitParallel {
 public:
  void set_pattern(Sequence pattern, std::uint32_t types);
  std::size_t levenshtein(Sequence text);
  std::size_t common_subsequence(Sequence text);

  // The distance of two texts of bytes.
  using Bytes = std::span<const std::uint8_t>;
  std::size_t levenshtein(Bytes a, Bytes b);

 private:
  std::uint64_t positions_of(std::uint32_t element) const { return element < types_ ? positions_[element] : 0; }
  template <std::size_t W, class Element>
  std::size_t levenshtein_side_by_side(std::span<const Element> pattern, std::span<const Element> text,
                                       std::size_t types);
  template <std::size_t W, bool has_border, class Element>
  std::size_t growth(std::span<const Element> pattern, std::span<const Element> text, std::size_t types);
  void fill_strip(std::size_t strip);
  void clear_strip(std::size_t strip);
  std::size_t strips() const { return (pattern_.size() + 63) / 64; }

  Sequence pattern_;
  std::uint32_t types_ = 0;
  std::size_t filled_ = 0;                    // the strip that positions_ shows
  std::vector<std::uint64_t> positions_;      // of each type in the strip, as bits
  std::vector<std::int8_t> border_;           // what enters the strip from above, for each column
  std::vector<std::uint64_t> all_positions_;  // of each type in all strips
};

enum class Distance : int {
  levenshtein,  // insertions, deletions, substitutions
  bag,          // max(|c|, |r|) - |bag(c) ∩ bag(r)|
  cder          // Levenshtein, and jumps to anywhere in the hypothesis at cost 1
};

// What to count: distance, hypothesis length, reference length.
struct EditCounting {
  static constexpr std::size_t block_size = 64;
  static constexpr bool compares_words_only = true;
  Reading reading;
  Distance distance = Distance::levenshtein;

  std::size_t columns() const { return 3; }
};

class EditWorkspace {
 public:
  void count(const EditCounting& what, const SegmentView& segment, double* rows);

 private:
  bool count_bytes(const EditCounting& what, const SegmentView& segment, double* row);
  std::size_t distance(Distance kind, Sequence reference);
  std::size_t bag_distance(Sequence reference);
  std::size_t cder(Sequence reference);

  SegmentReader reader_;
  Words words_;
  BitParallel bits_;
  std::vector<std::int64_t> counts_;
  std::vector<std::size_t> row_, next_;
};

}  // namespace tricolore::counting
