#include "information.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "utf8.hpp"

namespace tricolore::counting {

namespace {

// Write UTF-8, surrogates included, and return where it ends; a character takes at most four bytes, and the number of a
// token that is no text five.
template <class Unit>
char* write_utf8(const Unit* text, std::size_t size, char* out) {
  for (std::size_t i = 0; i < size; ++i) {
    const auto c = static_cast<std::uint32_t>(text[i]);
    if (c < 0x80) {
      *out++ = static_cast<char>(c);
    } else if (c < 0x800) {
      *out++ = static_cast<char>(0xC0 | (c >> 6));
      *out++ = static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      *out++ = static_cast<char>(0xE0 | (c >> 12));
      *out++ = static_cast<char>(0x80 | ((c >> 6) & 0x3F));
      *out++ = static_cast<char>(0x80 | (c & 0x3F));
    } else if (c >= first_id) {
      *out++ = static_cast<char>(0xF8);
      std::memcpy(out, &c, 4);
      out += 4;
    } else {
      *out++ = static_cast<char>(0xF0 | (c >> 18));
      *out++ = static_cast<char>(0x80 | ((c >> 12) & 0x3F));
      *out++ = static_cast<char>(0x80 | ((c >> 6) & 0x3F));
      *out++ = static_cast<char>(0x80 | (c & 0x3F));
    }
  }
  return out;
}

// Whether all characters are ASCII; no early end, so that many are tested at once.
bool is_ascii(const std::uint8_t* text, std::size_t size) {
  std::uint8_t high = 0;
  for (std::size_t i = 0; i < size; ++i) high |= text[i];
  return high < 0x80;
}

}  // namespace

std::uint32_t WordTable::intern(const TokenKey& key, const char* bytes, std::uint32_t size) {
  if ((ends_.size() + 1) * 2 > table_.size()) make_room(std::max<std::size_t>(64, 2 * table_.size()));
  Entry& entry = table_[slot(key, bytes, size)];
  if (entry.id == absent) {
    entry = {key, static_cast<std::uint32_t>(ends_.size())};
    bytes_.append(bytes, size);
    ends_.push_back(bytes_.size());
  }
  return entry.id;
}

void WordTable::reserve(std::size_t words) {
  if (slots_for(words) > table_.size()) make_room(slots_for(words));
}

void WordTable::make_room(std::size_t slots) {
  std::vector<Entry> old(slots);
  old.swap(table_);
  const std::size_t mask = table_.size() - 1;
  for (const auto& entry : old) {
    if (entry.id == absent) continue;
    std::size_t slot = entry.key.hash() & mask;
    while (table_[slot].id != absent) slot = (slot + 1) & mask;
    table_[slot] = entry;
  }
}

void WordReader::cut(const WordTable& words, const TextView& text, const Reading& how) {
  tokens_.clear();
  switch (text.width) {
    case 1:
      return cut(words, text, how, narrow_);
    case 2:
      return cut(words, text, how, wide_);
    default:
      return cut(words, text, how, widest_);
  }
}

template <class Unit>
void WordReader::cut(const WordTable& words, const TextView& text, const Reading& how, Arena<Unit>& arena) {
  arena.reset(text.size + Arena<Unit>::padding);
  arena.append(text);
  Unit* units = arena.data();
  const Tokenizer tokenizer = how.tokenizer_of(text);
  const std::size_t size = clean(tokenizer, how.strip_punctuation, units, text.size);
  auto add = [&](std::size_t begin, std::size_t length) {
    const TokenKey key = key_of(bytes_ + begin, length);
    words.expect(key);
    tokens_.push_back({key, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(length)});
  };
  if constexpr (sizeof(Unit) == 1) {
    if (is_ascii(units, size)) {  // its own UTF-8
      bytes_ = reinterpret_cast<const char*>(units);
      for (const auto [begin, length] : cutter_.cut(tokenizer, units, size)) add(begin, length);
      return;
    }
  }
  if (encoded_.size() < 5 * size + bytes_of_key) encoded_.resize(5 * size + bytes_of_key);
  bytes_ = encoded_.data();
  char* out = encoded_.data();
  for (const auto [begin, length] : cutter_.cut(tokenizer, units, size)) {
    char* const start = out;
    out = write_utf8(units + begin, length, out);
    add(static_cast<std::size_t>(start - encoded_.data()), static_cast<std::size_t>(out - start));
  }
}

NgramCounts::NgramCounts(std::span<const TextView> texts, std::vector<std::size_t> segment_ends, const Reading& how,
                         int order, const std::function<void()>& pause)
    : segment_ends_(std::move(segment_ends)) {
  read(texts, how, pause);
  total_ = tokens_.size();
  if (total_ >= absent) throw std::length_error("a corpus of more than four thousand million words cannot be counted");
  counts_.reserve(words_.size() + tokens_.size());
  counts_.assign(words_.size(), 0);
  for (std::uint32_t word : tokens_) ++counts_[word];
  if (order > 1) count_longer(order, pause);
}

// Order by order, carrying on only what has more to tell: n-grams that occur twice and do not end their text.
void NgramCounts::count_longer(int order, const std::function<void()>& pause) {
  const std::size_t tokens = tokens_.size();
  make_room(std::bit_ceil(tokens + tokens / 2 + 64));
  grams_.reserve(tokens);
  keeps_nodes_ = order <= most_orders_kept && tokens <= most_tokens_kept;
  if (keeps_nodes_) nodes_.reserve(static_cast<std::size_t>(order - 1) * tokens);

  struct Occurrence {
    std::uint32_t node, next;  // the n-gram, and the token after it
  };
  std::vector<bool> begins_text(tokens + 1);
  for (std::size_t end : text_ends_) begins_text[end] = true;
  std::vector<Occurrence> open;
  open.reserve(tokens);
  for (std::uint32_t i = 0; i < tokens; ++i)
    if (!begins_text[i + 1] && counts_[tokens_[i]] >= 2) open.push_back({tokens_[i], i + 1});
  for (int n = 2; n <= order && !open.empty(); ++n) {
    constexpr std::size_t ahead = 12;  // how far to fetch before it is needed
    for (std::size_t k = 0; k < open.size(); ++k) {
      if (k + ahead < open.size()) prefetch(&links_[first_slot({open[k + ahead].node, tokens_[open[k + ahead].next]})]);
      open[k].node = intern_child(open[k].node, tokens_[open[k].next]);
      if (k % (1 << 20) == 0) pause();
    }
    if (keeps_nodes_) nodes_.resize(nodes_.size() + tokens, absent);
    std::uint32_t* const nodes = keeps_nodes_ ? nodes_.data() + nodes_.size() - tokens : nullptr;
    for (auto& occurrence : open) {
      ++counts_[occurrence.node];
      ++occurrence.next;
      if (nodes != nullptr) nodes[occurrence.next - static_cast<std::uint32_t>(n)] = occurrence.node;
    }
    std::erase_if(open, [&](const Occurrence& it) { return begins_text[it.next] || counts_[it.node] < 2; });
  }
}

NgramCounts::NgramCounts(State state) {
  for (auto& word : state.words) {
    const auto size = static_cast<std::uint32_t>(word.size());
    word.append(bytes_of_key, '\0');
    words_.intern(key_of(word.data(), size), word.data(), size);
  }
  counts_.assign(words_.size(), 0);
  for (std::size_t i = 0; i < state.parents.size(); ++i) intern_child(state.parents[i], state.last_words[i]);
  if (state.counts.size() != counts_.size()) throw std::invalid_argument("n-gram counts: inconsistent state");
  counts_ = std::move(state.counts);
  total_ = state.total;
  set_weights(std::move(state.weights));
}

void NgramCounts::read(std::span<const TextView> texts, const Reading& how, const std::function<void()>& pause) {
  WordReader reader;
  text_ends_.reserve(texts.size());
  std::size_t characters = 0;
  for (const auto& text : texts) characters += text.size;
  tokens_.reserve(characters / 4);  // guesses that spare most of the growing
  words_.reserve(3 * texts.size());
  for (const auto& text : texts) {
    reader.intern(words_, decoder()(text), how, [&](std::uint32_t word) { tokens_.push_back(word); });
    text_ends_.push_back(tokens_.size());
    if (text_ends_.size() % 8192 == 0) pause();
  }
}

std::vector<std::uint32_t> NgramCounts::prefix_counts() const {
  std::vector<std::uint32_t> prefixes(words_.size(), static_cast<std::uint32_t>(total_));
  prefixes.reserve(counts_.size());
  for (const Gram& gram : grams_) prefixes.push_back(counts_[gram.parent]);
  return prefixes;
}

NgramCounts::State NgramCounts::state() const {
  State state;
  for (std::size_t id = 0; id < words_.size(); ++id) state.words.emplace_back(words_[id]);
  for (const Gram& gram : grams_) {
    state.parents.push_back(gram.parent);
    state.last_words.push_back(gram.last_word);
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

std::uint32_t NgramCounts::child(std::uint32_t node, std::uint32_t word) const {
  return links_.empty() ? absent : links_[link_slot({node, word})];
}

std::uint32_t NgramCounts::intern_child(std::uint32_t node, std::uint32_t word) {
  if ((grams_.size() + 1) * 3 > links_.size() * 2) make_room(std::max<std::size_t>(1024, 2 * links_.size()));
  std::uint32_t& link = links_[link_slot({node, word})];
  if (link == absent) {
    link = static_cast<std::uint32_t>(counts_.size());
    counts_.push_back(0);
    grams_.push_back({node, word});
  }
  return link;
}

std::size_t NgramCounts::link_slot(const Gram& gram) const {
  const std::size_t mask = links_.size() - 1, words = words_.size();
  std::size_t slot = first_slot(gram);
  while (links_[slot] != absent && grams_[links_[slot] - words] != gram) slot = (slot + 1) & mask;
  return slot;
}

void NgramCounts::make_room(std::size_t slots) {
  std::vector<std::uint32_t> old(slots, absent);
  old.swap(links_);
  const std::size_t words = words_.size();
  for (const std::uint32_t node : old)
    if (node != absent) links_[link_slot(grams_[node - words])] = node;
}

}  // namespace tricolore::counting
