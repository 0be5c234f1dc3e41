#include "fuzzy.hpp"

#include <algorithm>
#include <bit>

#include "interruption.hpp"
#include "processors.hpp"

namespace tricolore::counting {

namespace {

// Positions of the hypothesis compared at the same time: their bits go side by side through the same registers.
constexpr std::size_t lanes = 4;

std::uint64_t low_bits(std::size_t number) {
  return number >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << number) - 1;
}

}  // namespace

// Few of many: every m-th. Most of them: all but every m-th.
Sampling::Sampling(std::size_t words, std::size_t most) {
  if (most >= words) return;
  if (2 * most < words) {
    every_ = words / most;
  } else {
    every_ = words / (words - most);
    first_ = every_ - 1;
  }
}

void FuzzyText::clear() {
  characters.clear();
  words.clear();
  begins.clear();
  ends.clear();
  length = 0;
}

bool FuzzyWorkspace::Grams::begins_here(std::size_t i, std::size_t order) const {
  const std::uint32_t gram = number(i, order);
  return gram != absent && first_at[gram] == i;
}

void FuzzyWorkspace::count(const FuzzyCounting& what, const SegmentView& segment, double* rows) {
  reader_.read(segment, hypothesis_, references_);
  for (std::size_t k = 0; k < segment.references.size(); ++k) compare(what, references_[k], rows + k * what.columns());
}

void FuzzyReader::read(const SegmentView& segment, FuzzyText& hypothesis, std::vector<FuzzyText>& references) {
  arenas_.with(segment, [&](auto& room) {
    std::size_t characters = segment.hypothesis.size;
    for (const auto& text : segment.references) characters += text.size;
    room.vocabulary.reset(characters / 8);
    characters_.reset();
    characters_.intern(' ');
    read_text(segment.hypothesis, room, hypothesis);
    if (references.size() < segment.references.size()) references.resize(segment.references.size());
    for (std::size_t k = 0; k < segment.references.size(); ++k) read_text(segment.references[k], room, references[k]);
  });
}

template <class Unit>
void FuzzyReader::read_text(const TextView& view, SegmentArena<Unit>& room, FuzzyText& text) {
  text.clear();
  const std::size_t start = room.arena.append(view);
  Unit* units = room.arena.data() + start;
  std::size_t first = 0, last = 0;
  for (const auto [begin, length] : cutter_.cut(view.ids ? Tokenizer::ids : Tokenizer::none, units, view.size)) {
    if (text.words.empty()) {
      first = begin;
    } else if (!view.ids) {  // numbers stand side by side: what is not there cannot match
      text.characters.push_back(characters_.intern(' '));
    }
    last = begin + length;
    text.begins.push_back(static_cast<std::uint32_t>(text.characters.size()));
    for (std::size_t i = begin; i < last; ++i) text.characters.push_back(characters_.intern(units[i]));
    text.ends.push_back(static_cast<std::uint32_t>(text.characters.size()));
    text.words.push_back(room.vocabulary.intern(room.arena.data(), static_cast<std::uint32_t>(start) + begin, length));
  }
  text.length = view.ids ? text.characters.size() : last - first;
}

void FuzzyWorkspace::compare(const FuzzyCounting& what, const Text& reference, double* row) {
  const auto order = static_cast<std::size_t>(what.order);
  const std::size_t words = hypothesis_.words.size(), reference_words = reference.words.size();
  const Sampling sampling(words, what.limit ? what.limit / order : words);
  const Sampling reference_sampling(reference_words,
                                    what.limit && what.sample_reference ? what.limit / (2 * order) : reference_words);
  threshold_ = what.threshold;
  pairs_.reset((2 * reference_words + words) * order);
  number(reference, reference_sampling, 2 * order, reference_grams_);
  number(hypothesis_, sampling, order, hypothesis_grams_);

  double *hits = row, *totals = row + order;
  std::fill(row, row + 2 * order, 0.0);
  list_targets(reference);
  list_sought(order, hits, totals);
  // Short ones in groups, long ones alone.
  const auto middle = std::partition(sought_places_.begin(), sought_places_.end(),
                                     [](const Place& place) { return place.length <= 64; });
  for (auto place = middle; place != sought_places_.end(); ++place) {
    check_interrupt(64 * target_places_.size());
    seek_long(*place, reference);
  }
  sought_places_.erase(middle, sought_places_.end());
  for (std::size_t group = 0; group < sought_places_.size(); group += lanes) {
    check_interrupt(64 * target_places_.size());
    seek_short(group, reference);
  }
  for (const Sought& sought : sought_) hits[sought.order - 1] += best_hits(sought);
  row[2 * order] = static_cast<double>(hypothesis_.length);
  row[2 * order + 1] = static_cast<double>(reference.length);
}

