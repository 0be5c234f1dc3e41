// What may match in ChunkWorkspace: words, synonyms and phrases, and which of them depend on each other.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

#include "chunks.hpp"

namespace tricolore::counting {

Equivalents::Equivalents(std::vector<Numbers> senses, const Numbers& stems,
                         std::vector<std::pair<Numbers, Numbers>> phrases, const Numbers& functions)
    : senses_(std::move(senses)), phrases_(std::move(phrases)) {
  senses_.resize(std::max(senses_.size(), stems.size()));
  for (std::size_t word = 0; word < stems.size(); ++word) senses_[word].push_back(first_stem | stems[word]);
  for (const std::uint32_t word : functions) {
    if (word >= functions_.size()) functions_.resize(word + std::size_t{1}, false);
    functions_[word] = true;
  }
  for (std::uint32_t p = 0; p < phrases_.size(); ++p)
    if (!phrases_[p].first.empty() && !phrases_[p].second.empty()) by_first_word_[phrases_[p].first[0]].push_back(p);
}

std::span<const std::uint32_t> Equivalents::senses(std::uint32_t word) const {
  if (word >= senses_.size()) return {};
  return senses_[word];
}

bool Equivalents::share_stem(std::uint32_t a, std::uint32_t b) const {
  const auto of_a = senses(a), of_b = senses(b);
  return !of_a.empty() && !of_b.empty() && of_a.back() >= first_stem && of_a.back() == of_b.back();
}

std::span<const std::uint32_t> Equivalents::phrases_that_begin_with(std::uint32_t word) const {
  const auto found = by_first_word_.find(word);
  if (found == by_first_word_.end()) return {};
  return found->second;
}

void ChunkWorkspace::find_targets(const ChunkCounting& what, const SegmentView& segment) {
  const std::uint32_t types = words_.all_types;
  type_ends_.assign(types + 1, 0);
  for (const std::uint32_t type : reference_) ++type_ends_[type + 1];
  std::partial_sum(type_ends_.begin(), type_ends_.end(), type_ends_.begin());
  places_.resize(reference_.size());
  {
    std::vector<std::uint32_t> next(type_ends_.begin(), type_ends_.end() - 1);
    for (std::uint32_t j = 0; j < reference_.size(); ++j) places_[next[reference_[j]]++] = j;
  }
  equivalents_ = segment.hypothesis.ids ? what.equivalents.get() : nullptr;
  by_stage_ = what.by_stage;
  targets_.clear();
  type_targets_.resize(types);
  for (auto& targets : type_targets_) targets.clear();
  phrase_targets_.resize(hypothesis_.size());
  for (auto& targets : phrase_targets_) targets.clear();
  longest_ = 1;
  spans_ = false;
  // Target t < types: the type itself.
  for (std::uint32_t type = 0; type < types; ++type) targets_.push_back({1, 1, type_ends_[type], type_ends_[type + 1]});
  for (const std::uint32_t type : hypothesis_)
    if (type_targets_[type].empty() && targets_[type].begin < targets_[type].end) type_targets_[type].push_back(type);
  if (equivalents_ == nullptr) return;
  // Token ids as they were given, of each type.
  numbers_.assign(types, 0);
  const auto note = [&](const TextView& text, std::span<const std::uint32_t> words) {
    for (std::size_t i = 0; i < words.size(); ++i)
      numbers_[words[i]] = static_cast<const std::uint32_t*>(text.data)[i] - first_id;
  };
  note(segment.hypothesis, hypothesis_);
  for (std::size_t k = 0; k < segment.references.size(); ++k) note(segment.references[k], words_.reference(k));
  find_synonyms(*equivalents_);
  find_phrases(*equivalents_);
}

void ChunkWorkspace::find_synonyms(const Equivalents& equivalents) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_sense;
  for (std::uint32_t type = 0; type < words_.types; ++type)
    if (targets_[type].begin < targets_[type].end)
      for (const std::uint32_t sense : equivalents.senses(numbers_[type])) by_sense.emplace_back(sense, type);
  std::sort(by_sense.begin(), by_sense.end());
  std::vector<bool> done(words_.all_types, false);
  for (const std::uint32_t type : hypothesis_) {
    if (done[type]) continue;
    done[type] = true;
    auto& targets = type_targets_[type];
    for (const std::uint32_t sense : equivalents.senses(numbers_[type]))
      for (auto it = std::lower_bound(by_sense.begin(), by_sense.end(), std::pair{sense, std::uint32_t{0}});
           it != by_sense.end() && it->first == sense; ++it)
        targets.push_back(it->second);
    std::sort(targets.begin(), targets.end());
    targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  }
}

