// Tokens to small numbers, exactly: a hash table sized to the segment, emptied by a new stamp.
#pragma once

#include <algorithm>
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

// How many bytes of a token are read at a time, and so must be readable from its last one on.
inline constexpr std::size_t bytes_of_key = 16;

// The bytes of a token as numbers. Up to fifteen are their own key, with their number in the byte that is left; longer
// ones are folded, and must be compared.
struct TokenKey {
  std::uint64_t first = 0, second = 0;

  static constexpr std::uint64_t folded = ~std::uint64_t{0};
  bool is_exact() const { return second != folded; }
  std::uint64_t hash() const { return mix(first ^ std::rotl(second * 0xD6E8FEB86659FD93ull, 32)); }
  bool operator==(const TokenKey& other) const { return ((first ^ other.first) | (second ^ other.second)) == 0; }
};

// Lengths are hard to predict: those of most words take no branch.
inline TokenKey key_of(const void* bytes, std::size_t size) {
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
  constexpr int last_byte = std::endian::native == std::endian::little ? 56 : 0;
  if (size < bytes_of_key) {
    const std::uint8_t* const mask = masks.data() + bytes_of_key - size;
    return {load(bytes, 0) & load(mask, 0), (load(bytes, 8) & load(mask, 8)) | std::uint64_t{size} << last_byte};
  }
  std::uint64_t key = size;
  for (std::size_t i = 0; i < size; i += 8) {
    std::uint64_t word = load(bytes, i);
    if (size - i < 8) word &= load(masks.data() + bytes_of_key - (size - i), 0);
    key = (std::rotl(key, 23) ^ word) * 0xD6E8FEB86659FD93ull;
  }
  return {key, TokenKey::folded};
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

// The types of a segment, numbered. A type is a slice of the segment's arena. Whether a word has been there before
// cannot be predicted, and is no branch.
template <class Unit>
class Vocabulary {
 public:
  // `expected` types fit without growing; more are taken too.
  void reset(std::size_t expected) {
    size_ = 0;
    make_room(slots_for(expected));
  }

  // The number of text[begin, begin + size), given a new one if it has none.
  std::uint32_t intern(const Unit* text, std::uint32_t begin, std::uint32_t size) {
    const TokenKey key = key_of(text + begin, size * sizeof(Unit));
    const auto [slot, found] = seek(key, text, begin, size);
    Entry& entry = entries_[slot];
    const std::uint32_t known = std::uint32_t{0} - found, id = (entry.id & known) | (size_ & ~known);
    entry = {key, stamp_, id};
    types_[size_] = {begin, size};
    size_ += !found;
    if (size_ * 2 > mask_) grow(text);
    return id;
  }

  // The number of text[begin, begin + size), or `absent`.
  std::uint32_t find(const Unit* text, std::uint32_t begin, std::uint32_t size) const {
    const auto [slot, found] = seek(key_of(text + begin, size * sizeof(Unit)), text, begin, size);
    return entries_[slot].id | (std::uint32_t{found} - 1);
  }

  std::size_t size() const { return size_; }

 private:
  struct Entry {
    TokenKey key;
    std::uint32_t stamp = 0, id = 0;
  };
  struct Found {
    std::size_t slot;
    bool found;
  };

  // Where a token is, or would be.
  Found seek(const TokenKey& key, const Unit* text, std::uint32_t begin, std::uint32_t size) const {
    std::size_t slot = key.hash() & mask_;
    for (;; slot = (slot + 1) & mask_) {
      const Entry& entry = entries_[slot];
      const bool taken = entry.stamp == stamp_, found = taken & (entry.key == key);
      if ((found | !taken) & key.is_exact()) return {slot, found};
      if (!taken || (found && is_type(entry.id, text, begin, size))) return {slot, found};
    }
  }

  bool is_type(std::uint32_t id, const Unit* text, std::uint32_t begin, std::uint32_t size) const {
    const auto& [other, other_size] = types_[id];
    return other_size == size && std::memcmp(text + other, text + begin, size * sizeof(Unit)) == 0;
  }

  // Emptied by a new stamp.
  void make_room(std::size_t slots) {
    if (entries_.size() < slots || ++stamp_ == 0) {
      entries_.assign(std::max(slots, entries_.size()), Entry{});
      types_.resize(entries_.size());
      stamp_ = 1;
    }
    mask_ = slots - 1;
  }

  void grow(const Unit* text) {
    make_room(2 * (mask_ + 1));
    for (std::uint32_t id = 0; id < size_; ++id) {
      const TokenKey key = key_of(text + types_[id].begin, types_[id].size * sizeof(Unit));
      std::size_t slot = key.hash() & mask_;
      while (entries_[slot].stamp == stamp_) slot = (slot + 1) & mask_;
      entries_[slot] = {key, stamp_, id};
    }
  }

  std::vector<Entry> entries_;
  std::vector<Slice> types_;
  std::size_t mask_ = 0;
  std::uint32_t stamp_ = 0, size_ = 0;
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