// Number the n-grams that begin at sampled positions. Those of the reference come first, so that a number tells whether
// it has an n-gram of the hypothesis.
void FuzzyWorkspace::number(const Text& text, const Sampling& sampling, std::size_t orders, Grams& grams) {
  const std::size_t words = text.words.size();
  grams.orders = orders;
  grams.numbers.assign(words * orders, absent);
  grams.counts.assign(pairs_.size(), 0);
  grams.first_at.assign(pairs_.size(), absent);
  for (std::size_t i = 0; i < words; ++i) {
    if (!sampling.keeps(i)) continue;
    std::uint32_t gram = absent;
    for (std::size_t k = 1; k <= orders && i + k <= words; ++k) {
      gram = pairs_.intern(gram, text.words[i + k - 1]);
      if (gram >= grams.counts.size()) {
        grams.counts.resize(gram + 1, 0);
        grams.first_at.resize(gram + 1, absent);
      }
      grams.numbers[i * orders + k - 1] = gram;
      if (grams.counts[gram]++ == 0) grams.first_at[gram] = static_cast<std::uint32_t>(i);
    }
  }
}

void FuzzyWorkspace::list_targets(const Text& reference) {
  targets_.clear();
  target_places_.clear();
  const Grams& grams = reference_grams_;
  for (std::size_t i = 0; i < reference.words.size(); ++i) {
    const std::size_t first = targets_.size();
    for (std::size_t k = 1; k <= grams.orders && i + k <= reference.words.size(); ++k)
      if (grams.begins_here(i, k)) targets_.push_back({reference.size_of(i, k), grams.counts[grams.number(i, k)]});
    if (targets_.size() > first)
      target_places_.push_back({reference.begins[i], targets_.back().length, first, targets_.size()});
  }
}

// What the reference has as it is, and often enough, needs no comparing: nothing is more similar.
void FuzzyWorkspace::list_sought(std::size_t order, double* hits, double* totals) {
  sought_.clear();
  sought_places_.clear();
  lists_used_ = 0;
  const Grams& grams = hypothesis_grams_;
  for (std::size_t i = 0; i < hypothesis_.words.size(); ++i) {
    const std::size_t first = sought_.size();
    for (std::size_t k = 1; k <= order && i + k <= hypothesis_.words.size(); ++k) {
      if (!grams.begins_here(i, k)) continue;
      const std::uint32_t gram = grams.number(i, k), count = grams.counts[gram];
      totals[k - 1] += count;
      if (gram < reference_grams_.counts.size() && reference_grams_.counts[gram] >= count) {
        hits[k - 1] += count;
        continue;
      }
      Sought sought{static_cast<std::uint32_t>(k), hypothesis_.size_of(i, k), count};
      if (count > 1) {
        sought.list = static_cast<std::uint32_t>(lists_used_++);
        if (lists_.size() < lists_used_) lists_.resize(lists_used_);
        lists_[sought.list].clear();
      }
      sought_.push_back(sought);
    }
    if (sought_.size() > first)
      sought_places_.push_back({hypothesis_.begins[i], sought_.back().length, first, sought_.size()});
  }
}

double FuzzyWorkspace::similarity(double distance, double length) const {
  const double similarity = 1.0 - distance / length;
  return similarity < threshold_ ? 0.0 : similarity;
}

// The similarities of the best matches, as many as the n-gram has occurrences; each n-gram of the reference can be used
// as often as it occurs there.
double FuzzyWorkspace::best_hits(const Sought& sought) {
  if (sought.list == absent) return similarity(sought.best_distance, sought.best_length);
  auto& list = lists_[sought.list];
  std::sort(list.begin(), list.end(), [](const Similar& a, const Similar& b) { return a.similarity > b.similarity; });
  double hits = 0.0;
  std::uint32_t left = sought.count;
  for (const Similar& one : list) {
    const std::uint32_t used = std::min(left, one.count);
    hits += used * one.similarity;
    left -= used;
    if (left == 0) break;
  }
  return hits;
}

inline void FuzzyWorkspace::consider(Sought& sought, std::int64_t distance, const Target& target) {
  const auto d = static_cast<std::uint32_t>(distance);
  const std::uint32_t length = std::max(sought.length, target.length);
  if (sought.list == absent) {  // ratios compared without dividing
    if (std::uint64_t{d} * sought.best_length < std::uint64_t{sought.best_distance} * length) {
      sought.best_distance = d;
      sought.best_length = length;
    }
  } else {
    const double similar = similarity(d, length);
    if (similar > 0.0) lists_[sought.list].push_back({similar, target.count});
  }
}

