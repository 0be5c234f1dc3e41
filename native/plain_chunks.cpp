#include "plain_chunks.hpp"

#include <algorithm>
#include <numeric>

#include "interruption.hpp"

namespace tricolore::counting {

std::optional<PlainChunks::Found> PlainChunks::find(std::span<const std::uint32_t> hypothesis,
                                                    std::span<const std::uint32_t> reference, std::uint32_t types) {
  hypothesis_ = hypothesis;
  reference_ = reference;
  if (types_.size() < types) types_.resize(types);
  const std::int32_t matches = note_types();
  const bool all_bonds = find_bonds();
  for (const std::uint32_t word : reference) types_[word] = {};
  if (!all_bonds) return std::nullopt;

  disputed_.clear();
  for (const Bond& bond : bonds_)
    if ((uses_[bond.at] | uses_[bond.at + 1] | reference_uses_[bond.place] | reference_uses_[bond.place + 1]) > 1)
      disputed_.push_back({bond.at, bond.place, bond.first_place});
  std::size_t kept = bonds_.size() - disputed_.size();
  if (!disputed_.empty()) {
    if (!find_conflicts()) return std::nullopt;
    const auto most = sets_.largest(disputed_, conflicts_);
    if (!most) return std::nullopt;
    kept += *most;
  }
  return Found{matches, matches - static_cast<std::int32_t>(kept)};
}

// Where each type stands in the reference; how many words can be matched.
std::int32_t PlainChunks::note_types() {
  next_.resize(reference_.size());
  for (std::size_t j = reference_.size(); j-- > 0;) {
    Type& type = types_[reference_[j]];
    next_[j] = type.first;
    type.first = static_cast<std::uint32_t>(j + 1);
    ++type.left;
  }
  std::int32_t matches = 0;
  for (const std::uint32_t word : hypothesis_) {
    Type& type = types_[word];
    if (type.left == 0) continue;
    --type.left;
    ++matches;
  }
  return matches;
}

// False if there are too many.
bool PlainChunks::find_bonds() {
  bonds_.clear();
  uses_.assign(hypothesis_.size(), 0);
  reference_uses_.assign(reference_.size(), 0);
  std::size_t looked = 0;
  for (std::uint32_t i = 0; i + 1 < hypothesis_.size(); ++i) {
    const std::uint32_t following = hypothesis_[i + 1];
    if (types_[following].first == 0) continue;
    const std::size_t before = bonds_.size(), looked_before = looked;
    for (std::uint32_t next = types_[hypothesis_[i]].first; next != 0; next = next_[next - 1]) {
      const std::uint32_t j = next - 1;
      ++looked;
      if (next == reference_.size() || reference_[next] != following) continue;
      const bool goes_on = i > 0 && j > 0 && hypothesis_[i - 1] == reference_[j - 1];
      uses_[i] += !goes_on;
      reference_uses_[j] += !goes_on;
      ++uses_[i + 1];
      ++reference_uses_[next];
      bonds_.push_back({i, j, j});
      bonds_.back().first_place = bonds_[before].place;
    }
    check_interrupt(looked - looked_before);
    if (bonds_.size() > most_bonds || looked > most_pairs) return false;
  }
  return true;
}

// Which of the disputed bonds exclude each other; false if too many do.
bool PlainChunks::find_conflicts() {
  conflicts_.clear();
  const auto add = [&](std::uint32_t a, std::uint32_t b) {
    const GridNode &one = disputed_[a], &other = disputed_[b];
    if (other.column - one.column != other.row - one.row) conflicts_.emplace_back(a, b);
  };
  const auto size = static_cast<std::uint32_t>(disputed_.size());
  for (std::uint32_t a = 0; a < size; ++a) {
    for (std::uint32_t b = a + 1; b < size && disputed_[b].row <= disputed_[a].row + 1; ++b) add(a, b);
    if (conflicts_.size() > most_edges) return false;
  }
  by_column_.resize(size);
  std::iota(by_column_.begin(), by_column_.end(), 0);
  std::sort(by_column_.begin(), by_column_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return disputed_[a].column < disputed_[b].column; });
  for (std::uint32_t k = 0; k < size; ++k) {
    const std::uint32_t a = by_column_[k];
    for (std::uint32_t l = k + 1; l < size; ++l) {
      const std::uint32_t b = by_column_[l];
      if (disputed_[b].column > disputed_[a].column + 1) break;
      const std::uint32_t gap = disputed_[b].row - disputed_[a].row;
      if (gap + 1 > 2) add(a, b);  // nearer ones have been found by their rows
    }
    if (conflicts_.size() > most_edges) return false;
  }
  return true;
}

}  // namespace tricolore::counting
