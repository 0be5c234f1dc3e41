// The fewest chunks of an alignment of equal words, where a quick look is proof enough.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "processors.hpp"

namespace tricolore::counting {

// Every word may match every equal one, and as many are matched as possible: min(hᵥ, rᵥ) of each type v, where hᵥ and
// rᵥ count its words in hypothesis and reference. What is to be found is the fewest chunks in which that can be done.
//
// A match goes on from the one before it only where both texts have the same two words, and each such place of the
// reference serves once. So at least min(hᵥ, rᵥ) - gᵥ words of each type begin a chunk, where gᵥ counts the bigrams
// that end in v and are shared. Taking the longest runs of equal words first usually needs no more chunks than that:
// then it is proven to be the fewest.
class PlainChunks {
 public:
  struct Found {
    std::int32_t matches, chunks;
  };

  static constexpr std::size_t longest = 64;  // words of either text: positions are bits

  // Nothing if there is no proof. Words are numbers below `types`.
  std::optional<Found> find(std::span<const std::uint32_t> hypothesis, std::span<const std::uint32_t> reference,
                            std::uint32_t types);

 private:
  struct Type {
    std::uint64_t places = 0;  // in the reference
    std::uint8_t words = 0, shared_bigrams = 0;
  };
  struct Run {
    std::uint8_t size, at, place;
  };

  void note_types();
  TRICOLORE_FOR_EACH_PROCESSOR
  std::optional<Found> find_with_types();
  std::int32_t fewest_possible(std::int32_t matches);
  void find_runs();
  void take_runs();
  void take_single_words();
  std::int32_t chunks() const;

  std::span<const std::uint32_t> hypothesis_, reference_;
  std::vector<Type> types_;                  // empty before and after
  std::vector<std::uint32_t> shared_types_;  // those that both texts have
  std::vector<Run> runs_;
  std::array<std::uint8_t, longest> partner_{};  // of each word of the hypothesis; `longest` if it has none
  std::uint64_t free_hypothesis_ = 0, free_reference_ = 0;
};

}  // namespace tricolore::counting
