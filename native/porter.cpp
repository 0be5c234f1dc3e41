#include "porter.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "vocabulary.hpp"

namespace tricolore {

namespace {

bool is_vowel(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

// A word and its size, which the steps of the algorithm lower.
class Stem {
 public:
  Stem(char* letters, std::size_t size) : letters_(letters), size_(size) {}

  std::size_t size() const { return size_; }
  char last() const { return letters_[size_ - 1]; }
  bool ends_with(std::string_view suffix) const {
    return size_ >= suffix.size() && std::memcmp(letters_ + size_ - suffix.size(), suffix.data(), suffix.size()) == 0;
  }

  // Put other letters, at most as many, in the place of the last `removed`.
  void replace(std::size_t removed, std::string_view by) {
    std::copy(by.begin(), by.end(), letters_ + size_ - removed);
    size_ += by.size() - removed;
  }

  // y is a consonant unless it follows one.
  bool is_consonant(std::size_t i) const {
    bool negated = false;
    for (; i > 0 && letters_[i] == 'y'; --i) negated = !negated;
    return !is_vowel(letters_[i]) != negated;
  }

  // Porter's m of the first letters: how often a consonant follows a vowel.
  std::size_t measure(std::size_t size) const {
    std::size_t m = 0;
    bool after_vowel = false;
    for (std::size_t i = 0; i < size; ++i) {
      const bool vowel = letters_[i] == 'y' ? i > 0 && !after_vowel : is_vowel(letters_[i]);
      m += after_vowel && !vowel;
      after_vowel = vowel;
    }
    return m;
  }

  bool has_vowel(std::size_t size) const {
    for (std::size_t i = 0; i < size; ++i)
      if (is_vowel(letters_[i]) || (letters_[i] == 'y' && i > 0)) return true;  // yy has one, too
    return false;
  }

  bool ends_double_consonant() const {
    return size_ >= 2 && letters_[size_ - 1] == letters_[size_ - 2] && is_consonant(size_ - 1);
  }

  // Consonant, vowel, consonant other than w, x and y at the end of the first letters; or a vowel and a consonant.
  bool ends_short(std::size_t size) const {
    if (size == 2) return !is_consonant(0) && is_consonant(1);
    return size >= 3 && is_consonant(size - 3) && !is_consonant(size - 2) && is_consonant(size - 1) &&
           letters_[size - 1] != 'w' && letters_[size - 1] != 'x' && letters_[size - 1] != 'y';
  }

  bool is(std::string_view word) const { return size_ == word.size() && ends_with(word); }

 private:
  char* letters_;
  std::size_t size_;
};

struct Rule {
  std::string_view suffix, replacement;
};

// The first rule whose suffix the word has applies if what comes before it has a measure above `least`; no other does.
template <std::size_t number>
void apply(Stem& word, const Rule (&rules)[number], std::size_t least) {
  for (const Rule& rule : rules) {
    if (!word.ends_with(rule.suffix)) continue;
    if (word.measure(word.size() - rule.suffix.size()) > least) word.replace(rule.suffix.size(), rule.replacement);
    return;
  }
}

constexpr Rule irregular[] = {
    {"sky", "sky"},        {"skies", "sky"},       {"dying", "die"},        {"lying", "lie"},
    {"tying", "tie"},      {"news", "news"},       {"innings", "inning"},   {"inning", "inning"},
    {"outings", "outing"}, {"outing", "outing"},   {"cannings", "canning"}, {"canning", "canning"},
    {"howe", "howe"},      {"proceed", "proceed"}, {"exceed", "exceed"},    {"succeed", "succeed"},
};

// Whether the word has a stem of its own.
bool is_irregular(Stem& word) {
  for (const auto& [form, stem] : irregular) {
    if (!word.is(form)) continue;
    word.replace(form.size(), stem);
    return true;
  }
  return false;
}

void step_1a(Stem& word) {
  if (word.ends_with("ies")) {
    word.replace(3, word.size() == 4 ? "ie" : "i");
  } else if (word.ends_with("sses")) {
    word.replace(2, "");
  } else if (word.ends_with("s") && !word.ends_with("ss")) {
    word.replace(1, "");
  }
}

void step_1b(Stem& word) {
  if (word.ends_with("ied")) return word.replace(3, word.size() == 4 ? "ie" : "i");
  if (word.ends_with("eed")) {
    if (word.measure(word.size() - 3) > 0) word.replace(1, "");
    return;
  }
  const std::size_t suffix = word.ends_with("ed") ? 2 : word.ends_with("ing") ? 3 : 0;
  if (suffix == 0 || !word.has_vowel(word.size() - suffix)) return;
  word.replace(suffix, "");
  if (word.ends_with("at") || word.ends_with("bl") || word.ends_with("iz")) {
    word.replace(0, "e");
  } else if (word.ends_double_consonant()) {
    if (word.last() != 'l' && word.last() != 's' && word.last() != 'z') word.replace(1, "");
  } else if (word.measure(word.size()) == 1 && word.ends_short(word.size())) {
    word.replace(0, "e");
  }
}

void step_1c(Stem& word) {
  if (word.ends_with("y") && word.size() > 2 && word.is_consonant(word.size() - 2)) word.replace(1, "i");
}

constexpr Rule step_2_rules[] = {
    {"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
    {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
    {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
    {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
    {"fulli", "ful"},
};

void step_2(Stem& word) {
  while (word.ends_with("alli") && word.measure(word.size() - 4) > 0) word.replace(2, "");
  if (word.ends_with("logi")) {  // the l counts as part of what comes before
    if (word.measure(word.size() - 3) > 0) word.replace(1, "");
    return;
  }
  apply(word, step_2_rules, 0);
}

constexpr Rule step_3_rules[] = {
    {"icate", "ic"}, {"ative", ""}, {"alize", "al"}, {"iciti", "ic"}, {"ical", "ic"}, {"ful", ""}, {"ness", ""},
};

constexpr Rule step_4_rules[] = {
    {"al", ""},   {"ance", ""}, {"ence", ""},  {"er", ""},   {"ic", ""},  {"able", ""},
    {"ible", ""}, {"ant", ""},  {"ement", ""}, {"ment", ""}, {"ent", ""}, {"ou", ""},
    {"ism", ""},  {"ate", ""},  {"iti", ""},   {"ous", ""},  {"ive", ""}, {"ize", ""},
};

void step_4(Stem& word) {
  if (!word.ends_with("ion")) return apply(word, step_4_rules, 1);
  if (word.measure(word.size() - 3) > 1 && (word.ends_with("sion") || word.ends_with("tion"))) word.replace(3, "");
}

void step_5(Stem& word) {
  if (word.ends_with("e")) {
    const std::size_t m = word.measure(word.size() - 1);
    if (m > 1 || (m == 1 && !word.ends_short(word.size() - 1))) word.replace(1, "");
  }
  if (word.ends_with("ll") && word.measure(word.size() - 1) > 1) word.replace(1, "");
}

}  // namespace

std::size_t porter_stem(char* letters, std::size_t size) {
  Stem word(letters, size);
  if (is_irregular(word) || size <= 2) return word.size();
  step_1a(word);
  step_1b(word);
  step_1c(word);
  step_2(word);
  apply(word, step_3_rules, 0);
  step_4(word);
  step_5(word);
  return word.size();
}

std::size_t PorterStemmer::stem(char* word, std::size_t size) {
  if (size > longest) return porter_stem(word, size);
  if (known_.empty()) known_.resize(places);
  std::uint64_t key[2] = {0, 0};
  std::memcpy(key, word, size);
  Known& known = known_[mix(key[0] ^ (key[1] * 0xD6E8FEB86659FD93ull)) % places];
  if (known.word[0] != key[0] || known.word[1] != key[1]) {
    known.word[0] = key[0];
    known.word[1] = key[1];
    std::memcpy(known.stem, word, size);
    known.size = static_cast<std::uint8_t>(porter_stem(known.stem, size));
  }
  std::memcpy(word, known.stem, known.size);
  return known.size;
}

}  // namespace tricolore
