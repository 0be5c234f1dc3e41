#include "pairwise.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "interruption.hpp"
#include "processors.hpp"

namespace tricolore::counting {

namespace {

// A type goes to pairs of texts if these are fewer than one in so many; else it is a bit of every text.
constexpr std::size_t rare = 32;

// Types that are counted at a time, in words of bits and one by one.
constexpr std::size_t most_words = 8, most_types = 64 * most_words;

// counts[k] += bits that `row` has in common with rows[k], in the first words of each.
TRICOLORE_FOR_EACH_PROCESSOR
void add_common_bits(const std::uint64_t* row, const std::uint64_t* rows, std::size_t size, std::size_t words,
                     std::uint32_t* counts) {
  for (std::size_t k = 0; k < size; ++k, rows += most_words) {
    int common = 0;
    for (std::size_t w = 0; w < words; ++w) common += std::popcount(row[w] & rows[w]);
    counts[k] += static_cast<std::uint32_t>(common);
  }
}

// Turn a square of bits: bit k of row i becomes bit i of row k (Warren, Hacker's Delight, section 7-3).
TRICOLORE_FOR_EACH_PROCESSOR
void transpose(std::uint64_t* rows) {
  std::uint64_t mask = 0x00000000FFFFFFFF;
  for (std::size_t step = 32; step > 0; step /= 2, mask ^= mask << step) {
    for (std::size_t block = 0; block < 64; block += 2 * step) {
      for (std::size_t i = block; i < block + step; ++i) {
        const std::uint64_t swapped = (rows[i] >> step ^ rows[i + step]) & mask;
        rows[i] ^= swapped << step;
        rows[i + step] ^= swapped;
      }
    }
  }
}

double ngrams_of(std::size_t length, std::size_t order) {
  return length < order ? 0.0 : static_cast<double>(length - order + 1);
}

}  // namespace

void SharedNgrams::count(const Words& texts, const TextGroup& group, int orders, double* matches) {
  begin(texts, group);
  const std::size_t references = group.references(), table = group.hypotheses * references;
  pairs_ = group.same ? references * (references - 1) / 2 : table;
  counts_.assign(table, 0);
  for_groups<false>(
      texts, static_cast<std::size_t>(orders),
      [&](std::size_t order) {
        count_bits();
        write(texts, order, matches + (order - 1) * table);
        std::fill(counts_.begin(), counts_.end(), 0);
      },
      [&](std::size_t, Neighbours places) { add_types(places); });
}

void SharedNgrams::count_expected(const Words& texts, const TextGroup& group, std::span<const double> weights,
                                  int orders, double* matches) {
  begin(texts, group);
  const std::size_t size = group.hypotheses, first = group.same ? 0 : size;
  std::fill(matches, matches + static_cast<std::size_t>(orders) * size, 0.0);
  for_groups<true>(
      texts, static_cast<std::size_t>(orders), [](std::size_t) {},
      [&](std::size_t order, Neighbours places) {
        double expected = 0.0;
        for (const Neighbour place : places)
          if (text_of(place) >= first) expected += weights[text_of(place) - first];
        ++stamp_;
        for (const Neighbour place : places) {
          const std::uint32_t text = text_of(place);
          if (text < size) matches[(order - 1) * size + text] += std::clamp(expected - times_before(text), 0.0, 1.0);
        }
      });
}

void SharedNgrams::begin(const Words& texts, const TextGroup& group) {
  group_ = group;
  size_ = texts.reference_ends.size();
  if (size_ >= 1u << 24) throw std::length_error("more than sixteen million texts cannot be compared at a time");
  seen_.assign(size_, Seen{});
  stamp_ = 0;
  row_ = (size_ + 63) / 64;
  marks_.assign(most_types * row_, 0);
  marked_ = 0;
  bits_.resize(64 * row_ * most_words);
}

// Call on_group(order, places) for the places of every n-gram that stands in several, or in any (`alone`); then
// on_order(order); order after order.
template <bool alone, class OnOrder, class OnGroup>
void SharedNgrams::for_groups(const Words& texts, std::size_t orders, OnOrder&& on_order, OnGroup&& on_group) {
  std::size_t order = 1;
  if (orders == 0) return;
  for (first_keys(texts, orders); order <= orders && !keys_.empty(); next_keys(texts, orders)) {
    sort_keys();
    compare_neighbours(texts);
    for (std::size_t words = 1; words <= in_round_; ++words, ++order) {
      check_interrupt(4 * neighbours_.size());
      const auto with_order = [&](Neighbours places) { on_group(order, places); };
      if constexpr (alone) {
        for_any(words, with_order);
      } else {
        for_several(words, with_order);
      }
      on_order(order);
    }
    done_ += in_round_;
  }
  for (; order <= orders; ++order) on_order(order);
}

template <class OnGroup>
void SharedNgrams::for_several(std::size_t words, OnGroup&& on_group) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i + 1 < neighbours_.size(); ++i) {  // without a branch
    const Neighbour place = neighbours_[i];
    neighbours_[kept] = place;
    kept += int{common_of(place) >= words} | int{common_of(neighbours_[i + 1]) >= words};
  }
  neighbours_[kept] = 0;  // has nothing in common with the last
  neighbours_.resize(kept + 1);
  for (std::size_t begin = 0, end = 0; begin < kept; begin = end) {
    do ++end;
    while (common_of(neighbours_[end]) >= words);
    on_group(Neighbours(neighbours_).subspan(begin, end - begin));
  }
}

