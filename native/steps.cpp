#include "steps.hpp"

#include "characters.hpp"

namespace tricolore::counting {

namespace {

// Number all characters between the white space at both ends.
template <class Number>
void number_characters(const TextView& text, std::vector<std::uint32_t>& numbers, Number&& number) {
  with_units(text, [&](auto units) {
    while (!units.empty() && is_space(units.front())) units = units.subspan(1);
    while (!units.empty() && is_space(units.back())) units = units.first(units.size() - 1);
    numbers.resize(units.size());
    for (std::size_t i = 0; i < units.size(); ++i) numbers[i] = number(units[i]);
  });
}

}  // namespace

EditScript::Counts StepsWorkspace::count(const SegmentView& segment, bool by_character) {
  if (by_character) {
    words_.clear();
    characters_.reset();
    number_characters(segment.references[0], words_.references, [&](auto unit) { return characters_.intern(unit); });
    words_.types = characters_.size();
    number_characters(segment.hypothesis, words_.hypothesis, [&](auto unit) { return characters_.find(unit); });
  } else {
    reader_.read({}, segment, words_);
  }
  return script_.counts(words_.hypothesis, words_.references, words_.types);
}

}  // namespace tricolore::counting
