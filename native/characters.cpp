#include "characters.hpp"

#include <cstddef>
#include <memory>

namespace tricolore {

namespace {

constexpr std::size_t code_points = 0x110000;

std::unique_ptr<std::uint8_t[]> make_table() {
  auto table = std::make_unique<std::uint8_t[]>(code_points);
  for (const auto& range : unicode_ranges)
    for (char32_t c = range.first; c <= range.last; ++c) table[c] = range.kind;
  return table;
}

}  // namespace

Category category(char32_t c) {
  static const auto table = make_table();  // initialised once, safely, by the first thread to come
  return c < code_points ? static_cast<Category>(table[c]) : Category::other;
}

}  // namespace tricolore
