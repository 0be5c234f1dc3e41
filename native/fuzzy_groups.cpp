#include "fuzzy_groups.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "interruption.hpp"
#include "lanes.hpp"
#include "processors.hpp"

namespace tricolore::counting {

namespace {

constexpr std::size_t wide = 2, lanes = 4 * wide, bits = 64;

// Rounding must not rule out what is just similar enough; what it lets through is looked at again.
constexpr double slack = 1e-6;

std::uint64_t low_bits(std::size_t number) {
  return number >= bits ? ~std::uint64_t{0} : (std::uint64_t{1} << number) - 1;
}

}  // namespace

FuzzyGroup::FuzzyGroup(const FuzzyCounting& what, std::span<const TextView> texts, std::size_t hypotheses)
    : what_(what), hypotheses_(hypotheses) {
  FuzzyReader reader;
  const SegmentView segment{{nullptr, 0, 1, !texts.empty() && texts.front().ids}, texts};
  reader.read(segment, none_, texts_);
  characters_ = reader.characters();
  if (!fits()) return;
  number_grams();
  std::size_t longest = 0;
  for (const FuzzyText& text : texts_) longest = std::max(longest, text.characters.size());
  for (std::size_t length = 0; length <= longest; ++length)
    limits_.push_back(static_cast<int>((1.0 - what.threshold) * static_cast<double>(length) + slack));
  constexpr std::size_t room = std::size_t{32} << 20;  // bytes for what is known of n-grams and references
  block_ = std::clamp<std::size_t>(room / sizeof(double) / std::max<std::size_t>(grams_.size(), 1), 16, 256);
}

bool FuzzyGroup::fits() const {
  const auto order = static_cast<std::size_t>(what_.order);
  if (static_cast<std::size_t>(what_.order) > most_orders) return false;
  for (std::size_t i = 0; what_.limit > 0 && i < texts_.size(); ++i) {
    if (i >= hypotheses_ && !what_.sample_reference) break;
    if (texts_[i].words.size() > what_.limit / (i < hypotheses_ ? order : 2 * order)) return false;
  }
  return true;
}

void FuzzyGroup::number_grams() {
  const auto orders = static_cast<std::size_t>(what_.order);
  std::size_t most = 0;
  for (std::size_t i = 0; i < hypotheses_; ++i) most += texts_[i].words.size() * orders;
  PairNumbers pairs;
  pairs.reset(most);
  std::vector<std::uint32_t> numbers;
  std::vector<std::size_t> seen;  // of each n-gram, where it is among those of the text, if it is there
  for (std::size_t t = 0; t < hypotheses_; ++t) {
    const FuzzyText& text = texts_[t];
    const std::size_t begin = sought_.size();
    for (std::size_t i = 0; i < text.words.size(); ++i) {
      numbers.clear();
      std::uint32_t gram = absent;
      for (std::size_t k = 1; k <= orders && i + k <= text.words.size(); ++k) {
        gram = pairs.intern(gram, text.words[i + k - 1]);
        if (gram == grams_.size()) {
          grams_.push_back({});
          seen.push_back(absent);
        }
        numbers.push_back(gram);
        std::size_t& at = seen[gram];
        if (at == absent || at < begin) {
          at = sought_.size();
          sought_.push_back({gram, static_cast<std::uint32_t>(k), 1});
        } else if (++sought_[at].count == 2 && grams_[gram].repeated == absent) {
          grams_[gram].repeated = repeated_++;
        }
      }
      add_pattern(text, i, numbers.data(), numbers.size());
    }
    sought_ends_.push_back(sought_.size());
  }
  const auto middle = std::stable_partition(patterns_.begin(), patterns_.end(),
                                            [](const Pattern& pattern) { return pattern.length <= bits; });
  short_ = static_cast<std::size_t>(middle - patterns_.begin());
}

// The n-grams that begin at a place, but for those that began at another before.
void FuzzyGroup::add_pattern(const FuzzyText& text, std::size_t place, const std::uint32_t* grams, std::size_t orders) {
  const std::size_t first = pattern_grams_.size();
  for (std::size_t k = 1; k <= orders; ++k) {
    Gram& gram = grams_[grams[k - 1]];
    if (gram.length > 0) continue;
    gram.length = text.size_of(place, k);
    pattern_grams_.push_back({grams[k - 1], gram.length});
  }
  if (pattern_grams_.size() == first) return;
  const std::uint32_t longest = pattern_grams_.back().length;
  patterns_.push_back({text.characters.data() + text.begins[place], first, pattern_grams_.size(), longest});
}

void FuzzyGroup::count(Workspace& workspace, std::size_t block, double* rows) const {
  const std::size_t first = block * block_, last = std::min(references(), first + block_);
  grow_tree(workspace, first, last);
  workspace.best.assign(grams_.size() * block_, 0.0);
  for (auto& similar : workspace.similar) similar.clear();
  workspace.similar.resize(repeated_ * block_);
  for (std::size_t p = 0; p < short_; p += lanes) {
    check_interrupt(64 * workspace.nodes.size());
    seek_short(workspace, p, std::min(lanes, short_ - p));
  }
  for (std::size_t p = short_; p < patterns_.size(); ++p) {
    check_interrupt(64 * workspace.nodes.size());
    seek_long(workspace, patterns_[p]);
  }
  write(workspace, first, last, rows);
}

void FuzzyGroup::grow_tree(Workspace& workspace, std::size_t first, std::size_t last) const {
  const std::size_t orders = 2 * static_cast<std::size_t>(what_.order);
  auto& [pairs, children, found, postings, posting_ends, nodes, masks, up, down, best, similar, hits] = workspace;
  std::size_t most = 0;
  for (std::size_t r = first; r < last; ++r) most += texts_[hypotheses_ + r].words.size() * orders;
  pairs.reset(most);
  children.assign(1, {absent, absent, absent, nullptr, nullptr, 0});  // the root; an n-gram's child is its number + 1
  found.clear();
  std::vector<std::size_t> last_posting;
  for (std::size_t r = first; r < last; ++r) {
    const FuzzyText& text = texts_[hypotheses_ + r];
    const std::size_t begin = found.size();
    for (std::size_t i = 0; i < text.words.size(); ++i) {
      std::uint32_t gram = absent;
      for (std::size_t k = 1; k <= orders && i + k <= text.words.size(); ++k) {
        const std::uint32_t parent = gram == absent ? 0 : gram + 1;
        gram = pairs.intern(gram, text.words[i + k - 1]);
        if (gram + 1 == children.size()) {
          const std::uint32_t* characters = text.characters.data();
          const std::uint32_t from = k == 1 ? text.begins[i] : text.ends[i + k - 2], to = text.ends[i + k - 1];
          children.push_back({text.words[i + k - 1], absent, children[parent].first_child, characters + from,
                              characters + to, text.size_of(i, k)});
          children[parent].first_child = gram + 1;
          last_posting.push_back(absent);
        }
        std::size_t& at = last_posting[gram];
        if (at != absent && at >= begin) {
          ++found[at].count;
        } else {
          at = found.size();
          found.push_back({gram, static_cast<std::uint32_t>(r - first), 1, static_cast<std::uint32_t>(i)});
        }
      }
    }
  }
  // The postings of each n-gram side by side.
  posting_ends.assign(children.size(), 0);
  for (const auto& posting : found) ++posting_ends[posting.node + 1];
  for (std::size_t n = 1; n < posting_ends.size(); ++n) posting_ends[n] += posting_ends[n - 1];
  std::vector<std::size_t> next(posting_ends.begin(), posting_ends.end() - 1);
  postings.resize(found.size());
  for (const auto& posting : found) postings[next[posting.node]++] = posting;
  nodes.clear();
  for (std::uint32_t c = children[0].first_child; c != absent; c = children[c].sibling) flatten(workspace, c, 1);
}

// Depth first; the tree is no deeper than the orders.
void FuzzyGroup::flatten(Workspace& workspace, std::uint32_t child, std::uint32_t order) const {
  const auto& one = workspace.children[child];
  const std::size_t at = workspace.nodes.size();
  const double shortest = what_.threshold * one.length - slack;
  const double longest = one.length / std::max(what_.threshold, slack) + slack;
  workspace.nodes.push_back({one.begin, one.end, one.length, order,
                             static_cast<std::uint32_t>(std::ceil(std::max(shortest, 0.0))),
                             static_cast<std::uint32_t>(std::min(longest, static_cast<double>(absent))), 0,
                             workspace.posting_ends[child - 1], workspace.posting_ends[child]});
  for (std::uint32_t c = one.first_child; c != absent; c = workspace.children[c].sibling)
    flatten(workspace, c, order + 1);
  workspace.nodes[at].after = workspace.nodes.size();
}

// As FuzzyWorkspace::seek_short, but from n-gram to longer n-gram down the tree; the bits of each depth are kept.
TRICOLORE_FOR_EACH_PROCESSOR
void FuzzyGroup::seek_short(Workspace& workspace, std::size_t pattern, std::size_t size) const {
  const FourWords zeros{}, ones = ~zeros;
  auto& masks = workspace.masks;
  masks.assign(characters_ * lanes, 0);
  std::uint32_t longest = 0;
  for (std::size_t lane = 0; lane < size; ++lane) {
    const Pattern& one = patterns_[pattern + lane];
    longest = std::max(longest, one.length);
    for (std::size_t p = 0; p < one.length; ++p) masks[one.begin[p] * lanes + lane] |= std::uint64_t{1} << p;
  }
  FourWords ups[2 * most_orders + 1][wide], downs[2 * most_orders + 1][wide];
  // One by one: algorithms of the standard library would expect them where compilers put their own vectors.
  for (std::size_t w = 0; w < wide; ++w) ups[0][w] = ones, downs[0][w] = zeros;
  const auto& nodes = workspace.nodes;
  for (std::size_t n = 0; n < nodes.size();) {
    const Workspace::Node& node = nodes[n];
    if (longest < node.shortest) {  // what is longer yet is too long, too
      n = node.after;
      continue;
    }
    FourWords up[wide], down[wide];
    for (std::size_t w = 0; w < wide; ++w) up[w] = ups[node.order - 1][w], down[w] = downs[node.order - 1][w];
    for (const std::uint32_t* character = node.begin; character != node.end; ++character) {
      for (std::size_t w = 0; w < wide; ++w) {
        const FourWords equal = at(masks.data() + *character * lanes + 4 * w);
        const FourWords diagonal = (((equal & up[w]) + up[w]) ^ up[w]) | equal | down[w];
        const FourWords above = down[w] | ~(diagonal | up[w]), below = diagonal & up[w];
        const FourWords right = (above + above) - ones, left = below + below;  // shifted; a one comes in on the right
        up[w] = left | ~(diagonal | right);
        down[w] = right & diagonal;
      }
    }
    for (std::size_t w = 0; w < wide; ++w) ups[node.order][w] = up[w], downs[node.order][w] = down[w];
    for (std::size_t lane = 0; lane < size; ++lane) {
      const Pattern& one = patterns_[pattern + lane];
      const std::uint64_t ups_here = up[lane / 4][lane % 4], downs_here = down[lane / 4][lane % 4];
      for (std::size_t s = one.last; s-- > one.first;) {  // the longest first
        const auto [gram, length] = pattern_grams_[s];
        if (length < node.shortest) break;  // no distance is less than the difference in length
        if (length > node.longest) continue;
        const std::uint64_t inside = ~std::uint64_t{0} >> (bits - length);
        const int distance =
            static_cast<int>(node.length) + std::popcount(ups_here & inside) - std::popcount(downs_here & inside);
        if (distance <= limits_[std::max(length, node.length)]) consider(workspace, gram, distance, node);
      }
    }
    ++n;
  }
}

// The same for one pattern of more than 64 characters: every character goes through all strips of it.
void FuzzyGroup::seek_long(Workspace& workspace, const Pattern& pattern) const {
  const std::size_t strips = (pattern.length + bits - 1) / bits;
  workspace.masks.assign(characters_ * strips, 0);
  for (std::size_t p = 0; p < pattern.length; ++p)
    workspace.masks[pattern.begin[p] * strips + p / bits] |= std::uint64_t{1} << (p % bits);
  workspace.up.resize((2 * most_orders + 1) * strips);
  workspace.down.resize(workspace.up.size());
  std::fill_n(workspace.up.begin(), strips, ~std::uint64_t{0});
  std::fill_n(workspace.down.begin(), strips, 0);
  const auto& nodes = workspace.nodes;
  for (std::size_t n = 0; n < nodes.size();) {
    const Workspace::Node& node = nodes[n];
    if (pattern.length < node.shortest) {
      n = node.after;
      continue;
    }
    std::uint64_t *up = workspace.up.data() + node.order * strips, *down = workspace.down.data() + node.order * strips;
    std::copy_n(up - strips, strips, up);
    std::copy_n(down - strips, strips, down);
    for (const std::uint32_t* at = node.begin; at != node.end; ++at) {
      std::uint64_t enters_right = 1, enters_left = 0;
      for (std::size_t strip = 0; strip < strips; ++strip) {
        std::uint64_t equal = workspace.masks[*at * strips + strip];
        const std::uint64_t vertical = equal | down[strip];
        equal |= enters_left;
        const std::uint64_t diagonal = (((equal & up[strip]) + up[strip]) ^ up[strip]) | equal;
        const std::uint64_t right = down[strip] | ~(diagonal | up[strip]), left = up[strip] & diagonal;
        up[strip] = ((left << 1) | enters_left) | ~(vertical | ((right << 1) | enters_right));
        down[strip] = ((right << 1) | enters_right) & vertical;
        enters_right = right >> (bits - 1);
        enters_left = left >> (bits - 1);
      }
    }
    for (std::size_t s = pattern.first; s < pattern.last; ++s) {
      const auto [gram, length] = pattern_grams_[s];
      auto distance = static_cast<int>(node.length);
      for (std::size_t strip = 0; strip * bits < length; ++strip) {
        const std::uint64_t inside = low_bits(length - strip * bits);
        distance += std::popcount(up[strip] & inside) - std::popcount(down[strip] & inside);
      }
      if (distance <= limits_[std::max(length, node.length)]) consider(workspace, gram, distance, node);
    }
    ++n;
  }
}

void FuzzyGroup::consider(Workspace& workspace, std::uint32_t gram, int distance, const Workspace::Node& node) const {
  const Gram& sought = grams_[gram];
  const auto length = static_cast<double>(std::max(sought.length, node.length));
  const double similarity = 1.0 - distance / length;
  if (similarity < what_.threshold || similarity <= 0.0) return;
  for (std::size_t p = node.postings; p < node.postings_end; ++p) {
    const Workspace::Posting& posting = workspace.postings[p];
    double& best = workspace.best[gram * block_ + posting.reference];
    best = std::max(best, similarity);
    if (sought.repeated != absent)
      workspace.similar[sought.repeated * block_ + posting.reference].push_back(
          {similarity, posting.count, posting.place, node.order});
  }
}

// As FuzzyWorkspace::best_hits, of what stands in the reference in the same order.
double FuzzyGroup::best_hits(std::vector<Similar>& similar, std::uint32_t count) const {
  std::sort(similar.begin(), similar.end(), [](const Similar& a, const Similar& b) {
    return a.place != b.place ? a.place < b.place : a.order < b.order;
  });
  std::sort(similar.begin(), similar.end(),
            [](const Similar& a, const Similar& b) { return a.similarity > b.similarity; });
  double hits = 0.0;
  for (const Similar& one : similar) {
    const std::uint32_t used = std::min(count, one.count);
    hits += used * one.similarity;
    count -= used;
    if (count == 0) break;
  }
  return hits;
}

// What a reference has as it is, and often enough, comes first, and then what is similar, as in FuzzyWorkspace: the
// sums are the same to the last bit.
void FuzzyGroup::write(Workspace& workspace, std::size_t first, std::size_t last, double* rows) const {
  const auto orders = static_cast<std::size_t>(what_.order);
  const std::size_t size = last - first;
  for (std::size_t h = 0; h < hypotheses_; ++h) {
    const std::span sought(sought_.data() + (h == 0 ? 0 : sought_ends_[h - 1]), sought_.data() + sought_ends_[h]);
    check_interrupt(sought.size() * size);
    std::vector<double>& hits = workspace.hits;
    hits.assign(orders * size, 0.0);
    std::array<double, most_orders> totals{};
    for (const bool exact : {true, false}) {
      for (const Sought& one : sought) {
        double* of_order = hits.data() + (one.order - 1) * size;
        const double* best = workspace.best.data() + one.gram * block_;
        if (exact) totals[one.order - 1] += one.count;
        if (one.count == 1) {
          for (std::size_t r = 0; r < size; ++r) of_order[r] += (best[r] == 1.0) == exact ? best[r] : 0.0;
          continue;
        }
        for (std::size_t r = 0; r < size; ++r) {
          auto& similar = workspace.similar[grams_[one.gram].repeated * block_ + r];
          const bool enough = std::any_of(similar.begin(), similar.end(), [&](const Similar& other) {
            return other.similarity == 1.0 && other.count >= one.count;
          });
          if (enough != exact) continue;
          of_order[r] += exact ? one.count : best_hits(similar, one.count);
        }
      }
    }
    for (std::size_t r = 0; r < size; ++r) {
      double* row = rows + (h * references() + first + r) * what_.columns();
      for (std::size_t k = 0; k < orders; ++k) {
        row[k] = hits[k * size + r];
        row[orders + k] = totals[k];
      }
      row[2 * orders] = static_cast<double>(texts_[h].length);
      row[2 * orders + 1] = static_cast<double>(texts_[hypotheses_ + first + r].length);
    }
  }
}

}  // namespace tricolore::counting
