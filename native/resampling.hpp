// Random draws, and sums of rows over them. The stream is NumPy's default_rng (PCG64), taken as NumPy takes it, so that
// anyone can repeat a draw; only faster.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tricolore {

// Rows of equal length, one after another.
template <class Number>
struct Rows2d {
  const Number* data;
  std::size_t size;
  std::size_t columns;

  const Number* operator[](std::size_t i) const { return data + i * columns; }
};

// PCG XSL RR 128/64 (O'Neill 2014), and what NumPy's Generator makes of it. It goes on where the last call ended, so
// that many draws may be made in several calls.
class Draws {
 public:
  // The 128-bit numbers `state` and `inc` of np.random.PCG64(seed).state, high half first.
  Draws(std::uint64_t state_high, std::uint64_t state_low, std::uint64_t inc_high, std::uint64_t inc_low);

  // As Generator.integers(0, number): Lemire's method on 32 bits.
  std::uint32_t below(std::uint32_t number);
  // As Generator.integers(2, dtype=bool): the next `number` (at most 32) bits, the first in the lowest place.
  std::uint32_t bits(unsigned number);
  // As Generator.random(): 53 bits, below 1.
  double uniform();

  // Draw as many segments as there are, with replacement, and count how often each came up.
  void resample(std::span<std::uint32_t> counts);

  // Sums over `samples` resamples: each row times how often it was drawn, added in the order of the rows.
  void resampled_sums(Rows2d<double> rows, std::size_t samples, double* out);
  // The same in single precision, each draw added in the order of the draws, as NumPy adds what was picked.
  void resampled_sums_single(Rows2d<float> rows, std::size_t samples, float* out);
  // Sums over the rows whose bit is set, in each of `trials`.
  void selected_sums(Rows2d<double> rows, std::size_t trials, double* out);

  // Each segment has some runs of one system (`first`) and some of another (`second`), a row each; as many as the first
  // has are chosen of all of them. Sums over the chosen of either.
  struct Runs {
    Rows2d<double> rows;  // segments x runs
    std::size_t runs;
  };
  void chosen_sums(std::size_t segments, Runs first, Runs second, std::size_t trials, double* first_out,
                   double* second_out);
  // MultEval's shuffles: each run of a segment is swapped or not, and the runs are permuted for one pseudo-system and
  // permuted back for the other. Sums of the runs that stay and of those that are swapped, for both.
  void multeval_sums(std::size_t segments, Runs runs, std::size_t trials, double* stay, double* swapped,
                     double* other_stay, double* other_swapped);

 private:
  std::uint64_t next64();
  std::uint32_t next32();
  std::uint32_t below_again(std::uint64_t product, std::uint32_t number);

  std::uint64_t state_high_, state_low_, inc_high_, inc_low_;
  std::uint32_t half_ = 0;  // the other half of the last 64 bits
  bool has_half_ = false;
  std::uint64_t bits_ = 0;  // bits drawn and not used yet
  unsigned bits_left_ = 0;
};

// C(n, k), or 0 where that is more than 32 bits hold.
std::uint32_t combinations(std::size_t n, std::size_t k);

}  // namespace tricolore