void ChunkWorkspace::find_phrases(const Equivalents& equivalents) {
  std::unordered_map<std::uint32_t, std::uint32_t> type_of, target_of;
  for (const std::uint32_t type : reference_) type_of.emplace(numbers_[type], type);
  const auto stands_at = [&](const Equivalents::Numbers& phrase, std::span<const std::uint32_t> text, std::size_t at) {
    if (phrase.size() > text.size() - at) return false;
    for (std::size_t k = 0; k < phrase.size(); ++k)
      if (numbers_[text[at + k]] != phrase[k]) return false;
    return true;
  };
  for (std::size_t i = 0; i < hypothesis_.size(); ++i) {
    for (const std::uint32_t p : equivalents.phrases_that_begin_with(numbers_[hypothesis_[i]])) {
      const auto& [phrase, paraphrase] = equivalents.phrase(p);
      if (!stands_at(phrase, hypothesis_, i)) continue;
      const auto [entry, is_new] = target_of.emplace(p, absent);
      if (is_new) {
        const auto begin = static_cast<std::uint32_t>(places_.size());
        if (const auto type = type_of.find(paraphrase[0]); type != type_of.end())
          for (std::uint32_t at = type_ends_[type->second]; at < type_ends_[type->second + 1]; ++at)
            if (stands_at(paraphrase, reference_, places_[at])) places_.push_back(places_[at]);
        if (const auto end = static_cast<std::uint32_t>(places_.size()); end > begin) {
          entry->second = static_cast<std::uint32_t>(targets_.size());
          targets_.push_back(
              {static_cast<std::uint32_t>(phrase.size()), static_cast<std::uint32_t>(paraphrase.size()), begin, end});
          longest_ = std::max(longest_, phrase.size());
          spans_ = spans_ || phrase.size() > 1 || paraphrase.size() > 1;
        }
      }
      if (entry->second != absent) phrase_targets_[i].push_back(entry->second);
    }
  }
}

// Nodes are the words of the hypothesis, then those of the reference.
std::uint32_t ChunkWorkspace::root(std::uint32_t node) {
  while (parents_[node] != node) node = parents_[node] = parents_[parents_[node]];
  return node;
}

void ChunkWorkspace::find_groups() {
  const auto size = static_cast<std::uint32_t>(hypothesis_.size());
  const auto reference_size = static_cast<std::uint32_t>(reference_.size());
  parents_.resize(size + reference_size);
  std::iota(parents_.begin(), parents_.end(), 0);
  matchable_.assign(size, false);
  reference_matchable_.assign(reference_size, false);
  std::vector<std::uint32_t> last_use(reference_size, 0);
  std::vector<bool> joined(targets_.size(), false);
  std::vector<bool> mixed(size + reference_size, false);
  std::vector<std::uint32_t> seen(targets_.size(), absent);  // the last word of the hypothesis that has the target
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto& own = type_targets_[hypothesis_[i]];
    const bool several = own.size() + phrase_targets_[i].size() > 1 || (own.empty() && !phrase_targets_[i].empty()) ||
                         (!own.empty() && own[0] != hypothesis_[i]);
    const auto use = [&](std::uint32_t t) {
      const Target& target = targets_[t];
      for (std::uint32_t k = 0; k < target.size; ++k) {
        matchable_[i + k] = true;
        join(i, i + k);
      }
      if (!joined[t]) {
        for (std::uint32_t at = target.begin; at < target.end; ++at)
          for (std::uint32_t k = 0; k < target.reference_size; ++k) {
            reference_matchable_[places_[at] + k] = true;
            join(size + places_[target.begin], size + places_[at] + k);
          }
        joined[t] = true;
      }
      join(i, size + places_[target.begin]);
      if (several) mixed[i] = true;
      seen[t] = i;
    };
    for (const std::uint32_t t : own) use(t);
    for (const std::uint32_t t : phrase_targets_[i]) use(t);
  }
  for (std::uint32_t t = 0; t < targets_.size(); ++t)
    if (seen[t] != absent)
      for (std::uint32_t at = targets_[t].begin; at < targets_[t].end; ++at)
        for (std::uint32_t k = 0; k < targets_[t].reference_size; ++k)
          last_use[places_[at] + k] = std::max(last_use[places_[at] + k], seen[t]);

  groups_.clear();
  std::vector<std::uint32_t> number(parents_.size(), absent);
  const auto group = [&](std::uint32_t node) {
    std::uint32_t& g = number[root(node)];
    if (g == absent) {
      g = static_cast<std::uint32_t>(groups_.size());
      groups_.emplace_back();
    }
    return g;
  };
  group_of_.assign(size, absent);
  reference_group_of_.assign(reference_size, absent);
  for (std::uint32_t i = 0; i < size; ++i)
    if (matchable_[i]) {
      Group& g = groups_[group_of_[i] = group(i)];
      ++g.words;
      if (mixed[i]) g.plain = false;
    }
  for (std::uint32_t j = 0; j < reference_size; ++j)
    if (reference_matchable_[j]) ++groups_[reference_group_of_[j] = group(size + j)].reference_words;
  ties_matter_ =
      spans_ || (by_stage_ && !std::all_of(groups_.begin(), groups_.end(), [](const Group& g) { return g.plain; }));
  most_covered_ = 0;
  for (const Group& g : groups_)
    most_covered_ +=
        static_cast<std::int32_t>(g.plain ? 2 * std::min(g.words, g.reference_words) : g.words + g.reference_words);
  later_.assign(size, 0);
  std::vector<std::uint32_t> counts(groups_.size(), 0);
  for (std::uint32_t i = size; i-- > 0;)
    if (matchable_[i]) later_[i] = counts[group_of_[i]]++;

  expire_ends_.assign(size + 1, 0);
  for (std::uint32_t j = 0; j < reference_size; ++j)
    if (reference_matchable_[j]) ++expire_ends_[last_use[j] + 1];
  std::partial_sum(expire_ends_.begin(), expire_ends_.end(), expire_ends_.begin());
  expire_at_.resize(expire_ends_.back());
  std::vector<std::uint32_t> next(expire_ends_.begin(), expire_ends_.end() - 1);
  for (std::uint32_t j = 0; j < reference_size; ++j)
    if (reference_matchable_[j]) expire_at_[next[last_use[j]]++] = j;

  // Bits of large groups, so that their free words are counted 64 at a time.
  width_words_ = (reference_size + 63) / 64;
  masks_.clear();
  for (Group& g : groups_)
    if (g.plain && g.reference_words > 64) {
      g.mask = static_cast<std::uint32_t>(masks_.size());
      masks_.resize(masks_.size() + width_words_, 0);
    }
  for (std::uint32_t j = 0; j < reference_size; ++j)
    if (reference_matchable_[j])
      if (const Group& g = groups_[reference_group_of_[j]]; g.mask != absent)
        masks_[g.mask + j / 64] |= std::uint64_t{1} << (j % 64);
}

