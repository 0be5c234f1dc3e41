#include "information.hpp"

#include <functional>
#include <stdexcept>

namespace tricolore {

template <class Unit>
void encode(const Unit* text, std::size_t size, std::string& bytes) {
  bytes.clear();
  for (std::size_t i = 0; i < size; ++i) {
    const auto c = static_cast<char32_t>(text[i]);
    if (c < 0x80) {
      bytes.push_back(static_cast<char>(c));
    } else if (c < 0x800) {
      bytes.push_back(static_cast<char>(0xC0 | (c >> 6)));
      bytes.push_back(static_cast<char>(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
      bytes.push_back(static_cast<char>(0xE0 | (c >> 12)));
      bytes.push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
      bytes.push_back(static_cast<char>(0x80 | (c & 0x3F)));
    } else {
      bytes.push_back(static_cast<char>(0xF0 | (c >> 18)));
      bytes.push_back(static_cast<char>(0x80 | ((c >> 12) & 0x3F)));
      bytes.push_back(static_cast<char>(0x80 | ((c >> 6) & 0x3F)));
      bytes.push_back(static_cast<char>(0x80 | (c & 0x3F)));
    }
  }
}

template void encode(const std::uint8_t*, std::size_t, std::string&);
template void encode(const std::uint16_t*, std::size_t, std::string&);
template void encode(const std::uint32_t*, std::size_t, std::string&);

namespace {

template <class Unit, class Use>
void tokens_of(const TextView& text, Tokenizer tokenizer, bool strip_punctuation, Arena<Unit>& arena, Use&& use) {
  arena.reset(text.size + Arena<Unit>::padding);
  arena.append(text);
  Unit* units = arena.data();
  const std::size_t size = clean(tokenizer, strip_punctuation, units, text.size);
  split(tokenizer, units, size, [&](std::size_t begin, std::size_t end) { use(units + begin, end - begin); });
}

}  // namespace

NgramCounts::NgramCounts(std::span<const TextView> texts, Tokenizer tokenizer, bool strip_punctuation, int order) {
  std::vector<std::uint32_t> tokens;
  std::vector<std::size_t> ends;
  read(texts, tokenizer, strip_punctuation, tokens, ends);
  total_ = tokens.size();

  // Order by order; node[i] is the n-gram that begins at token i.
  std::vector<std::uint32_t> node = tokens;
  std::vector<std::uint32_t> counts(word_ends_.size(), 0);
  for (std::uint32_t word : tokens) ++counts[word];
  counts_ = std::move(counts);
  for (int n = 2; n <= order; ++n) {
    const std::size_t known = counts_.size();
    std::size_t begin = 0;
    for (std::size_t end : ends) {
      for (std::size_t i = begin; i < end; ++i) {
        if (node[i] == absent) continue;
        const bool inside = i + static_cast<std::size_t>(n) <= end;
        // Counts of this order are still growing; only nodes below `known` are complete.
        node[i] = inside && node[i] < known && counts_[node[i]] >= 2 ? intern_child(node[i], tokens[i + n - 1]) : absent;
        if (node[i] != absent) ++counts_[node[i]];
      }
      begin = end;
    }
    if (counts_.size() == known) break;
  }
}

NgramCounts::NgramCounts(State state) {
  for (const auto& word : state.words) intern_word(word);
  counts_.assign(word_ends_.size(), 0);
  for (std::size_t i = 0; i < state.parents.size(); ++i) intern_child(state.parents[i], state.last_words[i]);
  if (state.counts.size() != counts_.size()) throw std::invalid_argument("n-gram counts: inconsistent state");
  counts_ = std::move(state.counts);
  total_ = state.total;
  set_weights(std::move(state.weights));
}

void NgramCounts::read(std::span<const TextView> texts, Tokenizer tokenizer, bool strip_punctuation,
                       std::vector<std::uint32_t>& tokens, std::vector<std::size_t>& ends) {
  Arena<std::uint8_t> narrow;
  Arena<std::uint16_t> wide;
  Arena<std::uint32_t> widest;
  std::string bytes;
  auto add = [&](const auto* unit, std::size_t size) {
    encode(unit, size, bytes);
    tokens.push_back(intern_word(bytes));
  };
  for (const auto& text : texts) {
    switch (text.width) {
      case 1: tokens_of(text, tokenizer, strip_punctuation, narrow, add); break;
      case 2: tokens_of(text, tokenizer, strip_punctuation, wide, add); break;
      default: tokens_of(text, tokenizer, strip_punctuation, widest, add); break;
    }
    ends.push_back(tokens.size());
  }
}

std::vector<std::uint32_t> NgramCounts::prefix_counts() const {
  std::vector<std::uint32_t> prefixes(counts_.size(), static_cast<std::uint32_t>(total_));
  for (const auto& link : links_)
    if (link.node != absent) prefixes[link.node] = counts_[link.parent];
  return prefixes;
}

NgramCounts::State NgramCounts::state() const {
  State state;
  std::size_t begin = 0;
  for (std::size_t end : word_ends_) {
    state.words.emplace_back(bytes_, begin, end - begin);
    begin = end;
  }
  const std::size_t words = word_ends_.size();
  state.parents.resize(link_count_);
  state.last_words.resize(link_count_);
  for (const auto& link : links_) {
    if (link.node == absent) continue;
    state.parents[link.node - words] = link.parent;
    state.last_words[link.node - words] = link.word;
  }
  state.counts = counts_;
  state.total = total_;
  state.weights = weights_;
  return state;
}

void NgramCounts::set_weights(std::vector<double> weights) {
  if (weights.size() != counts_.size()) throw std::invalid_argument("one weight for each n-gram is needed");
  weights_ = std::move(weights);
}

std::uint32_t NgramCounts::word(std::string_view bytes) const {
  return word_table_.empty() ? absent : word_table_[word_slot(bytes)];
}

std::uint32_t NgramCounts::child(std::uint32_t node, std::uint32_t word) const {
  return links_.empty() ? absent : links_[link_slot(node, word)].node;
}

std::uint32_t NgramCounts::intern_word(std::string_view bytes) {
  if (slots_for(word_ends_.size() + 1) > word_table_.size()) grow_words();
  std::uint32_t& number = word_table_[word_slot(bytes)];
  if (number == absent) {
    number = static_cast<std::uint32_t>(word_ends_.size());
    bytes_ += bytes;
    word_ends_.push_back(bytes_.size());
  }
  return number;
}

std::uint32_t NgramCounts::intern_child(std::uint32_t node, std::uint32_t word) {
  if (slots_for(link_count_ + 1) > links_.size()) grow_links();
  Link& link = links_[link_slot(node, word)];
  if (link.node == absent) {
    link = {node, word, static_cast<std::uint32_t>(counts_.size())};
    counts_.push_back(0);
    ++link_count_;
  }
  return link.node;
}

std::size_t NgramCounts::word_slot(std::string_view bytes) const {
  const std::size_t mask = word_table_.size() - 1;
  std::size_t slot = std::hash<std::string_view>{}(bytes)&mask;
  while (word_table_[slot] != absent) {
    const std::uint32_t number = word_table_[slot];
    const std::size_t begin = number == 0 ? 0 : word_ends_[number - 1];
    if (std::string_view(bytes_).substr(begin, word_ends_[number] - begin) == bytes) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

std::size_t NgramCounts::link_slot(std::uint32_t node, std::uint32_t word) const {
  const std::size_t mask = links_.size() - 1;
  std::size_t slot = mix((std::uint64_t{node} << 32) | word) & mask;
  while (links_[slot].node != absent && (links_[slot].parent != node || links_[slot].word != word))
    slot = (slot + 1) & mask;
  return slot;
}

void NgramCounts::grow_words() {
  word_table_.assign(slots_for(2 * word_ends_.size() + 64), absent);
  std::size_t begin = 0;
  for (std::size_t number = 0; number < word_ends_.size(); ++number) {
    const std::string_view word(bytes_.data() + begin, word_ends_[number] - begin);
    word_table_[word_slot(word)] = static_cast<std::uint32_t>(number);
    begin = word_ends_[number];
  }
}

void NgramCounts::grow_links() {
  std::vector<Link> old(slots_for(2 * link_count_ + 64));
  old.swap(links_);
  for (const auto& link : old)
    if (link.node != absent) links_[link_slot(link.parent, link.word)] = link;
}

}  // namespace tricolore
