#include "corpus_information.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "interruption.hpp"

namespace tricolore::counting {

namespace {

// A sum as Python's `sum` takes it: from 3.12 on by Neumaier's method.
class Sum {
 public:
  explicit Sum(Summing how) : how_(how) {}

  void add(double x) {
    const double next = total_ + x;
    if (how_.compensated) lost_ += std::abs(total_) >= std::abs(x) ? (total_ - next) + x : (x - next) + total_;
    total_ = next;
  }

  double value() const { return total_ + lost_; }

 private:
  Summing how_;
  double total_ = 0.0, lost_ = 0.0;
};

}  // namespace

CorpusInformation::Text CorpusInformation::text(std::size_t t) const {
  return {t == 0 ? 0 : corpus_.text_ends[t - 1], corpus_.text_ends[t]};
}

// Single words: their numbers are their nodes.
void CorpusInformation::start() {
  std::size_t words = 0;
  nodes_.assign(corpus_.words.begin(), corpus_.words.end());
  for (std::uint32_t& node : nodes_) node -= corpus_.first_word;
  counts_.assign(corpus_.types, 0);
  std::size_t t = 0;
  for (const std::size_t last : corpus_.segment_ends) {
    for (++t; t < last; ++t) {  // all but the hypothesis
      const auto [begin, end] = text(t);
      for (std::size_t i = begin; i < end; ++i) ++counts_[nodes_[i]];
      words += end - begin;
    }
  }
  prefix_counts_.assign(corpus_.types, static_cast<std::uint32_t>(words));
  occurrences_.assign(corpus_.types, {});
}

// Replace the n-grams of a text by those a word longer, each made by use(shorter one, word). Where the shorter one
// occurs once, so does what begins with it, which has no information then, and is left out.
template <class Use>
void CorpusInformation::for_longer(const Text& text, std::size_t order, Use&& use) {
  const std::size_t size = text.end - text.begin, places = size < order ? 0 : size - order + 1;
  std::uint32_t* const nodes = nodes_.data() + text.begin;
  const std::uint32_t* const last_words = corpus_.words.data() + text.begin + order - 1;
  for (std::size_t i = 0; i < places; ++i) {
    if (nodes[i] != absent && counts_before_[nodes[i]] < 2) nodes[i] = absent;
    if (nodes[i] != absent) numbers_.expect(nodes[i], last_words[i]);
  }
  for (std::size_t i = 0; i < places; ++i)
    if (nodes[i] != absent) nodes[i] = use(nodes[i], last_words[i]);
  if (places < size) nodes[places] = absent;
}

// From n-grams of the order below to those of `order`, in references.
void CorpusInformation::lengthen(std::size_t order) {
  counts_before_.swap(counts_);
  counts_.clear();
  prefix_counts_.clear();
  std::size_t t = 0, open = 0;
  for (const std::uint32_t count : counts_before_)
    if (count >= 2) open += count;
  numbers_.reset(open);
  for (const std::size_t last : corpus_.segment_ends) {
    for (++t; t < last; ++t) {
      const Text reference = text(t);
      for_longer(reference, order, [&](std::uint32_t node, std::uint32_t word) {
        const std::uint32_t longer = numbers_.intern(node, word);
        if (longer == counts_.size()) {
          counts_.push_back(0);
          prefix_counts_.push_back(counts_before_[node]);
        }
        ++counts_[longer];
        return longer;
      });
      check_interrupt(8 * (reference.end - reference.begin));
    }
  }
  occurrences_.assign(counts_.size(), {});
}

// What the hypothesis at hand gains from a reference.
double CorpusInformation::gained_from(const Text& reference) {
  for (std::size_t i = reference.begin; i < reference.end; ++i)
    if (nodes_[i] != absent) ++occurrences_[nodes_[i]].in_reference;
  Sum sum(summing_);
  for (const std::uint32_t node : shared_) {
    Occurrences& of_node = occurrences_[node];
    const std::uint32_t matches = std::min(of_node.in_hypothesis, of_node.in_reference);
    if (matches == 0) continue;
    of_node.matched = true;
    const double before = prefix_counts_[node], here = counts_[node];
    if (before != here) sum.add(std::log(before / here) / log_of_two_ * matches);
  }
  for (std::size_t i = reference.begin; i < reference.end; ++i)
    if (nodes_[i] != absent) occurrences_[nodes_[i]].in_reference = 0;
  return sum.value();
}

// Add a segment, of texts from `first` to `last`, to the sums of an order.
void CorpusInformation::count_segment(std::size_t first, std::size_t last, std::size_t order, Order& sums) {
  const Text hypothesis = text(first);
  const std::size_t size = hypothesis.end - hypothesis.begin;
  if (order > 1)
    for_longer(hypothesis, order, [&](std::uint32_t node, std::uint32_t word) { return numbers_.find(node, word); });
  shared_.clear();
  for (std::size_t i = hypothesis.begin; i < hypothesis.end; ++i)
    if (nodes_[i] != absent && occurrences_[nodes_[i]].in_hypothesis++ == 0) shared_.push_back(nodes_[i]);

  std::pair<double, std::size_t> best{-1.0, 0};
  for (std::size_t t = first + 1; t < last; ++t)
    best = std::max(best, {gained_from(text(t)), text(t).end - text(t).begin});
  sums.gained += best.first;
  sums.reference_words += best.second;
  sums.ngrams += size < order ? 0 : size - order + 1;

  // What no reference of the segment has, none has with a word more.
  for (std::size_t i = hypothesis.begin; i < hypothesis.end; ++i)
    if (nodes_[i] != absent && !occurrences_[nodes_[i]].matched) nodes_[i] = absent;
  for (const std::uint32_t node : shared_) occurrences_[node] = {};
  check_interrupt(8 * size);
}

std::vector<CorpusInformation::Order> CorpusInformation::gains(const NumberedCorpus& corpus, int order,
                                                               double log_of_two, Summing summing) {
  if (corpus.words.size() >= absent)
    throw std::length_error("a corpus of more than four thousand million words cannot be counted");
  corpus_ = corpus;
  log_of_two_ = log_of_two;
  summing_ = summing;
  std::vector<Order> found;
  for (int n = 1; n <= order; ++n) {
    if (n == 1) {
      start();
    } else {
      lengthen(static_cast<std::size_t>(n));
    }
    Order& sums = found.emplace_back();
    std::size_t first = 0;
    for (const std::size_t last : corpus.segment_ends) {
      count_segment(first, last, static_cast<std::size_t>(n), sums);
      first = last;
    }
  }
  return found;
}

}  // namespace tricolore::counting