template <class OnGroup>
void SharedNgrams::for_any(std::size_t words, OnGroup&& on_group) const {
  for (std::size_t begin = 0, end = 0; begin + 1 < neighbours_.size(); begin = end) {
    do ++end;
    while (common_of(neighbours_[end]) >= words);
    if (lefts_[begin] >= words) on_group(Neighbours(neighbours_).subspan(begin, end - begin));
  }
}

// All places, with as many words as fit into their keys. The number of a word is one more than elsewhere; 0 stands
// where the text has ended.
void SharedNgrams::first_keys(const Words& texts, std::size_t orders) {
  const std::size_t size = texts.references.size();
  done_ = 0;
  starts_ = 1;
  place_bits_ = std::max(1, static_cast<int>(std::bit_width(size)));
  word_bits_ = std::max(1, static_cast<int>(std::bit_width(std::uint64_t{texts.types})));
  fit_round(orders);
  const int top = static_cast<int>(in_round_ - 1) * word_bits_;
  keys_.resize(size);
  text_at_.resize(size);
  std::size_t begin = 0;
  for (std::uint32_t text = 0; text < size_; ++text) {
    const std::size_t end = texts.reference_ends[text];
    std::uint64_t words = 0;
    for (std::size_t at = end; at-- > begin;) {
      words = (std::uint64_t{texts.references[at]} + 1) << top | words >> word_bits_;
      keys_[at] = words << place_bits_ | at;
      text_at_[at] = text;
    }
    begin = end;
  }
}

// Those places that go on after the words of the last round, which become one number.
void SharedNgrams::next_keys(const Words& texts, std::size_t orders) {
  if (done_ >= orders) return;
  std::size_t kept = 0;
  std::uint64_t before = 0;
  starts_ = 0;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const std::uint64_t words = keys_[i] >> place_bits_;
    const std::size_t at = place_of(keys_[i]);
    if (i == 0 || words != before) ++starts_;
    before = words;
    keys_[kept] = (starts_ - 1) << place_bits_ | at;
    kept += at + done_ < texts.reference_ends[text_at_[at]];
  }
  keys_.resize(kept);
  fit_round(orders);
  for (std::uint64_t& key : keys_) {
    const std::size_t at = place_of(key), end = texts.reference_ends[text_at_[at]];
    std::uint64_t words = key >> place_bits_;
    for (std::size_t i = at + done_; i < at + done_ + in_round_; ++i)
      words = words << word_bits_ | (i < end ? std::uint64_t{texts.references[i]} + 1 : 0);
    key = words << place_bits_ | at;
  }
}

void SharedNgrams::fit_round(std::size_t orders) {
  const int start_bits = static_cast<int>(std::bit_width(starts_ - 1)), room = 64 - place_bits_ - start_bits;
  if (room < word_bits_) throw std::length_error("texts with millions of different words cannot be compared at a time");
  in_round_ = std::min(orders - done_, static_cast<std::size_t>(room / word_bits_));
  key_bits_ = start_bits + static_cast<int>(in_round_) * word_bits_;
}

