#include "grr.hpp"

#include <algorithm>
#include <limits>

#include "interruption.hpp"

namespace tricolore::counting {

namespace {

constexpr double nowhere = -std::numeric_limits<double>::infinity();

}  // namespace

void RecognitionAutomaton::set(Recognition how, std::span<const std::uint32_t> reference, std::uint32_t types) {
  how_ = how;
  reference_ = reference;
  // No run is longer than the reference.
  runs_ = std::min(static_cast<std::size_t>(how.order), positions());
  occurrences_.set(reference, types);
}

void RecognitionAutomaton::clear(std::span<double> values) const { std::fill(values.begin(), values.end(), nowhere); }

void RecognitionAutomaton::begin(std::span<double> values) {
  clear(values);
  values[0] = 0.0;
  skip(values);
}

void RecognitionAutomaton::find_best(std::span<const double> values) {
  best_.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(positions()));
  for (std::size_t m = 1; m < runs_; ++m) {
    const double* of_m = values.data() + m * positions();
    for (std::size_t i = 0; i < positions(); ++i) best_[i] = std::max(best_[i], of_m[i]);
  }
}

void RecognitionAutomaton::read(std::uint32_t word, std::span<const double> before, std::span<double> after) {
  find_best(before);
  const std::size_t size = positions();
  // Insertion and substitution forget the run, so they begin in the best state of each position.
  after[0] = std::max(after[0], best_[0] - how_.alpha);
  for (std::size_t i = 1; i < size; ++i) after[i] = std::max(after[i], std::max(best_[i] - how_.alpha, best_[i - 1]));
  for (const std::uint32_t i : occurrences_.of(word)) {
    for (std::size_t m = 0; m < runs_; ++m) {
      const std::size_t longer = std::min(m + 1, runs_ - 1);
      double& value = after[longer * size + i + 1];
      value = std::max(value, before[m * size + i] + static_cast<double>(m + 1));
    }
  }
}

void RecognitionAutomaton::skip(std::span<double> values) {
  find_best(values);
  for (std::size_t i = 1; i < positions(); ++i) {
    const double skipped = best_[i - 1] - how_.beta;
    values[i] = std::max(values[i], skipped);
    best_[i] = std::max(best_[i], skipped);
  }
}

double RecognitionAutomaton::end(std::span<const double> values) const {
  double best = nowhere;
  for (std::size_t m = 0; m < runs_; ++m) best = std::max(best, values[m * positions() + reference_.size()]);
  return best;
}

void RecognitionWorkspace::count(const RecognitionCounting& what, const SegmentView& segment, double* rows) {
  reader_.read(what.reading, segment, words_);
  for (std::size_t k = 0; k < words_.reference_ends.size(); ++k) {
    const auto reference = words_.reference(k);
    automaton_.set(what.how, reference, words_.types);
    before_.resize(automaton_.states());
    after_.resize(automaton_.states());
    automaton_.begin(before_);
    for (const std::uint32_t word : words_.hypothesis) {
      check_interrupt(automaton_.states());
      automaton_.clear(after_);
      automaton_.read(word, before_, after_);
      automaton_.skip(after_);
      before_.swap(after_);
    }
    std::size_t ngrams = 0;
    for (std::size_t n = 1; n <= static_cast<std::size_t>(what.how.order) && n <= reference.size(); ++n)
      ngrams += reference.size() - n + 1;
    *rows++ = automaton_.end(before_);
    *rows++ = static_cast<double>(ngrams);
  }
}

}  // namespace tricolore::counting
