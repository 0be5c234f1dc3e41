#include "lines.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "characters.hpp"

namespace tricolore::arrow {

namespace {

using Byte = unsigned char;

bool is_continuation(Byte byte) { return (byte & 0xC0) == 0x80; }

// How many bytes the character at the beginning has: 0 if it breaks off, -1 if it is none or zero.
int character_bytes(const Byte* bytes, std::size_t left) {
  const Byte lead = bytes[0];
  if (lead < 0x80) return lead == 0 ? -1 : 1;
  const int length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0) return -1;
  for (int k = 1; k < length; ++k) {
    if (static_cast<std::size_t>(k) == left) return 0;
    if (!is_continuation(bytes[k])) return -1;
    if (k > 1) continue;
    const Byte next = bytes[1];  // overlong forms, surrogates, and beyond Unicode
    if ((lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F)) return -1;
    if ((lead == 0xF0 && next < 0x90) || (lead == 0xF4 && next > 0x8F)) return -1;
  }
  return length;
}

// Whether all are ASCII and none is zero; simple enough for the compiler to look at many at once.
bool is_plain_ascii(const Byte* bytes, std::size_t size) {
  Byte outside = 0;
  for (std::size_t i = 0; i < size; ++i) outside |= static_cast<Byte>(static_cast<Byte>(bytes[i] - 1) | bytes[i]);
  return (outside & 0x80) == 0;
}

// Line feeds, counted in bytes, so that the compiler can count many at once.
std::size_t line_feeds(const Byte* bytes, std::size_t size) {
  constexpr std::size_t most = 128;  // that a byte can count
  std::size_t sum = 0;
  for (std::size_t begin = 0; begin < size; begin += most) {
    const std::size_t end = std::min(size, begin + most);
    Byte few = 0;
    for (std::size_t i = begin; i < end; ++i) few = static_cast<Byte>(few + (bytes[i] == '\n'));
    sum += few;
  }
  return sum;
}

// Where a line ends if white space at its end is left out.
std::size_t stripped(std::string_view line) {
  std::size_t end = line.size();
  while (end > 0) {
    const auto last = static_cast<Byte>(line[end - 1]);
    if (last < 0x80) {
      if (!is_space(last)) break;
      --end;
      continue;
    }
    std::size_t begin = end - 1;
    while (begin > 0 && is_continuation(static_cast<Byte>(line[begin]))) --begin;
    const std::size_t length = end - begin;
    if (length > 3) break;
    char32_t point = static_cast<Byte>(line[begin]) & (0x7Fu >> length);
    for (std::size_t k = begin + 1; k < end; ++k) point = point << 6 | (static_cast<Byte>(line[k]) & 0x3Fu);
    if (!is_space(point)) break;
    end = begin;
  }
  return end;
}

// A cell of Arrow's layout of views: 16 bytes, see `Values::text`.
struct Cell {
  std::int32_t size;
  char prefix[4];
  std::int32_t buffer, begin;
};
static_assert(sizeof(Cell) == 16);

Cell cell_of(const char* data, std::size_t begin, std::size_t size) {
  Cell cell{static_cast<std::int32_t>(size), {}, 0, 0};
  if (size <= 12) {
    std::memcpy(reinterpret_cast<char*>(&cell) + 4, data + begin, size);
  } else {
    std::memcpy(cell.prefix, data + begin, 4);
    cell.begin = static_cast<std::int32_t>(begin);
  }
  return cell;
}

// What an array of lines points to.
struct Held {
  std::vector<Cell> cells;
  const void* buffers[3] = {};
  void* owner = nullptr;
  void (*release)(void*) = nullptr;

  Held() = default;
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { release(owner); }
};

}  // namespace

std::optional<WholeCharacters> whole_characters(std::string_view bytes) {
  constexpr std::size_t stretch = 64;  // short, so that a character that is not ASCII makes few be read one by one
  const auto* first = reinterpret_cast<const Byte*>(bytes.data());
  std::size_t at = 0;
  while (at < bytes.size()) {
    const std::size_t end = std::min(bytes.size(), at + stretch);
    if (is_plain_ascii(first + at, end - at)) {
      at = end;
      continue;
    }
    while (at < end) {
      const int length = character_bytes(first + at, bytes.size() - at);
      if (length < 0) return std::nullopt;
      if (length == 0) return WholeCharacters{at, line_feeds(first, at)};
      at += static_cast<std::size_t>(length);
    }
  }
  return WholeCharacters{at, line_feeds(first, at)};
}

Column column_of_lines(std::string_view bytes, bool strip, void* owner, void (*release)(void*)) {
  auto held = std::make_unique<Held>();
  held->owner = owner;
  held->release = release;
  held->cells.reserve(bytes.size() / 64 + 1);
  for (std::size_t begin = 0; begin < bytes.size();) {
    const void* feed = std::memchr(bytes.data() + begin, '\n', bytes.size() - begin);
    const std::size_t end =
        feed == nullptr ? bytes.size() : static_cast<std::size_t>(static_cast<const char*>(feed) - bytes.data());
    const std::string_view line = bytes.substr(begin, end - begin);
    held->cells.push_back(cell_of(bytes.data(), begin, strip ? stripped(line) : line.size()));
    begin = end + 1;
  }
  held->buffers[1] = held->cells.data();
  held->buffers[2] = bytes.data();
  Schema schema{};
  schema.format = "vu";
  Array array{};
  array.length = static_cast<std::int64_t>(held->cells.size());
  array.n_buffers = 3;
  array.buffers = held->buffers;
  array.release = [](Array* one) {
    delete static_cast<Held*>(one->private_data);
    one->release = nullptr;
  };
  array.private_data = held.release();
  return Column(&schema, &array);
}

}  // namespace tricolore::arrow
