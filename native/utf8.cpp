#include "utf8.hpp"

#include <algorithm>
#include <cstring>

namespace tricolore {

namespace {

using Byte = unsigned char;

constexpr std::size_t stretch = 8;  // bytes that are looked at at once

// Whether the next bytes are ASCII; there are as many.
bool is_ascii_stretch(const Byte* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, stretch);
  return (word & 0x8080808080808080u) == 0;
}

bool is_ascii(const Byte* bytes, std::size_t size) {
  std::size_t i = 0;
  for (; i + stretch <= size; i += stretch)
    if (!is_ascii_stretch(bytes + i)) return false;
  for (; i < size; ++i)
    if (bytes[i] >= 0x80) return false;
  return true;
}

// Decode as many code points as there are; returns how many, or `size` + 1 if the bytes are not UTF-8 (RFC 3629).
template <class Unit>
std::size_t decode(const Byte* bytes, std::size_t size, Unit* units) {
  const std::size_t wrong = size + 1;
  std::size_t count = 0;
  for (std::size_t i = 0; i < size;) {
    const std::uint32_t lead = bytes[i];
    if (lead < 0x80) {
      for (; i + stretch <= size && is_ascii_stretch(bytes + i); i += stretch, count += stretch)
        for (std::size_t k = 0; k < stretch; ++k) units[count + k] = bytes[i + k];
      if (i == size || bytes[i] >= 0x80) continue;
      units[count++] = bytes[i++];
      continue;
    }
    const std::size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
    if (length == 0 || length > size - i) return wrong;
    std::uint32_t point = lead & (0x7Fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
      if ((bytes[i + k] & 0xC0) != 0x80) return wrong;
      point = point << 6 | (bytes[i + k] & 0x3Fu);
    }
    const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    if (overlong || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return wrong;
    units[count++] = static_cast<Unit>(point);
    i += length;
  }
  return count;
}

template <class Unit>
TextView decoded_as(const Byte* bytes, std::size_t size, DecodedText& room) {
  room.resize(size * sizeof(Unit) / sizeof(DecodedText::value_type) + 1);
  auto* units = reinterpret_cast<Unit*>(room.data());
  const std::size_t count = decode(bytes, size, units);
  if (count > size) return {nullptr, 0, 0};
  return {units, count, sizeof(Unit)};
}

}  // namespace

TextView decoded(const char* bytes, std::size_t size, DecodedText& room) {
  const auto* first = reinterpret_cast<const Byte*>(bytes);
  if (is_ascii(first, size)) return {bytes, size, 1};
  Byte largest = 0;  // lead bytes grow with code points
  for (std::size_t i = 0; i < size; ++i) largest = std::max(largest, first[i]);
  if (largest < 0xC4) return decoded_as<std::uint8_t>(first, size, room);
  if (largest < 0xF0) return decoded_as<std::uint16_t>(first, size, room);
  return decoded_as<std::uint32_t>(first, size, room);
}

}  // namespace tricolore
