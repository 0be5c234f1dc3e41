// Porter's stemmer for English (1980), with the changes that NLTK makes to it by default.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tricolore {

// Stem a word in place and return its new size, never more than the old one. The word is ASCII; only a-z make suffixes.
std::size_t porter_stem(char* word, std::size_t size);

// Stems words where they stand, as ROUGE does: those of more than three letters a-z, A-Z or digits. Words of up to 16
// letters are remembered, the last one of those that share a place.
class PorterStemmer {
 public:
  // Returns the new size of the word.
  template <class Unit>
  std::size_t operator()(Unit* word, std::size_t size) {
    if (size <= 3) return size;
    for (std::size_t i = 0; i < size; ++i)
      if (!is_alphanumeric(static_cast<std::uint32_t>(word[i]))) return size;
    if constexpr (sizeof(Unit) == 1) {
      return stem(reinterpret_cast<char*>(word), size);
    } else {
      letters_.assign(word, word + size);
      const std::size_t stemmed = stem(letters_.data(), size);
      for (std::size_t i = 0; i < stemmed; ++i) word[i] = static_cast<Unit>(letters_[i]);
      return stemmed;
    }
  }

 private:
  static constexpr std::size_t longest = 16, places = 4096;

  struct Known {
    std::uint64_t word[2] = {0, 0};  // as bytes, with zeros after them
    char stem[longest] = {};
    std::uint8_t size = 0;
  };

  static bool is_alphanumeric(std::uint32_t c) { return c - '0' < 10 || (c | 0x20) - 'a' < 26; }
  std::size_t stem(char* word, std::size_t size);

  std::vector<Known> known_;
  std::vector<char> letters_;
};

}  // namespace tricolore
