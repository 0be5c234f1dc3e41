// Translation edit rate: block shifts found greedily, then Levenshtein; the same edits as sacreBLEU's rendering of
// Tercom.
#pragma once

#include <cstdint>
#include <vector>

#include "beam_edits.hpp"
#include "edits.hpp"
#include "shifted_edits.hpp"

namespace tricolore::counting {

// What to count: edits (shifts among them), shifts, hypothesis length, reference length. A segment that is too long has
// no number of edits.
struct TerCounting {
  static constexpr std::size_t block_size = 8;
  static constexpr bool compares_words_only = true;
  Reading reading;
  int beam = 25;  // how far from the diagonal edits are looked for; 0 = anywhere

  std::size_t columns() const { return 4; }
};

class TerWorkspace {
 public:
  void count(const TerCounting& what, const SegmentView& segment, double* rows);

 private:
  struct Shift {
    std::int64_t gain;
    std::size_t length, start, target;

    bool better_than(const Shift& other) const;
  };
  // How the current hypothesis and the reference go together.
  struct Alignment {
    std::vector<std::int64_t> hypothesis_at;  // of each reference word: the last hypothesis word used up to it, or -1
    std::vector<std::uint32_t> hypothesis_errors, reference_errors;  // how many before each word
  };

  void set_reference(Sequence reference);
  void list_places();
  bool shift_once(Shift& best, std::size_t& distance);
  void try_shift(Shift shift, std::int64_t before, Shift& best);
  std::size_t place_of(const Shift& shift) const;
  void perform(const Shift& shift, std::vector<std::uint32_t>& shifted) const;

  // The distance of the current hypothesis, with a table that can be traced back.
  std::size_t trace();
  void trace_exactly();
  void trace_in_beam();
  std::size_t fill_table();
  void step_back(char operation, std::size_t& i, std::size_t& j);

  std::size_t beam_distance(Sequence words);
  bool beam_is_wide_enough(std::size_t distance) const;

  SegmentReader reader_;
  Words words_;
  int beam_ = 0;
  Sequence reference_;
  std::vector<std::uint32_t> current_, shifted_;
  std::vector<std::uint32_t> first_place_, next_place_;  // of a word in the reference; where the same comes again
  std::size_t checked_ = 0;
  std::size_t exact_ = 0;  // the distance of the current hypothesis, without a beam

  bool in_tables_ = false;  // whether the segment is small enough for:
  ShiftedEdits edits_;
  // What serves a large one:
  BitParallel bits_;
  std::vector<std::uint64_t> positions_;        // of each type in a strip of the reference
  std::vector<std::uint64_t> diagonal_, down_;  // of each strip and hypothesis word, for tracing back
  std::vector<std::int8_t> border_;

  bool beam_is_set_ = false;  // for this reference
  BeamEdits beam_edits_;
  Alignment alignment_;
};

}  // namespace tricolore::counting
