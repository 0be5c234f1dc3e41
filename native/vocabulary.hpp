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

template <class Unit>
class Vocabulary {
 public:
  struct Slice {
    std::uint32_t begin, size;
  };

  // `expected` types fit without growing; more are taken too.
  void reset(std::size_t expected) {
    make_room(slots_for(expected));
    types_.clear();
  }

  // The number of text[begin, begin + size), given a new one if it has none.
  std::uint32_t intern(const Unit* text, std::uint32_t begin, std::uint32_t size) {
    const std::uint64_t key = key_of(text + begin, size * sizeof(Unit));
    for (std::size_t slot = mix(key + size) & mask_;; slot = (slot + 1) & mask_) {
      Entry& entry = table_[slot];
      if (entry.stamp != stamp_) {
        const auto id = static_cast<std::uint32_t>(types_.size());
        entry = {key, stamp_, id};
        types_.push_back({begin, size});
        if (types_.size() * 2 > mask_) grow(text);
        return id;
      }
      if (entry.key == key && same(text, types_[entry.id], begin, size)) return entry.id;
    }
  }

  // The number of text[begin, begin + size), or `absent`.
  std::uint32_t find(const Unit* text, std::uint32_t begin, std::uint32_t size) const {
    const std::uint64_t key = key_of(text + begin, size * sizeof(Unit));
    for (std::size_t slot = mix(key + size) & mask_;; slot = (slot + 1) & mask_) {
      const Entry& entry = table_[slot];
      if (entry.stamp != stamp_) return absent;
      if (entry.key == key && same(text, types_[entry.id], begin, size)) return entry.id;
    }
  }

  const std::vector<Slice>& types() const { return types_; }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t stamp = 0;
    std::uint32_t id = 0;
  };

  void make_room(std::size_t slots) {
    if (table_.size() < slots || ++stamp_ == 0) {
      table_.assign(slots > table_.size() ? slots : table_.size(), Entry{});
      stamp_ = 1;
    }
    mask_ = slots - 1;  // a small segment touches only the front of a large table
  }

  void grow(const Unit* text) {
    make_room(2 * (mask_ + 1));
    for (std::uint32_t id = 0; id < types_.size(); ++id) {
      const std::uint64_t key = key_of(text + types_[id].begin, types_[id].size * sizeof(Unit));
      std::size_t slot = mix(key + types_[id].size) & mask_;
      while (table_[slot].stamp == stamp_) slot = (slot + 1) & mask_;
      table_[slot] = {key, stamp_, id};
    }
  }

  static bool same(const Unit* text, const Slice& type, std::uint32_t begin, std::uint32_t size) {
    if (type.size != size) return false;
    if (size * sizeof(Unit) <= 8) return true;
    return std::memcmp(text + type.begin, text + begin, size * sizeof(Unit)) == 0;
  }

  std::vector<Entry> table_;
  std::vector<Slice> types_;
  std::size_t mask_ = 0;
  std::uint32_t stamp_ = 0;
};

// Pairs of numbers to numbers 0, 1, 2, ...; emptied by a new stamp like Vocabulary.
class PairNumbers {
 public:
  void reset(std::size_t most) {
    const std::size_t slots = slots_for(most);
    if (table_.size() < slots || ++stamp_ == 0) {
      table_.assign(slots > table_.size() ? slots : table_.size(), Entry{});
      stamp_ = 1;
    }
    mask_ = slots - 1;
    count_ = 0;
  }

  std::uint32_t intern(std::uint32_t a, std::uint32_t b) {
    Entry& entry = probe(a, b);
    if (entry.stamp != stamp_) entry = {pack(a, b), stamp_, count_++};
    return entry.id;
  }

  std::uint32_t find(std::uint32_t a, std::uint32_t b) {
    const Entry& entry = probe(a, b);
    return entry.stamp == stamp_ ? entry.id : absent;
  }

  std::uint32_t size() const { return count_; }

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t stamp = 0;
    std::uint32_t id = 0;
  };

  static std::uint64_t pack(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }

  Entry& probe(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t key = pack(a, b);
    std::size_t slot = mix(key) & mask_;
    while (table_[slot].stamp == stamp_ && table_[slot].key != key) slot = (slot + 1) & mask_;
    return table_[slot];
  }

  std::vector<Entry> table_;
  std::size_t mask_ = 0;
  std::uint32_t stamp_ = 0;
  std::uint32_t count_ = 0;
};

}  // namespace tricolore
