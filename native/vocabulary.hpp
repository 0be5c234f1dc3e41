// Tokens to small numbers, exactly: a hash table sized to the segment, emptied by a new stamp.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "text.hpp"

namespace tricolore {

inline constexpr std::uint32_t absent = 0xFFFFFFFF;

inline std::uint64_t mix(std::uint64_t key) {
  key ^= key >> 32;
  key *= 0x9E3779B97F4A7C15ull;
  return key ^ (key >> 29);
}

// Ask for a piece of memory before it is needed, where the compiler has a way to.
inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__) || defined(__clang__)
  __builtin_prefetch(address);
#endif
}

// The number of slots for `entries` keys at a load of at most one half.
inline std::size_t slots_for(std::size_t entries) { return std::bit_ceil(entries * 2 + 16); }

// Tokens of fewer bytes are told apart by their keys alone.
inline constexpr std::size_t folded_from = 8;

// How many bytes are read at a time, and so must be readable from the last one of a token on.
inline constexpr std::size_t bytes_of_key = 16;

// The bytes of a token as a number. Up to seven are their own key, with their number in the top byte; longer ones are
// folded, with the top bit set, and must be compared. Lengths are hard to predict: up to 16 bytes take no branch.
inline std::uint64_t key_of(const void* bytes, std::size_t size) {
  static constexpr auto masks = [] {
    std::array<std::uint8_t, 2 * bytes_of_key> bytes{};
    for (std::size_t i = 0; i < bytes_of_key; ++i) bytes[i] = 0xFF;
    return bytes;
  }();
  const auto load = [](const void* from, std::size_t i) {
    std::uint64_t word;
    std::memcpy(&word, static_cast<const char*>(from) + i, 8);
    return word;
  };
  constexpr std::uint64_t factor = 0xD6E8FEB86659FD93ull, folded = std::uint64_t{1} << 63;
  const std::uint8_t* const mask = masks.data() + bytes_of_key - (size < bytes_of_key ? size : bytes_of_key);
  const std::uint64_t first = load(bytes, 0) & load(mask, 0), second = load(bytes, 8) & load(mask, 8);
  std::uint64_t key = (std::rotl(first, 23) ^ second) * factor;
  for (std::size_t i = bytes_of_key; i < size; i += 8) {
    std::uint64_t word = load(bytes, i);
    if (size - i < 8) word &= (std::uint64_t{1} << (8 * (size - i))) - 1;
    key = (std::rotl(key, 23) ^ word) * factor;
  }
  return size < folded_from ? first | std::uint64_t{size} << 56 : key | folded;
}

// An open-addressing table that is emptied by a new stamp, so that a small segment pays only for what it touches.
template <class Value>
class StampedTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t stamp = 0;
    Value value{};
  };

  void reset(std::size_t slots) {
    if (entries_.size() < slots || ++stamp_ == 0) {
      entries_.assign(slots > entries_.size() ? slots : entries_.size(), Entry{});
      stamp_ = 1;
    }
    mask_ = slots - 1;
  }

  std::size_t slots() const { return mask_ + 1; }
  bool taken(const Entry& entry) const { return entry.stamp == stamp_; }
  void take(Entry& entry, std::uint64_t key, Value value) { entry = {key, stamp_, value}; }

  // Start fetching what `find` will look at.
  void expect(std::uint64_t hash) const { prefetch(&entries_[mix(hash) & mask_]); }

  // The number of a key that tells its token apart from all others, or `absent`. Whether it is there cannot be
  // predicted, and is no branch.
  std::uint32_t number_of(std::uint64_t key) const {
    for (std::size_t slot = mix(key) & mask_;; slot = (slot + 1) & mask_) {
      const Entry& entry = entries_[slot];
      const bool is_taken = entry.stamp == stamp_, found = is_taken & (entry.key == key);
      if (found | !is_taken) return entry.value | (std::uint32_t{found} - 1);
    }
  }

  // The first entry from the hash on that is free, or has the key and satisfies `same`.
  template <class Same>
  Entry& find(std::uint64_t key, std::uint64_t hash, Same&& same) {
    std::size_t slot = mix(hash) & mask_;
    while (taken(entries_[slot]) && !(entries_[slot].key == key && same(entries_[slot].value)))
      slot = (slot + 1) & mask_;
    return entries_[slot];
  }

 private:
  std::vector<Entry> entries_;
  std::size_t mask_ = 0;
  std::uint32_t stamp_ = 0;
};