// A word that every best alignment matches begins a chunk for certain if nowhere in the reference its group follows
// the group of the word before it.
void ChunkWorkspace::find_breaks() {
  std::vector<std::uint64_t> follows;
  const auto pair_of = [](std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; };
  for (std::size_t j = 1; j < reference_.size(); ++j)
    if (reference_matchable_[j - 1] && reference_matchable_[j])
      follows.push_back(pair_of(reference_group_of_[j - 1], reference_group_of_[j]));
  std::sort(follows.begin(), follows.end());
  breaks_.assign(hypothesis_.size() + 1, 0);
  for (std::size_t i = hypothesis_.size(); i-- > 0;) {
    breaks_[i] = breaks_[i + 1];
    if (!matchable_[i]) continue;
    const Group& g = groups_[group_of_[i]];
    if (!g.plain || g.words > g.reference_words) continue;
    const bool goes_on = i > 0 && matchable_[i - 1] &&
                         std::binary_search(follows.begin(), follows.end(), pair_of(group_of_[i - 1], group_of_[i]));
    if (!goes_on) ++breaks_[i];
  }
}

// No alignment that covers as many words as possible has fewer chunks. Of a plain group, a known number of words is
// matched. One of them goes on from the match before it only where its group follows the same group in both texts, and
// each such place serves once; the others begin a chunk.
std::int32_t ChunkWorkspace::fewest_chunks() const {
  using Follows = std::pair<std::uint32_t, std::uint32_t>;  // a group, and the one before it
  std::vector<Follows> in_hypothesis, in_reference, shared;
  for (std::size_t i = 1; i < hypothesis_.size(); ++i)
    if (matchable_[i - 1] && matchable_[i]) in_hypothesis.emplace_back(group_of_[i], group_of_[i - 1]);
  for (std::size_t j = 1; j < reference_.size(); ++j)
    if (reference_matchable_[j - 1] && reference_matchable_[j])
      in_reference.emplace_back(reference_group_of_[j], reference_group_of_[j - 1]);
  std::sort(in_hypothesis.begin(), in_hypothesis.end());
  std::sort(in_reference.begin(), in_reference.end());
  std::set_intersection(in_hypothesis.begin(), in_hypothesis.end(), in_reference.begin(), in_reference.end(),
                        std::back_inserter(shared));
  std::vector<std::int32_t> go_on(groups_.size(), 0);
  for (const auto& [group, before] : shared) ++go_on[group];
  std::int32_t fewest = 0;
  for (std::size_t g = 0; g < groups_.size(); ++g)
    if (groups_[g].plain)
      fewest +=
          std::max(0, static_cast<std::int32_t>(std::min(groups_[g].words, groups_[g].reference_words)) - go_on[g]);
  return std::max(fewest, 1);
}

}  // namespace tricolore::counting
