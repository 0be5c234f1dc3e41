// Levenshtein distances within a beam around the diagonal, as in sacreBLEU's rendering of Tercom: edits that stray
// farther from it are not looked for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "edits.hpp"

namespace tricolore::counting {

class BeamEdits {
 public:
  // Texts to come have `size` words. The reference must outlive its use.
  void set_reference(Sequence reference, std::size_t size, int beam);

  std::size_t distance(Sequence text);

  // How cell (i, j) of the last table was reached, i > 0 words of the text against j of the reference: ' ' equal,
  // 's' substitution, 'd' a word of the text dropped, 'i' a word of the reference added; in this order where costs are
  // equal.
  char operation(std::size_t i, std::size_t j) const;

 private:
  // Cells with i + j = d do not depend on each other; those within the beam are first <= i <= last. `at` is where i = 0
  // would be in the table.
  struct Diagonal {
    std::ptrdiff_t first, last, at;
  };

  void set_beam(std::size_t size, int beam);
  void fill(std::size_t d);
  std::int32_t cell(std::size_t i, std::size_t d) const {
    return cells_[static_cast<std::size_t>(diagonals_[d].at + static_cast<std::ptrdiff_t>(i))];
  }

  std::vector<std::uint32_t> text_, reference_;  // the latter backwards
  std::vector<Diagonal> diagonals_;
  std::vector<std::int32_t> cells_;  // diagonal by diagonal, each between two cells that cannot be reached
};

}  // namespace tricolore::counting
