#include "sentence_information.hpp"

#include <algorithm>
#include <cmath>

namespace tricolore::counting {

// From n-grams of the order below to those of `order`: another n-gram and the word after it.
void SentenceInformation::lengthen(Tokens hypothesis, std::span<const Tokens> references, std::size_t order) {
  std::size_t places = 0;
  for (const Tokens& reference : references) places += reference.size();
  numbers_.reset(places);
  counts_before_.swap(counts_);
  counts_.clear();
  prefixes_.clear();
  for (std::size_t k = 0; k < references.size(); ++k) {
    Nodes& nodes = of_references_[k];
    nodes.resize(references[k].size() < order ? 0 : references[k].size() - order + 1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const std::uint32_t node = numbers_.intern(nodes[i], references[k][i + order - 1]);
      if (node == counts_.size()) {
        counts_.push_back(0);
        prefixes_.push_back(nodes[i]);
      }
      ++counts_[node];
      nodes[i] = node;
    }
  }
  of_hypothesis_.resize(hypothesis.size() < order ? 0 : hypothesis.size() - order + 1);
  for (std::size_t i = 0; i < of_hypothesis_.size(); ++i)
    if (of_hypothesis_[i] != absent) of_hypothesis_[i] = numbers_.find(of_hypothesis_[i], hypothesis[i + order - 1]);
}

std::vector<std::vector<double>> SentenceInformation::gains(Tokens hypothesis, std::span<const Tokens> references,
                                                            int order, double log_of_two) {
  std::uint32_t words = 0;
  of_references_.resize(references.size());
  for (std::size_t k = 0; k < references.size(); ++k) {
    words += static_cast<std::uint32_t>(references[k].size());
    of_references_[k].assign(references[k].size(), 0);
  }
  of_hypothesis_.assign(hypothesis.size(), 0);
  counts_.assign(1, words);  // of the empty n-gram

  std::vector<std::vector<double>> found;
  std::vector<std::uint32_t> shared, in_hypothesis, in_reference;
  for (int n = 1; n <= order; ++n) {
    lengthen(hypothesis, references, static_cast<std::size_t>(n));
    shared.clear();
    in_hypothesis.assign(counts_.size(), 0);
    for (const std::uint32_t node : of_hypothesis_)
      if (node != absent && in_hypothesis[node]++ == 0) shared.push_back(node);
    for (const Nodes& nodes : of_references_) {
      in_reference.assign(counts_.size(), 0);
      for (const std::uint32_t node : nodes) ++in_reference[node];
      std::vector<double>& gains = found.emplace_back();
      for (const std::uint32_t node : shared) {
        const double before = counts_before_[prefixes_[node]], here = counts_[node];
        const std::uint32_t matches = std::min(in_hypothesis[node], in_reference[node]);
        if (matches > 0 && before != here) gains.push_back(std::log(before / here) / log_of_two * matches);
      }
    }
  }
  return found;
}

}  // namespace tricolore::counting
