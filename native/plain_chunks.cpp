#include "plain_chunks.hpp"

#include <algorithm>
#include <bit>

#include "processors.hpp"

namespace tricolore::counting {

namespace {

// The lowest `size` bits.
std::uint64_t first_bits(std::size_t size) { return size >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << size) - 1; }

}  // namespace

std::optional<PlainChunks::Found> PlainChunks::find(std::span<const std::uint32_t> hypothesis,
                                                    std::span<const std::uint32_t> reference, std::uint32_t types) {
  if (hypothesis.size() > longest || reference.size() > longest) return std::nullopt;
  hypothesis_ = hypothesis;
  reference_ = reference;
  if (types_.size() < types) types_.resize(types);
  note_types();
  const auto found = find_with_types();
  for (const std::uint32_t word : hypothesis) types_[word] = {};
  for (const std::uint32_t word : reference) types_[word] = {};
  return found;
}

// Texts of a long list have far more types in common than any two of them.
void PlainChunks::note_types() {
  for (std::size_t j = 0; j < reference_.size(); ++j) types_[reference_[j]].places |= std::uint64_t{1} << j;
  shared_types_.clear();
  for (const std::uint32_t word : hypothesis_)
    if (types_[word].words++ == 0 && types_[word].places != 0) shared_types_.push_back(word);
}

TRICOLORE_FOR_EACH_PROCESSOR
std::optional<PlainChunks::Found> PlainChunks::find_with_types() {
  std::int32_t matches = 0;
  for (const std::uint32_t word : shared_types_)
    matches += std::min<std::int32_t>(types_[word].words, std::popcount(types_[word].places));
  const std::int32_t fewest = fewest_possible(matches);
  free_hypothesis_ = first_bits(hypothesis_.size());
  free_reference_ = first_bits(reference_.size());
  partner_.fill(longest);
  find_runs();
  take_runs();
  take_single_words();
  if (chunks() != fewest) return std::nullopt;
  return Found{matches, fewest};
}

inline std::int32_t PlainChunks::fewest_possible(std::int32_t matches) {
  std::array<std::uint8_t, longest> taken{};  // of each bigram of the reference, by where it stands first
  for (std::size_t i = 1; i < hypothesis_.size(); ++i) {
    Type& type = types_[hypothesis_[i]];
    const std::uint64_t places = (types_[hypothesis_[i - 1]].places << 1) & type.places;
    if (places == 0) continue;
    std::uint8_t& of_bigram = taken[static_cast<std::size_t>(std::countr_zero(places))];
    if (of_bigram >= std::popcount(places)) continue;
    ++of_bigram;
    ++type.shared_bigrams;
  }
  std::int32_t fewest = 0;
  for (const std::uint32_t word : shared_types_) {
    const Type& type = types_[word];
    const std::int32_t of_type = std::min<std::int32_t>(type.words, std::popcount(type.places));
    fewest += std::max(0, of_type - type.shared_bigrams);
  }
  return matches == 0 ? 0 : std::max(fewest, 1);
}

// The runs of two or more equal words that are no part of a longer one.
void PlainChunks::find_runs() {
  runs_.clear();
  for (std::size_t i = 0; i + 1 < hypothesis_.size(); ++i) {
    std::uint64_t begins = types_[hypothesis_[i]].places;
    if (i > 0) begins &= ~(types_[hypothesis_[i - 1]].places << 1);
    begins &= types_[hypothesis_[i + 1]].places >> 1;
    for (; begins != 0; begins &= begins - 1) {
      const auto j = static_cast<std::size_t>(std::countr_zero(begins));
      std::size_t size = 2;
      while (i + size < hypothesis_.size() && j + size < reference_.size() &&
             hypothesis_[i + size] == reference_[j + size])
        ++size;
      runs_.push_back({static_cast<std::uint8_t>(size), static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(j)});
    }
  }
}

// The longest first; what is left of a run that has lost words to another waits for its turn.
void PlainChunks::take_runs() {
  while (!runs_.empty()) {
    std::size_t longest_run = 0;
    for (std::size_t r = 1; r < runs_.size(); ++r)
      if (runs_[r].size > runs_[longest_run].size) longest_run = r;
    const Run run = runs_[longest_run];
    runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(longest_run));
    const std::uint64_t open = (free_hypothesis_ >> run.at) & (free_reference_ >> run.place) & first_bits(run.size);
    if (open == first_bits(run.size)) {
      free_hypothesis_ &= ~(open << run.at);
      free_reference_ &= ~(open << run.place);
      for (std::uint8_t k = 0; k < run.size; ++k) partner_[run.at + k] = static_cast<std::uint8_t>(run.place + k);
      continue;
    }
    for (std::uint64_t rest = open; rest != 0;) {
      const auto begin = static_cast<std::uint8_t>(std::countr_zero(rest));
      const auto size = static_cast<std::uint8_t>(std::countr_one(rest >> begin));
      if (size > 1)
        runs_.push_back(
            {size, static_cast<std::uint8_t>(run.at + begin), static_cast<std::uint8_t>(run.place + begin)});
      rest &= ~(first_bits(size) << begin);
    }
  }
}

void PlainChunks::take_single_words() {
  for (std::uint64_t left = free_hypothesis_; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    const std::uint64_t places = types_[hypothesis_[i]].places & free_reference_;
    if (places == 0) continue;
    partner_[i] = static_cast<std::uint8_t>(std::countr_zero(places));
    free_reference_ &= ~(places & (~places + 1));
  }
}

std::int32_t PlainChunks::chunks() const {
  std::int32_t found = 0;
  for (std::size_t i = 0; i < hypothesis_.size(); ++i)
    found += partner_[i] != longest && (i == 0 || partner_[i - 1] == longest || partner_[i - 1] + 1 != partner_[i]);
  return found;
}

}  // namespace tricolore::counting
