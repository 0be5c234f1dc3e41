#include "alignment.hpp"

#include <algorithm>
#include <cmath>

#include "interruption.hpp"

namespace tricolore::counting {

void EditScript::find_columns(std::span<const std::uint32_t> reference, std::uint32_t types) {
  constexpr std::size_t little = 1 << 12;
  types_ = types;
  has_all_columns_ = (std::size_t{types} + 1) * strips_ <= little;
  if (has_all_columns_) {
    columns_.assign((std::size_t{types} + 1) * strips_, 0);
    for (std::size_t j = 0; j < reference.size(); ++j)
      if (reference[j] < types) columns_[reference[j] * strips_ + j / 64] |= std::uint64_t{1} << (j % 64);
  } else {
    columns_.assign(strips_, 0);
    occurrences_.set(reference, types);
    shown_ = types;
  }
}

const std::uint64_t* EditScript::columns_of(std::uint32_t word) {
  word = std::min(word, types_);
  if (has_all_columns_) return columns_.data() + word * strips_;
  for (const std::uint32_t j : occurrences_.of(shown_)) columns_[j / 64] = 0;
  for (const std::uint32_t j : occurrences_.of(word)) columns_[j / 64] |= std::uint64_t{1} << (j % 64);
  shown_ = word;
  return columns_.data();
}

void EditScript::next_row(std::uint32_t word, const std::uint64_t* before, std::uint64_t* after) {
  const std::uint64_t* columns = columns_of(word);
  std::uint64_t enters_right = 1, enters_left = 0;  // distances grow down the left edge of the table
  for (std::size_t strip = 0; strip < strips_; ++strip) {
    const std::uint64_t up = before[strip], down = before[strips_ + strip];
    const std::uint64_t vertical = columns[strip] | down, equal = columns[strip] | enters_left;
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
}

template <class OnSteps>
void EditScript::walk_back(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                           std::uint32_t types, OnSteps&& on_steps) {
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
  find_columns(reference, types);
  on_steps('=', suffix);
  const std::size_t row_size = 2 * strips_;
  std::size_t i = hypothesis.size(), j = reference.size();
  const std::size_t fitting = row_size == 0 ? i : room_ / (row_size * sizeof(std::uint64_t));
  const auto root = static_cast<std::size_t>(std::sqrt(static_cast<double>(i)));
  const std::size_t block = std::max(std::max(fitting, root), std::size_t{1});

  // First the rows at which blocks begin; then whole blocks, the last one first.
  const std::size_t last_first = i == 0 ? 0 : (i - 1) / block * block;
  firsts_.resize((last_first / block + 1) * row_size);
  rows_.resize((std::min(block, i) + 1) * row_size);
  std::fill_n(firsts_.begin(), strips_, ~std::uint64_t{0});
  std::fill_n(firsts_.begin() + static_cast<std::ptrdiff_t>(strips_), strips_, 0);
  std::copy_n(firsts_.begin(), row_size, rows_.begin());
  for (std::size_t k = 0; k < last_first; ++k) {
    check_interrupt(row_size);
    std::uint64_t* current = rows_.data() + k % 2 * row_size;
    std::uint64_t* next = rows_.data() + (k + 1) % 2 * row_size;
    next_row(hypothesis[k], current, next);
    if ((k + 1) % block == 0) std::copy_n(next, row_size, firsts_.data() + (k + 1) / block * row_size);
  }
  while (i > 0 && j > 0) {
    const std::size_t first = (i - 1) / block * block;
    std::copy_n(firsts_.data() + first / block * row_size, row_size, rows_.data());
    for (std::size_t k = first; k < i; ++k)
      next_row(hypothesis[k], rows_.data() + (k - first) * row_size, rows_.data() + (k - first + 1) * row_size);
    while (i > first && j > 0) {
      const auto set = [&](const std::uint64_t* bits) { return (bits[(j - 1) / 64] >> ((j - 1) % 64)) & 1; };
      if (set(row(rows_.data(), i - first).up)) {
        on_steps('D', 1);
        --j;
      } else if (set(row(rows_.data(), i - 1 - first).down)) {
        on_steps('I', 1);
        --i;
      } else {
        --i, --j;
        on_steps(hypothesis[i] == reference[j] ? '=' : 'S', 1);
      }
    }
  }
  on_steps('D', j);
  on_steps('I', i);
  on_steps('=', prefix);
}

std::string EditScript::steps(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                              std::uint32_t types) {
  std::string steps;
  steps.reserve(hypothesis.size() + reference.size());
  walk_back(hypothesis, reference, types, [&](char letter, std::size_t times) { steps.append(times, letter); });
  std::reverse(steps.begin(), steps.end());
  return steps;
}

EditScript::Counts EditScript::counts(std::span<const std::uint32_t> hypothesis,
                                      std::span<const std::uint32_t> reference, std::uint32_t types) {
  Counts counts;
  walk_back(hypothesis, reference, types, [&](char letter, std::size_t times) {
    long& count = letter == '='   ? counts.equal
                  : letter == 'S' ? counts.substituted
                  : letter == 'I' ? counts.inserted
                                  : counts.deleted;
    count += static_cast<long>(times);
  });
  return counts;
}

}  // namespace tricolore::counting