// The types of a segment, numbered. A type is a slice of the segment's arena.
template <class Unit>
class Vocabulary {
 public:
  // `expected` types fit without growing; more are taken too.
  void reset(std::size_t expected) {
    table_.reset(slots_for(expected));
    types_.clear();
  }

  // The number of text[begin, begin + size), given a new one if it has none.
  std::uint32_t intern(const Unit* text, std::uint32_t begin, std::uint32_t size) {
    const std::uint64_t key = key_of(text + begin, size * sizeof(Unit));
    auto& entry = entry_of(text, key, begin, size);
    if (table_.taken(entry)) return entry.value;
    const auto id = static_cast<std::uint32_t>(types_.size());
    table_.take(entry, key, id);
    types_.push_back({begin, size});
    if (types_.size() * 2 > table_.slots()) grow(text);
    return id;
  }

  // The number of text[begin, begin + size), or `absent`.
  std::uint32_t find(const Unit* text, std::uint32_t begin, std::uint32_t size) {
    const std::uint64_t key = key_of(text + begin, size * sizeof(Unit));
    if (size * sizeof(Unit) < folded_from) return table_.number_of(key);
    const auto& entry = entry_of(text, key, begin, size);
    return table_.taken(entry) ? entry.value : absent;
  }

  std::size_t size() const { return types_.size(); }

 private:
  using Table = StampedTable<std::uint32_t>;

  typename Table::Entry& entry_of(const Unit* text, std::uint64_t key, std::uint32_t begin, std::uint32_t size) {
    return table_.find(key, key, [&](std::uint32_t id) {
      if (size * sizeof(Unit) < folded_from) return true;
      const auto& [other, other_size] = types_[id];
      return other_size == size && std::memcmp(text + other, text + begin, size * sizeof(Unit)) == 0;
    });
  }

  void grow(const Unit* text) {
    table_.reset(2 * table_.slots());
    for (std::uint32_t id = 0; id < types_.size(); ++id) {
      const std::uint64_t key = key_of(text + types_[id].begin, types_[id].size * sizeof(Unit));
      table_.take(table_.find(key, key, [](std::uint32_t) { return false; }), key, id);
    }
  }

  Table table_;
  std::vector<Slice> types_;
};

// Pairs of numbers, numbered 0, 1, 2, ... An n-gram is a pair: another n-gram and the word after it; see NgramTree.
class PairNumbers {
 public:
  void reset(std::size_t most) {
    table_.reset(slots_for(most));
    count_ = 0;
  }

  std::uint32_t intern(std::uint32_t a, std::uint32_t b) {
    auto& entry = entry_of(a, b);
    if (!table_.taken(entry)) table_.take(entry, pack(a, b), count_++);
    return entry.value;
  }

  std::uint32_t find(std::uint32_t a, std::uint32_t b) {
    const auto& entry = entry_of(a, b);
    return table_.taken(entry) ? entry.value : absent;
  }

  // Start fetching what `intern` and `find` will look at.
  void expect(std::uint32_t a, std::uint32_t b) const { table_.expect(pack(a, b)); }

  std::uint32_t size() const { return count_; }

 private:
  using Table = StampedTable<std::uint32_t>;

  static std::uint64_t pack(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }
  Table::Entry& entry_of(std::uint32_t a, std::uint32_t b) {
    return table_.find(pack(a, b), pack(a, b), [](std::uint32_t) { return true; });
  }

  Table table_;
  std::uint32_t count_ = 0;
};

}  // namespace tricolore
