// Which words an edit distance aligns, step by step.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "occurrences.hpp"

namespace tricolore::counting {

// The steps of a shortest edit script from a reference to a hypothesis, in order, a letter each: = equal words,
// S substituted, D a word of the reference deleted, I a word of the hypothesis inserted.
//
// Of several shortest scripts it is the one that RapidFuzz, and so jiwer, finds: what both texts begin with, and then
// what they end with, is aligned first. Then, from the end, it deletes if a shortest script may; else it inserts if
// that leaves a distance below that of substituting or matching; else it matches or substitutes. RapidFuzz divides
// texts of more than about 2,000 tokens, and may find another one there.
//
// The table of distances is kept as the differences between its columns, two bits a cell (see BitParallel). If that
// would take too much room, only some of its rows are kept and the others computed again, which does not change the
// result.
class EditScript {
 public:
  // `room` is how many bytes of the table may be kept; it is exceeded only as the square root of its height.
  explicit EditScript(std::size_t room = std::size_t{8} << 20) : room_(room) {}

  std::string steps(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                    std::uint32_t types);

  // How many steps of each kind there are.
  struct Counts {
    long equal = 0, substituted = 0, inserted = 0, deleted = 0;
  };
  Counts counts(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                std::uint32_t types);

 private:
  // Call on_steps(letter, how many) from the last step to the first.
  template <class OnSteps>
  void walk_back(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                 std::uint32_t types, OnSteps&& on_steps);
  // A row of the table: +1 from a column to the next where `up`, -1 where `down`.
  struct Row {
    const std::uint64_t *up, *down;
  };

  // The columns whose word this is, a bit each; good until it is asked for another word.
  const std::uint64_t* columns_of(std::uint32_t word);
  void find_columns(std::span<const std::uint32_t> reference, std::uint32_t types);
  void next_row(std::uint32_t word, const std::uint64_t* before, std::uint64_t* after);
  Row row(const std::uint64_t* rows, std::size_t i) const {
    return {rows + 2 * i * strips_, rows + (2 * i + 1) * strips_};
  }

  std::size_t room_;
  std::size_t strips_ = 0;  // of 64 columns
  Occurrences occurrences_;
  // The columns of every word if they take little room, and else of one.
  std::vector<std::uint64_t> columns_;
  bool has_all_columns_ = false;
  std::uint32_t types_ = 0, shown_ = 0;  // `shown_` is the word whose columns there are, if not those of all
  std::vector<std::uint64_t> firsts_, rows_;
};

}  // namespace tricolore::counting