// Digit by digit, the last first; the numbers of the places are in order already. A few keys without that.
void SharedNgrams::sort_keys() {
  if (keys_.size() < 256) {
    std::sort(keys_.begin(), keys_.end());
    return;
  }
  const int most = std::clamp(static_cast<int>(std::bit_width(keys_.size())) - 2, 8, 12);
  const int passes = (key_bits_ + most - 1) / most, digit = (key_bits_ + passes - 1) / passes;
  const std::size_t values = std::size_t{1} << digit;
  digits_.assign(static_cast<std::size_t>(passes) * values, 0);  // how many keys have each, then where they go
  for (const std::uint64_t key : keys_) {
    std::uint64_t rest = key >> place_bits_;
    for (std::uint32_t* counts = digits_.data(); counts < digits_.data() + digits_.size(); counts += values) {
      ++counts[rest & (values - 1)];
      rest >>= digit;
    }
  }
  sorted_.resize(keys_.size());
  for (int pass = 0; pass < passes; ++pass) {
    check_interrupt(4 * keys_.size());
    std::uint32_t* places = digits_.data() + static_cast<std::size_t>(pass) * values;
    std::exclusive_scan(places, places + values, places, std::uint32_t{0});
    const int shift = place_bits_ + pass * digit;
    for (const std::uint64_t key : keys_) sorted_[places[key >> shift & (values - 1)]++] = key;
    keys_.swap(sorted_);
  }
}

// How many words of their keys places have in common with those before them, and how many there are at all.
void SharedNgrams::compare_neighbours(const Words& texts) {
  std::array<std::uint8_t, 65> common{};  // by how many bits are left from the first difference on
  for (std::size_t bits = 0; bits <= in_round_ * static_cast<std::size_t>(word_bits_); ++bits)
    common[bits] = static_cast<std::uint8_t>(in_round_ - (bits + static_cast<std::size_t>(word_bits_) - 1) /
                                                             static_cast<std::size_t>(word_bits_));
  neighbours_.resize(keys_.size() + 1);
  lefts_.resize(keys_.size());
  std::uint64_t before = ~keys_[0] >> place_bits_;
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    const std::size_t at = place_of(keys_[i]);
    const std::uint32_t text = text_at_[at];
    const std::uint64_t words = keys_[i] >> place_bits_;
    lefts_[i] = static_cast<std::uint8_t>(std::min(in_round_, texts.reference_ends[text] - at - done_));
    const std::size_t bits = std::min(64, static_cast<int>(std::bit_width(before ^ words)));
    neighbours_[i] = text << 8 | std::min(lefts_[i], common[bits]);
    before = words;
  }
  neighbours_[0] &= ~std::uint32_t{0xFF};
  neighbours_[keys_.size()] = 0;
}

// How often a text has been asked for under this stamp.
std::uint32_t SharedNgrams::times_before(std::uint32_t text) {
  Seen& seen = seen_[text];
  if (seen.stamp != stamp_) seen = {stamp_, 0};
  return seen.times++;
}

// Count an n-gram that stands in these places, two or more.
void SharedNgrams::add_types(Neighbours places) {
  if (places.size() == 2) {
    if (text_of(places[0]) != text_of(places[1])) add_pair(text_of(places[0]), text_of(places[1]));
  } else if (!mark(places)) {
    add_repeated(places);
  }
}

// Count an n-gram that no text has more than once; false, and nothing is done, if one has.
bool SharedNgrams::mark(Neighbours places) {
  std::uint64_t* row = marks_.data() + marked_ * row_;
  if (row_ == 1) {
    std::uint64_t marks = 0;  // in a register, or else every bit would wait for that before
    for (const Neighbour place : places) marks |= std::uint64_t{1} << (place >> 8);
    *row = marks;
  } else {
    for (const Neighbour place : places) row[text_of(place) / 64] |= bit_of(text_of(place));
  }
  const Sides sides = sides_of(row);
  const bool repeated = sides.hypotheses + sides.references < places.size();
  if (!repeated && is_frequent(sides)) {
    if (++marked_ == most_types) count_bits();
    return true;
  }
  for (const Neighbour place : places) row[text_of(place) / 64] = 0;
  if (!repeated) add_pairs(places);
  return !repeated;
}

