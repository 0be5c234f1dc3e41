// Where each word stands in a sequence.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tricolore {

class Occurrences {
 public:
  // Words are numbers below `types`; others stand nowhere.
  void set(std::span<const std::uint32_t> sequence, std::uint32_t types) {
    types_ = types;
    ends_.assign(std::size_t{types} + 1, 0);
    for (const std::uint32_t word : sequence)
      if (word < types) ++ends_[word + 1];
    for (std::size_t word = 0; word < types; ++word) ends_[word + 1] += ends_[word];
    positions_.resize(ends_[types]);
    // ends_[word] is where the next position of the word goes, and in the end where its positions end.
    for (std::size_t i = 0; i < sequence.size(); ++i)
      if (sequence[i] < types) positions_[ends_[sequence[i]]++] = static_cast<std::uint32_t>(i);
  }

  // The positions of a word, in order.
  std::span<const std::uint32_t> of(std::uint32_t word) const {
    if (word >= types_) return {};
    const std::uint32_t begin = word == 0 ? 0 : ends_[word - 1];
    return {positions_.data() + begin, ends_[word] - begin};
  }

 private:
  std::uint32_t types_ = 0;
  std::vector<std::uint32_t> ends_, positions_;
};

}  // namespace tricolore
