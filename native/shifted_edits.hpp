// Levenshtein distances of a text whose blocks are moved, one block at a time, by way of two tables: of what comes
// before each word and of what comes after it. Only words between the old and the new place of a block are gone through
// again, and those once for all targets of a block.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "edits.hpp"
#include "processors.hpp"

namespace tricolore::counting {

class ShiftedEdits {
 public:
  static constexpr std::size_t longest_block = 10;

  // Whether tables of this size are small: a few of 4 MB, and no more than that of a reference with as many types.
  static bool fits(std::size_t text, std::size_t reference) {
    constexpr std::size_t most_cells = std::size_t{1} << 25;
    return reference > 0 && text <= most_cells / reference && reference <= most_cells / reference;
  }

  // Both must outlive their use. Words of the reference are numbers below `types`; other words equal none.
  void set_reference(Sequence reference, std::uint32_t types);
  std::size_t set_text(Sequence text);  // returns its distance

  // The distance after words [start, start + length) have moved between the words before and after `place`, which is
  // not inside the block.
  std::size_t distance_after(std::size_t start, std::size_t length, std::size_t place);

  // Of cell (i, j) of the table, i words of the text against j of the reference: whether it equals the cell diagonally
  // before it; whether it is one less than the cell (i, j - 1).
  bool equals_diagonal(std::size_t i, std::size_t j) const { return bit(diagonals_.data() + (i - 1) * words_, j); }
  bool falls(std::size_t i, std::size_t j) const { return bit(before_.data() + 2 * i * words_ + words_, j); }

 private:
  // Columns of the table one after the other, each as words of bits: where it grows from one row to the next, then
  // where it falls. Those from the end of the text have the reference backwards, in the topmost bits.
  using Columns = std::vector<std::uint64_t>;
  // Columns after a block is taken out at `start`: what follows it word by word, or what precedes it from its end.
  struct Chain {
    Columns columns;
    std::vector<std::size_t> distances;
    std::size_t size = 0;
  };

  static bool bit(const std::uint64_t* words, std::size_t j) { return (words[(j - 1) / 64] >> ((j - 1) % 64)) & 1; }
  const std::uint64_t* positions(const Columns& of, std::uint32_t word) const {
    return of.data() + std::min(word, types_) * words_;
  }
  // The bits of word w of a column that are rows of the table.
  std::uint64_t rows_in(std::size_t w) const {
    const std::size_t size = reference_.size();
    return size < (w + 1) * 64 ? (std::uint64_t{1} << (size % 64)) - 1 : ~std::uint64_t{0};
  }
  TRICOLORE_FOR_EACH_PROCESSOR
  std::size_t fill_before();
  template <std::size_t W>
  std::size_t fill_before_by();
  void set_after();
  TRICOLORE_FOR_EACH_PROCESSOR
  void fill_after();
  template <std::size_t W>
  void fill_after_by();
  TRICOLORE_FOR_EACH_PROCESSOR
  std::size_t move(std::size_t start, std::size_t length, std::size_t place);
  template <std::size_t W>
  std::size_t move_block(std::size_t start, std::size_t length, std::size_t place);
  template <std::size_t W>
  const std::uint64_t* without_block_before(std::size_t start, std::size_t length, std::size_t place);
  template <std::size_t W>
  const std::uint64_t* without_block_after(std::size_t start, std::size_t length, std::size_t place,
                                           std::size_t& distance);
  template <std::size_t W>
  std::size_t least_sum(const std::uint64_t* before, std::size_t first, const std::uint64_t* after,
                        std::size_t distance) const;

  Sequence reference_, text_;
  std::uint32_t types_ = 0;
  std::size_t words_ = 0;  // of bits, in a column
  bool after_is_known_ = false;
  std::size_t chains_of_ = 0;                           // the start of the blocks that chains are about
  Columns positions_, positions_back_;                  // of each type in the reference, and in the reference backwards
  std::vector<std::size_t> set_, set_back_;             // where these are not 0
  Columns before_, after_, diagonals_;                  // before and after each word of the text
  std::vector<std::size_t> distances_;                  // of what comes after each word, to the whole reference
  std::array<Chain, longest_block> onward_, backward_;  // by length of the block
  Columns column_;                                      // of what a block adds
};

}  // namespace tricolore::counting
