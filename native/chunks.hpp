// Alignments of a hypothesis with a reference that cover as many words as possible in as few chunks as possible.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "plain_chunks.hpp"
#include "reader.hpp"

namespace tricolore::counting {

// What matches although it is not equal, for texts that are token ids.
class Equivalents {
 public:
  using Numbers = std::vector<std::uint32_t>;

  // The senses of each word, below `first_stem`, and its stem: two words match if they share one. Pairs of phrases
  // match as they are, the first in the hypothesis and the second in the reference. `functions` are function words.
  Equivalents(std::vector<Numbers> senses, const Numbers& stems, std::vector<std::pair<Numbers, Numbers>> phrases,
              const Numbers& functions);

  // The senses of a word, then its stem, which is `first_stem` or more.
  std::span<const std::uint32_t> senses(std::uint32_t word) const;
  bool share_stem(std::uint32_t a, std::uint32_t b) const;
  bool is_function(std::uint32_t word) const { return word < functions_.size() && functions_[word]; }
  const std::pair<Numbers, Numbers>& phrase(std::uint32_t number) const { return phrases_[number]; }
  std::span<const std::uint32_t> phrases_that_begin_with(std::uint32_t word) const;

 private:
  static constexpr std::uint32_t first_stem = 1u << 31;

  std::vector<Numbers> senses_;
  std::vector<bool> functions_;
  std::vector<std::pair<Numbers, Numbers>> phrases_;
  std::unordered_map<std::uint32_t, Numbers> by_first_word_;
};

// What to count: words covered in the hypothesis and in the reference, chunks, and both lengths. By stage: words
// covered in the hypothesis, content words by stage and function words by stage, the same of the reference, chunks,
// both lengths, and the function words of both.
struct ChunkCounting {
  static constexpr std::size_t block_size = 16;
  static constexpr bool compares_words_only = false;
  Reading reading;
  std::size_t beam = 500;
  std::shared_ptr<const Equivalents> equivalents;
  bool by_stage = false;

  std::size_t columns() const { return by_stage ? 21 : 5; }
};

// The search goes from word to word of the hypothesis. A partial alignment is known by the words of the reference that
// it has used, as far as they matter to what is still to come, and by where its last match ended, if the next word can
// go on from there; of those that agree in both only the best is kept. If more than `beam` remain after a word, the
// best of them go on, and the result may not be optimal; it is then held against that of a greedy tiling.
//
// Alignments are compared by the words they cover on both sides, then by chunks (the fewer the better), then by the sum
// of the distances between the beginnings of matches, then by the words of the reference that they cover. Where all
// matches are one word on either side, nothing that is counted depends on the last two. If words are counted by stage,
// these counts decide at last, the greater the better, in the order of the columns.
class ChunkWorkspace {
 public:
  void count(const ChunkCounting& what, const SegmentView& segment, double* rows);

 private:
  static constexpr std::int32_t nowhere = -1;
  static constexpr std::size_t enough_for_short = 500;  // a beam whose search is taken for exact
  static constexpr std::size_t narrow = 16;             // states kept by the first, quick pass
  static constexpr std::size_t most_states = 100'000;   // beam times words of the hypothesis; long texts get less beam
  static constexpr std::size_t reach = 32;              // places looked at for a new chunk
  static constexpr std::size_t tries = 8;         // places tried for a new chunk where there are more than `reach`
  static constexpr std::size_t longest_look = 8;  // words looked ahead to choose among them
  static constexpr std::size_t most_tile_work = 50'000'000;  // pairs of equal words; beyond, there is no tiling
  static constexpr std::size_t most_runs = 1'000'000;        // runs of equal words remembered at once

  // A match of `size` words of the hypothesis with `reference_size` words of the reference, at any of these places.
  struct Target {
    std::uint32_t size, reference_size;
    std::uint32_t begin, end;  // in places_
  };

  struct Option {
    std::uint32_t place, target;
    std::size_t ahead;
  };

  struct State {
    std::int32_t bound = 0;  // words covered, and at most how many there can be in the end
    std::int32_t chunks = 0;
    std::int64_t distance = 0;
    std::int32_t covered = 0, reference_covered = 0;
    std::int32_t last = nowhere;  // where the match ended that ends right here
  };

  using StageCounts = std::array<std::int32_t, 16>;