// Bit-parallel Levenshtein (see BitParallel) of up to four positions of the hypothesis at once against every position
// of the reference. One pass over the longest n-gram that begins there passes the ends of all shorter ones, and the
// bits of the longest n-gram of the hypothesis hold those of all shorter ones: every distance is a difference of
// popcounts.
TRICOLORE_FOR_EACH_PROCESSOR
void FuzzyWorkspace::seek_short(std::size_t group, const Text& reference) {
  const std::size_t size = std::min(lanes, sought_places_.size() - group);
  masks_.assign(reader_.characters() * lanes, 0);
  for (std::size_t lane = 0; lane < size; ++lane) {
    const Place& place = sought_places_[group + lane];
    for (std::size_t p = 0; p < place.length; ++p)
      masks_[hypothesis_.characters[place.begin + p] * lanes + lane] |= std::uint64_t{1} << p;
  }
  const std::uint64_t* masks = masks_.data();
  for (const Place& goal : target_places_) {
    const std::uint32_t* text = reference.characters.data() + goal.begin;
    std::uint64_t up[lanes], down[lanes];
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      up[lane] = ~std::uint64_t{0};
      down[lane] = 0;
    }
    std::uint32_t at = 0;
    for (std::size_t t = goal.first; t < goal.last; ++t) {
      const Target& target = targets_[t];
      for (; at < target.length; ++at) {
        const std::uint64_t* mask = masks + text[at] * lanes;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
          const std::uint64_t equal = mask[lane];
          const std::uint64_t diagonal = (((equal & up[lane]) + up[lane]) ^ up[lane]) | equal | down[lane];
          const std::uint64_t right = ((down[lane] | ~(diagonal | up[lane])) << 1) | 1;
          const std::uint64_t left = (diagonal & up[lane]) << 1;
          up[lane] = left | ~(diagonal | right);
          down[lane] = right & diagonal;
        }
      }
      for (std::size_t lane = 0; lane < size; ++lane) {
        const Place& place = sought_places_[group + lane];
        for (std::size_t s = place.first; s < place.last; ++s) {
          Sought& sought = sought_[s];
          // No distance is less than the difference in length.
          const auto [shorter, longer] = std::minmax(sought.length, target.length);
          if (shorter < threshold_ * longer - 1e-6) continue;
          const std::uint64_t inside = ~std::uint64_t{0} >> (64 - sought.length);
          consider(
              sought,
              static_cast<std::int64_t>(at) + std::popcount(up[lane] & inside) - std::popcount(down[lane] & inside),
              target);
        }
      }
    }
  }
}

// The same for one position whose n-grams are longer than 64 characters, strip by strip.
void FuzzyWorkspace::seek_long(const Place& place, const Text& reference) {
  const std::size_t strips = (place.length + 63) / 64, kinds = reader_.characters();
  masks_.assign(strips * kinds, 0);
  for (std::size_t p = 0; p < place.length; ++p)
    masks_[(p / 64) * kinds + hypothesis_.characters[place.begin + p]] |= std::uint64_t{1} << (p % 64);
  for (const Place& goal : target_places_) {
    const std::uint32_t* text = reference.characters.data() + goal.begin;
    border_.assign(goal.length, 1);
    tops_.resize(goal.last - goal.first);
    for (std::size_t t = goal.first; t < goal.last; ++t) tops_[t - goal.first] = targets_[t].length;
    for (std::size_t strip = 0; strip < strips; ++strip) {
      const std::size_t size = std::min<std::size_t>(64, place.length - strip * 64);
      const std::uint64_t* masks = masks_.data() + strip * kinds;
      std::uint64_t up = ~std::uint64_t{0}, down = 0;
      std::uint32_t at = 0;
      for (std::size_t t = goal.first; t < goal.last; ++t) {
        const Target& target = targets_[t];
        for (; at < target.length; ++at) {
          std::uint64_t equal = masks[text[at]];
          const std::uint64_t enters_right = border_[at] > 0, enters_left = border_[at] < 0;
          const std::uint64_t vertical = equal | down;
          equal |= enters_left;
          const std::uint64_t diagonal = (((equal & up) + up) ^ up) | equal;
          std::uint64_t right = down | ~(diagonal | up), left = up & diagonal;
          border_[at] = static_cast<std::int8_t>(((right >> (size - 1)) & 1) - ((left >> (size - 1)) & 1));
          right = (right << 1) | enters_right;
          left = (left << 1) | enters_left;
          up = left | ~(vertical | right);
          down = right & vertical;
        }
        std::int64_t& top = tops_[t - goal.first];
        for (std::size_t s = place.first; s < place.last; ++s) {
          Sought& sought = sought_[s];
          if (sought.length <= strip * 64 || sought.length > strip * 64 + 64) continue;
          const std::uint64_t inside = low_bits(sought.length - strip * 64);
          consider(sought, top + std::popcount(up & inside) - std::popcount(down & inside), target);
        }
        top += std::popcount(up & low_bits(size)) - std::popcount(down & low_bits(size));
      }
    }
  }
}

}  // namespace tricolore::counting
