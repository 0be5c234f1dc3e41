// Tokens to small numbers, exactly: a hash table sized to the segment, emptied by a new stamp.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

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

// The bytes of a token as a number: up to eight are their own key, longer ones are folded and must be compared.
// Eight bytes are read at a time, so that many must be readable from the last one on.
inline std::uint64_t key_of(const void* bytes, std::size_t size) {
  auto load = [&](std::size_t i) {
    std::uint64_t word;
    std::memcpy(&word, static_cast<const char*>(bytes) + i, 8);
    return word;
  };
  std::uint64_t key = load(0);
  if (size < 8) return key & ((1ull << (8 * size)) - 1);
  for (std::size_t i = 8; i < size; i += 8) {
    std::uint64_t word = load(i);
    if (size - i < 8) word &= (1ull << (8 * (size - i))) - 1;
    key = (std::rotl(key, 23) ^ word) * 0xD6E8FEB86659FD93ull;
  }
  return key;
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

// The types of a segment, numbered. A type is a slice of the segment's arena.
template <class Unit>
class Vocabulary {
 public:
  struct Slice {
    std::uint32_t begin, size;
  };

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
    const auto& entry = entry_of(text, key_of(text + begin, size * sizeof(Unit)), begin, size);
    return table_.taken(entry) ? entry.value : absent;
  }

  std::size_t size() const { return types_.size(); }

 private:
  using Table = StampedTable<std::uint32_t>;

  typename Table::Entry& entry_of(const Unit* text, std::uint64_t key, std::uint32_t begin, std::uint32_t size) {
    return table_.find(key, key + size, [&](std::uint32_t id) {
      if (types_[id].size != size) return false;
      return size * sizeof(Unit) <= 8 || std::memcmp(text + types_[id].begin, text + begin, size * sizeof(Unit)) == 0;
    });
  }

  void grow(const Unit* text) {
    table_.reset(2 * table_.slots());
    for (std::uint32_t id = 0; id < types_.size(); ++id) {
      const std::uint64_t key = key_of(text + types_[id].begin, types_[id].size * sizeof(Unit));
      table_.take(table_.find(key, key + types_[id].size, [](std::uint32_t) { return false; }), key, id);
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