// Count an n-gram that texts have more than once: what they have once, what they have twice, and so on. Each of these
// has a row; texts have all rows but the last ones.
void SharedNgrams::add_repeated(Neighbours places) {
  if (most_types - marked_ < 64) count_bits();
  std::uint64_t* rows = marks_.data() + marked_ * row_;
  std::size_t types = 0;
  const std::size_t room = most_types - marked_;
  ++stamp_;
  for (const Neighbour place : places) {
    const std::uint32_t text = text_of(place);
    const std::size_t times = times_before(text);
    types = std::max(types, times + 1);
    if (times < room) {
      rows[times * row_ + text / 64] |= bit_of(text);
    } else {
      if (beyond_.size() <= times - room) beyond_.emplace_back();
      beyond_[times - room].push_back(place);
    }
  }
  std::size_t frequent = 0;
  for (; frequent < std::min(types, room) && is_frequent(sides_of(rows + frequent * row_)); ++frequent) continue;
  for (std::size_t i = frequent; i < std::min(types, room); ++i) {
    const std::span row(rows + i * row_, row_);
    texts_with_.clear();
    for (std::size_t w = 0; w < row_; ++w)
      for (; row[w] != 0; row[w] &= row[w] - 1)
        texts_with_.push_back(static_cast<Neighbour>(64 * w + static_cast<std::size_t>(std::countr_zero(row[w]))) << 8);
    add_pairs(texts_with_);
  }
  marked_ += frequent;
  if (marked_ == most_types) count_bits();
  for (std::size_t i = room; i < types; ++i) {
    if (beyond_[i - room].size() > 1) mark(beyond_[i - room]);
    beyond_[i - room].clear();
  }
}

// How many texts of each side have a type.
SharedNgrams::Sides SharedNgrams::sides_of(const std::uint64_t* row) const {
  Sides sides{0, 0};
  for (std::size_t w = 0; w < row_; ++w) {
    const std::size_t hypotheses_before =
        std::min(group_.hypotheses, 64 * (w + 1)) - std::min(group_.hypotheses, 64 * w);
    const std::uint64_t of_hypotheses =
        hypotheses_before == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << hypotheses_before) - 1;
    sides.hypotheses += static_cast<std::size_t>(std::popcount(row[w] & of_hypotheses));
    sides.references += static_cast<std::size_t>(std::popcount(row[w] & ~of_hypotheses));
  }
  return sides;
}

// Whether a type is to be a bit of each text that has it.
bool SharedNgrams::is_frequent(const Sides& sides) const {
  const std::size_t pairs =
      group_.same ? sides.hypotheses * (sides.hypotheses - 1) / 2 : sides.hypotheses * sides.references;
  return pairs * rare > pairs_;
}

void SharedNgrams::add_pairs(Neighbours places) {
  for (std::size_t i = 0; i < places.size(); ++i)
    for (std::size_t k = i + 1; k < places.size(); ++k) add_pair(text_of(places[i]), text_of(places[k]));
}

void SharedNgrams::add_pair(std::uint32_t one, std::uint32_t other) {
  if (group_.same) {
    ++counts_[one * size_ + other];
    return;
  }
  if (one > other) std::swap(one, other);
  if (one < group_.hypotheses && other >= group_.hypotheses)
    ++counts_[one * group_.references() + other - group_.hypotheses];
}

void SharedNgrams::count_bits() {
  const std::size_t words = (marked_ + 63) / 64, references = group_.references();
  std::array<std::uint64_t, 64> square;
  for (std::size_t w = 0; w < words; ++w) {
    for (std::size_t block = 0; block < row_; ++block) {
      for (std::size_t i = 0; i < 64; ++i) square[i] = marks_[(64 * w + i) * row_ + block];
      transpose(square.data());
      for (std::size_t i = 0; i < 64; ++i) bits_[(64 * block + i) * most_words + w] = square[i];
    }
  }
  for (std::size_t i = 0; words > 0 && i < group_.hypotheses; ++i) {
    const std::size_t first = group_.same ? i + 1 : group_.hypotheses, skipped = group_.same ? i + 1 : 0;
    add_common_bits(bits_.data() + i * most_words, bits_.data() + first * most_words, size_ - first, words,
                    counts_.data() + i * references + skipped);
  }
  std::fill(marks_.begin(), marks_.begin() + static_cast<std::ptrdiff_t>(marked_ * row_), 0);
  marked_ = 0;
  check_interrupt(pairs_);
}

