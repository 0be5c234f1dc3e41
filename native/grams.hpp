// N-grams as numbers: each is another one and a word more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace tricolore::graphs::forests {

class Grams {
 public:
  static constexpr std::int32_t none = 0;  // the n-gram without words

  // No more than `limit` are kept; the next throws std::overflow_error.
  explicit Grams(std::size_t limit) : limit_(limit), slots_(1024, -1) { add(-1, -1, 0); }

  std::size_t size() const { return lasts_.size(); }
  std::int32_t before(std::int32_t gram) const { return befores_[gram]; }  // without its last word
  std::int32_t last(std::int32_t gram) const { return lasts_[gram]; }
  std::size_t length(std::int32_t gram) const { return lengths_[gram]; }

  // An n-gram and a word more; its number is higher.
  std::int32_t extended(std::int32_t gram, std::int32_t word) {
    std::size_t slot = slot_of(gram, word);
    while (slots_[slot] >= 0) {
      const auto found = slots_[slot];
      if (befores_[found] == gram && lasts_[found] == word) return found;
      slot = (slot + 1) & (slots_.size() - 1);
    }
    slots_[slot] = static_cast<std::int32_t>(size());
    add(gram, word, lengths_[gram] + 1);
    if (2 * size() > slots_.size()) grow();
    return static_cast<std::int32_t>(size()) - 1;
  }

  std::vector<std::int32_t> words(std::int32_t gram) const {
    std::vector<std::int32_t> found(length(gram));
    for (std::size_t i = found.size(); i-- > 0; gram = before(gram)) found[i] = last(gram);
    return found;
  }

  std::int32_t joined(std::int32_t first, std::int32_t second) {
    if (second == none) return first;
    return extended(joined(first, before(second)), last(second));  // as deep as an n-gram is long
  }

 private:
  std::size_t slot_of(std::int32_t gram, std::int32_t word) const {
    std::uint64_t key =
        (static_cast<std::uint64_t>(static_cast<std::uint32_t>(gram)) << 32) | static_cast<std::uint32_t>(word);
    key *= 0x9e3779b97f4a7c15;
    return (key ^ (key >> 32)) & (slots_.size() - 1);
  }
  void add(std::int32_t before, std::int32_t last, std::uint32_t length) {
    if (size() > limit_)
      throw std::overflow_error("there are more than " + std::to_string(limit_) +
                                " n-grams; expected a smaller forest, "
                                "a lower order or a higher limit");
    befores_.push_back(before);
    lasts_.push_back(last);
    lengths_.push_back(length);
  }
  void grow() {
    slots_.assign(2 * slots_.size(), -1);
    for (std::size_t gram = 1; gram < size(); ++gram) {
      std::size_t slot = slot_of(befores_[gram], lasts_[gram]);
      while (slots_[slot] >= 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<std::int32_t>(gram);
    }
  }

  std::size_t limit_;
  std::vector<std::int32_t> befores_, lasts_;
  std::vector<std::uint32_t> lengths_;
  std::vector<std::int32_t> slots_;  // open addressing; a power of two
};

}  // namespace tricolore::graphs::forests
