#include "alignment.hpp"

#include <algorithm>
#include <cmath>

#include "interruption.hpp"

namespace tricolore::counting {

void EditScript::next_row(std::uint32_t word, const std::uint64_t* before, std::uint64_t* after) {
  for (const std::uint32_t j : occurrences_.of(word)) equal_[j / 64] |= std::uint64_t{1} << (j % 64);
  std::uint64_t enters_right = 1, enters_left = 0;  // distances grow down the left edge of the table
  for (std::size_t strip = 0; strip < strips_; ++strip) {
    const std::uint64_t up = before[strip], down = before[strips_ + strip];
    const std::uint64_t vertical = equal_[strip] | down, equal = equal_[strip] | enters_left;
    const std::uint64_t diagonal = (((equal & up) + up) ^ up) | equal;
    std::uint64_t right = down | ~(diagonal | up), left = diagonal & up;
    const std::uint64_t leaves_right = right >> 63, leaves_left = left >> 63;
    right = (right << 1) | enters_right;
    left = (left << 1) | enters_left;
    after[strip] = left | ~(vertical | right);
    after[strips_ + strip] = right & vertical;
    enters_right = leaves_right;
    enters_left = leaves_left;
  }
  for (const std::uint32_t j : occurrences_.of(word)) equal_[j / 64] = 0;
}

std::string EditScript::steps(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                              std::uint32_t types) {
  const auto prefix = static_cast<std::size_t>(
      std::mismatch(hypothesis.begin(), hypothesis.end(), reference.begin(), reference.end()).first -
      hypothesis.begin());
  hypothesis = hypothesis.subspan(prefix);
  reference = reference.subspan(prefix);
  const auto suffix = static_cast<std::size_t>(
      std::mismatch(hypothesis.rbegin(), hypothesis.rend(), reference.rbegin(), reference.rend()).first -
      hypothesis.rbegin());
  hypothesis = hypothesis.first(hypothesis.size() - suffix);
  reference = reference.first(reference.size() - suffix);

  strips_ = (reference.size() + 63) / 64;
  equal_.assign(strips_, 0);
  occurrences_.set(reference, types);
  std::string steps(suffix, '=');  // from the end on
  const std::size_t row_size = 2 * strips_;
  std::size_t i = hypothesis.size(), j = reference.size();
  const std::size_t fitting = row_size == 0 ? i : room_ / (row_size * sizeof(std::uint64_t));
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(i)));
  const std::size_t block = std::max(std::max(fitting, root), std::size_t{1});

  // First the rows at which blocks begin; then whole blocks, the last one first.
  const std::size_t last_first = i == 0 ? 0 : (i - 1) / block * block;
  std::vector<std::uint64_t> firsts((last_first / block + 1) * row_size), rows((std::min(block, i) + 1) * row_size);
  std::fill_n(firsts.begin(), strips_, ~std::uint64_t{0});
  std::copy_n(firsts.begin(), row_size, rows.begin());
  for (std::size_t k = 0; k < last_first; ++k) {
    check_interrupt(row_size);
    std::uint64_t* current = rows.data() + k % 2 * row_size;
    std::uint64_t* next = rows.data() + (k + 1) % 2 * row_size;
    next_row(hypothesis[k], current, next);
    if ((k + 1) % block == 0) std::copy_n(next, row_size, firsts.data() + (k + 1) / block * row_size);
  }
  while (i > 0 && j > 0) {
    const std::size_t first = (i - 1) / block * block;
    std::copy_n(firsts.data() + first / block * row_size, row_size, rows.data());
    for (std::size_t k = first; k < i; ++k)
      next_row(hypothesis[k], rows.data() + (k - first) * row_size, rows.data() + (k - first + 1) * row_size);
    while (i > first && j > 0) {
      const auto set = [&](const std::uint64_t* bits) { return (bits[(j - 1) / 64] >> ((j - 1) % 64)) & 1; };
      if (set(row(rows.data(), i - first).up)) {
        steps.push_back('D');
        --j;
      } else if (set(row(rows.data(), i - 1 - first).down)) {
        steps.push_back('I');
        --i;
      } else {
        --i, --j;
        steps.push_back(hypothesis[i] == reference[j] ? '=' : 'S');
      }
    }
  }
  steps.append(j, 'D').append(i, 'I').append(prefix, '=');
  std::reverse(steps.begin(), steps.end());
  return steps;
}

}  // namespace tricolore::counting