void SharedNgrams::write(const Words& texts, std::size_t order, double* matches) const {
  if (!group_.same) {
    std::copy(counts_.begin(), counts_.end(), matches);
    return;
  }
  for (std::size_t i = 0; i < size_; ++i) {
    matches[i * size_ + i] = ngrams_of(texts.reference(i).size(), order);
    for (std::size_t k = i + 1; k < size_; ++k)
      matches[i * size_ + k] = matches[k * size_ + i] = counts_[i * size_ + k] + counts_[k * size_ + i];
  }
}

void PairwiseWorkspace::count(const Reading& how, int orders, const TextGroup& group, std::span<const double> weights,
                              GroupMatches& words) {
  reader_.read(how, group.segment(), read_);
  count(read_, orders, group, weights, words);
}

// A skip-bigram is a word of its own, so that texts share skip-bigrams as they share words. Where there are too many,
// the pairs of texts are compared one after the other.
void PairwiseWorkspace::count(const Reading& how, const Overlap& what, const TextGroup& group, GroupMatches& out) {
  reader_.read(how, group.segment(), read_);
  const std::size_t first = group.same ? 0 : group.hypotheses, references = group.references();
  if (list_skip_bigrams(what)) {
    count(skip_bigrams_, 1, group, {}, out);
    return;
  }
  out.matches.resize(group.hypotheses * references);
  for (std::size_t i = 0; i < group.hypotheses; ++i)
    for (std::size_t k = 0; k < references; ++k)
      out.matches[i * references + k] =
          skipping_.shared(what, read_.reference(i), read_.reference(first + k), read_.types);
  for (std::size_t i = 0; i < group.texts.size(); ++i) {
    const double length = SkipBigrams::of(what, read_.reference(i).size());
    if (i < group.hypotheses) out.hypothesis_lengths.push_back(length);
    if (i >= first) out.reference_lengths.push_back(length);
  }
}

// The skip-bigrams of all texts, numbered by their two words, unless there are too many for that.
bool PairwiseWorkspace::list_skip_bigrams(const Overlap& what) {
  constexpr double most = 1 << 24;
  constexpr std::uint32_t most_types = 1 << 15;  // so that the number of a pair fits
  double all = 0.0;
  for (std::size_t i = 0; i < read_.reference_ends.size(); ++i) all += SkipBigrams::of(what, read_.reference(i).size());
  if (all > most || read_.types > most_types) return false;
  Words& listed = skip_bigrams_;
  listed.clear();
  const std::uint32_t types = read_.types;
  listed.types = listed.all_types = types * (types + 1);
  const std::size_t reach = SkipBigrams::reach(what);
  for (std::size_t k = 0; k < read_.reference_ends.size(); ++k) {
    const auto text = read_.reference(k);
    for (std::size_t i = 0; i < text.size(); ++i) {
      const std::size_t end = reach < text.size() - i ? i + reach + 1 : text.size();
      check_interrupt(end - i);
      for (std::size_t j = i + 1; j < end; ++j) listed.references.push_back(text[i] * types + text[j]);
      if (what.unigrams) listed.references.push_back(types * types + text[i]);
    }
    listed.reference_ends.push_back(listed.references.size());
  }
  return true;
}

void PairwiseWorkspace::count(const ChrfCounting& what, const TextGroup& group, std::span<const double> weights,
                              std::span<GroupMatches> out) {
  chrf_reader_.read(what, group.segment());
  count(chrf_reader_.characters(), what.character_orders, group, weights, out[0]);
  if (what.word_orders > 0) count(chrf_reader_.words(), what.word_orders, group, weights, out[1]);
}

void PairwiseWorkspace::count(const Words& texts, int orders, const TextGroup& group, std::span<const double> weights,
                              GroupMatches& out) {
  const auto size = static_cast<std::size_t>(orders) * group.hypotheses;
  out.matches.resize(weights.empty() ? size * group.references() : size);
  if (weights.empty()) {
    shared_.count(texts, group, orders, out.matches.data());
  } else {
    shared_.count_expected(texts, group, weights, orders, out.matches.data());
  }
  const std::size_t first = group.same ? 0 : group.hypotheses;
  for (std::size_t i = 0; i < group.hypotheses; ++i)
    out.hypothesis_lengths.push_back(static_cast<double>(texts.reference(i).size()));
  for (std::size_t i = first; i < group.texts.size(); ++i)
    out.reference_lengths.push_back(static_cast<double>(texts.reference(i).size()));
}

}  // namespace tricolore::counting
