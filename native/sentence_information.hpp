// NIST's information of the n-grams of one segment, learnt from its own references.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vocabulary.hpp"

namespace tricolore::counting {

class SentenceInformation {
 public:
  using Tokens = std::span<const std::uint32_t>;

  // For every order, and in it for every reference: what the n-grams that the hypothesis shares with it contribute,
  // information times matches, in the order in which the hypothesis has them first. What adds nothing is left out.
  //
  //   information of w₁ … wₙ = log₂ (count of w₁ … wₙ₋₁ / count of w₁ … wₙ)
  //
  // `log_of_two` divides natural logarithms, so that results are those of Python's math.log(x, 2) to the last bit.
  std::vector<std::vector<double>> gains(Tokens hypothesis, std::span<const Tokens> references, int order,
                                         double log_of_two);

 private:
  using Nodes = std::vector<std::uint32_t>;  // the n-gram that begins at each place

  void lengthen(Tokens hypothesis, std::span<const Tokens> references, std::size_t order);

  PairNumbers numbers_;
  Nodes of_hypothesis_;
  std::vector<Nodes> of_references_;
  std::vector<std::uint32_t> counts_, counts_before_, prefixes_;  // in all references, by n-gram
};

}  // namespace tricolore::counting
