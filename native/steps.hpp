// The steps of edits between two texts, counted as jiwer counts them.
#pragma once

#include "alignment.hpp"
#include "character_numbers.hpp"
#include "reader.hpp"
#include "text.hpp"

namespace tricolore::counting {

class StepsWorkspace {
 public:
  // Between the words of a segment with one reference, or between all its characters but the white space at both ends.
  EditScript::Counts count(const SegmentView& segment, bool by_character);

 private:
  SegmentReader reader_;
  CharacterNumbers characters_;
  Words words_;
  EditScript script_;
};

}  // namespace tricolore::counting
