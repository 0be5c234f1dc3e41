#include "word_order.hpp"

#include <algorithm>

#include "interruption.hpp"

namespace tricolore::counting {

void OrderWorkspace::count(const OrderCounting& what, const SegmentView& segment, double* rows) {
  // Words that no reference has must be told apart, too: they are part of contexts.
  reader_.read<Numbering::all>(what.reading, segment, words_);
  const Sequence hypothesis(words_.hypothesis);
  const std::size_t length = hypothesis.size();
  backwards_.assign(hypothesis.rbegin(), hypothesis.rend());
  find_repeats(hypothesis, repeats_);
  find_repeats(backwards_, repeats_backwards_);
  for (std::size_t k = 0; k < words_.reference_ends.size(); ++k) {
    const Sequence reference = words_.reference(k);
    reference_backwards_.assign(reference.rbegin(), reference.rend());
    find_contexts(hypothesis, reference, repeats_, right_);
    find_contexts(backwards_, reference_backwards_, repeats_backwards_, left_);
    aligned_.clear();
    for (std::size_t i = 0; i < length; ++i) {
      const Context &right = right_[i], &left = left_[length - 1 - i];
      const bool left_out = what.as_nltk && i > 0 && left.length == i + 1 && 2 * i > length;
      const bool by_left = left.length != 0 && !left_out &&
                           (right.length == 0 || left.length < right.length + (what.left_first ? 1 : 0));
      if (by_left)
        aligned_.push_back(reference.size() - 1 - left.at);
      else if (right.length != 0)
        aligned_.push_back(right.at);
    }
    *rows++ = static_cast<double>(aligned_.size());
    *rows++ = static_cast<double>(ascending_pairs(reference.size()));
    *rows++ = static_cast<double>(length);
    *rows++ = static_cast<double>(reference.size());
  }
}

// The common prefixes of all pairs of suffixes, from the last suffix to the first: one row of that table is enough.
void OrderWorkspace::find_repeats(Sequence hypothesis, std::vector<std::size_t>& repeats) {
  const std::size_t length = hypothesis.size();
  repeats.assign(length, 0);
  row_.assign(length + 1, 0);
  for (std::size_t i = length; i-- > 0;) {
    check_interrupt(length);
    for (std::size_t j = 0; j < length; ++j) {
      row_[j] = hypothesis[i] == hypothesis[j] ? row_[j + 1] + 1 : 0;
      if (j != i) repeats[i] = std::max(repeats[i], row_[j]);
    }
  }
}

void OrderWorkspace::find_contexts(Sequence hypothesis, Sequence reference, const std::vector<std::size_t>& repeats,
                                   std::vector<Context>& contexts) {
  contexts.assign(hypothesis.size(), Context{});
  row_.assign(reference.size() + 1, 0);
  for (std::size_t i = hypothesis.size(); i-- > 0;) {
    check_interrupt(reference.size());
    Match match;
    for (std::size_t j = 0; j < reference.size(); ++j) {
      const std::size_t common = hypothesis[i] == reference[j] ? row_[j + 1] + 1 : 0;
      row_[j] = common;
      if (common > match.longest) {
        match = {common, match.longest, j};
      } else if (common > match.second) {
        match.second = common;
      }
    }
    const std::size_t shortest = std::max(repeats[i], match.second) + 1;
    if (shortest <= match.longest) contexts[i] = {shortest, match.at};
  }
}

std::uint64_t OrderWorkspace::ascending_pairs(std::size_t places) {
  up_to_.assign(places + 1, 0);
  std::uint64_t pairs = 0;
  for (const std::size_t place : aligned_) {
    for (std::size_t i = place; i > 0; i &= i - 1) pairs += up_to_[i];  // those at places below this one
    for (std::size_t i = place + 1; i <= places; i += i & (~i + 1)) ++up_to_[i];
  }
  return pairs;
}

}  // namespace tricolore::counting