  // States that stand before the same word of the hypothesis.
  struct Layer {
    std::vector<State> states;
    std::vector<std::uint64_t> used;        // words of the reference, as bits, of each state
    std::vector<StageCounts> stage_counts;  // of each state, if words are counted by stage
    std::vector<std::uint32_t> table;
    std::vector<std::uint32_t> order;
  };

  // Words that some match may join, directly or by others in between.
  struct Group {
    std::uint32_t words = 0, reference_words = 0;
    bool plain = true;  // every word matches every other, one to one: all that match are equal
    std::uint32_t mask = absent;
  };

  void find_targets(const ChunkCounting& what, const SegmentView& segment);
  void find_synonyms(const Equivalents& equivalents);
  void find_phrases(const Equivalents& equivalents);
  void find_groups();
  void find_breaks();
  std::int32_t fewest_chunks() const;
  void align(std::size_t beam);
  bool search(std::size_t width);
  void tile();
  void expand(std::size_t at, const State& state, const std::uint64_t* used);
  bool collect(std::size_t at, std::uint32_t number, const State& state, const std::uint64_t* used);
  void match(std::size_t at, const Option& option, const State& state, const std::uint64_t* used);
  bool is_function(std::uint32_t type) const {
    return equivalents_ != nullptr && equivalents_->is_function(numbers_[type]);
  }
  void note_stage(std::size_t at, const Option& option, StageCounts& counts) const;
  void skip(std::size_t at, const State& state, const std::uint64_t* used);
  void extend(std::size_t at, std::uint32_t size, State next);
  void add(std::size_t at, const State& state);
  std::uint64_t hash(const State& state, const std::uint64_t* used) const;
  void grow(Layer& layer);
  void keep_best(Layer& layer, std::size_t at, std::size_t width);
  bool hopeless(const State& state, std::size_t at) const;
  bool better(const State& a, const StageCounts& a_counts, const State& b, const StageCounts& b_counts) const;
  const StageCounts& stage_counts(const Layer& layer, std::size_t state) const {
    return by_stage_ ? layer.stage_counts[state] : none_;
  }
  std::size_t look_ahead(std::size_t at, std::size_t place, const std::uint64_t* used) const;
  std::size_t free_words(const Group& group, std::size_t at, const std::uint64_t* used) const;
  bool is_free(std::size_t place, std::size_t size, const std::uint64_t* used) const;
  std::uint32_t root(std::uint32_t node);
  void join(std::uint32_t a, std::uint32_t b) { parents_[root(a)] = root(b); }
  Layer& layer(std::size_t at) { return layers_[at % layers_.size()]; }

  SegmentReader reader_;
  Words words_;
  PlainChunks plain_;

  std::span<const std::uint32_t> hypothesis_, reference_;
  std::vector<std::uint32_t> numbers_;             // of each type, as they were given
  std::vector<std::uint32_t> places_, type_ends_;  // where each type stands in the reference, then paraphrases
  std::vector<Target> targets_;
  std::vector<std::vector<std::uint32_t>> type_targets_, phrase_targets_;  // by type, by place in the hypothesis
  std::size_t longest_ = 1;
  const Equivalents* equivalents_ = nullptr;
  bool by_stage_ = false;
  bool spans_ = false;
  bool ties_matter_ = false;  // whether what is counted may differ between alignments of as many words and chunks

  std::vector<std::uint32_t> parents_, group_of_, reference_group_of_;
  std::vector<Group> groups_;
  std::vector<bool> matchable_, reference_matchable_;
  std::vector<std::uint32_t> later_;                    // matchable words of the same group that are to come
  std::vector<std::uint32_t> expire_at_, expire_ends_;  // words of the reference by the last word that may match them
  std::vector<std::int32_t> breaks_;                    // chunks that must begin from here on
  std::vector<std::uint64_t> masks_;
  std::int32_t most_covered_ = 0;

  std::size_t width_words_ = 0;
  std::vector<Layer> layers_;
  std::vector<std::uint64_t> scratch_;
  std::vector<Option> options_;
  std::vector<std::uint32_t> partner_;  // of each word, in the tiling
  bool exact_ = true, found_ = false;
  State best_;
  StageCounts none_{}, counts_{}, next_counts_{}, best_counts_{};  // of the state that goes on, of that added, of best_
};

}  // namespace tricolore::counting
