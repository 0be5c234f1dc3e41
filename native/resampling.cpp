#include "resampling.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "interruption.hpp"
#include "lanes.hpp"
#include "processors.hpp"

#if defined(_MSC_VER) && !defined(__SIZEOF_INT128__)
#include <intrin.h>
#endif

// Its clones must not change results: the build forbids fused multiplication and addition in this file.

namespace tricolore {

namespace {

// The rows cut into strips of four columns: strip by strip, row by row. Columns that are lacking to a strip, and rows
// that are lacking to `padded`, are zero.
std::vector<double> strips_of(Rows2d<double> rows, std::size_t strips, std::size_t padded) {
  std::vector<double> cut(strips * padded * four, 0.0);
  for (std::size_t strip = 0; strip < strips; ++strip) {
    const std::size_t width = std::min(four, rows.columns - strip * four);
    for (std::size_t i = 0; i < rows.size; ++i)
      std::copy_n(rows[i] + strip * four, width, cut.data() + (strip * padded + i) * four);
  }
  return cut;
}

constexpr std::size_t samples_at_once = 8;

// sums[s] += Σ weights[i][s] · strip[i], for eight resamples s.
TRICOLORE_FOR_EACH_PROCESSOR
void add_weighted(const double* strip, const double* weights, std::size_t size, double* sums) {
  Four sum[samples_at_once] = {};
  for (std::size_t i = 0; i < size; ++i) {
    const Four row = at(strip + i * four);
    for (std::size_t s = 0; s < samples_at_once; ++s) sum[s] += weights[i * samples_at_once + s] * row;
  }
  for (std::size_t s = 0; s < samples_at_once; ++s) at(sums + s * four) = sum[s];
}

// Coins are taken 32 at a time: as four bytes, each of which picks a row of a table of sums.
constexpr std::size_t bytes_at_once = 4;
constexpr std::size_t bits_of_byte = 8;
constexpr std::size_t coins_at_once = bytes_at_once * bits_of_byte;
constexpr std::size_t table_size = 256;

// The sums of every choice among eight rows.
TRICOLORE_FOR_EACH_PROCESSOR
void fill_table(const double* rows, double* table) {
  std::fill_n(table, four, 0.0);
  for (std::size_t bit = 0; bit < bits_of_byte; ++bit) {
    const std::size_t known = std::size_t{1} << bit;
    const Four row = at(rows + bit * four);
    for (std::size_t choice = 0; choice < known; ++choice)
      at(table + (known + choice) * four) = at(table + choice * four) + row;
  }
}

// sums[t] += what the four bytes of coins[t] choose, for every trial t.
TRICOLORE_FOR_EACH_PROCESSOR
void add_chosen(const double* tables, const std::uint32_t* coins, std::size_t trials, double* sums) {
  static_assert(bytes_at_once == 4);
  const auto choice = [](std::uint32_t of, std::size_t byte) {
    return (byte * table_size + (of >> (bits_of_byte * byte)) % table_size) * four;
  };
  for (std::size_t t = 0; t < trials; ++t) {
    const std::uint32_t of = coins[t];
    at(sums + t * four) += (at(tables + choice(of, 0)) + at(tables + choice(of, 1))) +
                           (at(tables + choice(of, 2)) + at(tables + choice(of, 3)));
  }
}

// The generator: state = state * factor + inc, and what it gives of a state.
constexpr std::uint64_t factor_high = 0x2360ED051FC65DA4u, factor_low = 0x4385DF649FCCF645u;
#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 Wide;

inline Wide wide(std::uint64_t high, std::uint64_t low) { return (Wide{high} << 64) | low; }

inline std::uint64_t output_of(Wide state) {
  const auto high = static_cast<std::uint64_t>(state >> 64);
  return std::rotr(high ^ static_cast<std::uint64_t>(state), static_cast<int>(high >> 58));
}
#endif

void add(double* sum, const double* row, std::size_t columns) {
  for (std::size_t c = 0; c < columns; ++c) sum[c] += row[c];
}

// The combinations of k of n things, in lexicographic order, each as a set of bits.
class Combinations {
 public:
  Combinations(std::size_t n, std::size_t k) : n_(n), k_(k), number_(combinations(n, k)) {
    if (number_ > kept_at_most) return;
    kept_.reserve(number_);
    for (std::uint32_t i = 0; i < number_; ++i) kept_.push_back(made(i));
  }

  std::uint32_t size() const { return number_; }
  std::uint64_t operator[](std::uint32_t i) const { return kept_.empty() ? made(i) : kept_[i]; }

 private:
  static constexpr std::uint32_t kept_at_most = 1 << 16;

  std::uint64_t made(std::uint32_t i) const {
    std::uint64_t chosen = 0;
    for (std::size_t at = 0, left = k_; left > 0; ++at) {
      const std::uint32_t with = combinations(n_ - at - 1, left - 1);  // how many have `at` in them
      if (i < with) {
        chosen |= std::uint64_t{1} << at;
        --left;
      } else {
        i -= with;
      }
    }
    return chosen;
  }

  std::size_t n_, k_;
  std::uint32_t number_;
  std::vector<std::uint64_t> kept_;
};

}  // namespace

std::uint32_t combinations(std::size_t n, std::size_t k) {
  if (k > n) return 0;
  std::uint64_t number = 1;
  for (std::size_t i = 1; i <= k; ++i) {
    number = number * (n - k + i) / i;  // whole: it is C(n - k + i, i)
    if (number > UINT32_MAX) return 0;
  }
  return static_cast<std::uint32_t>(number);
}

Draws::Draws(std::uint64_t state_high, std::uint64_t state_low, std::uint64_t inc_high, std::uint64_t inc_low)
    : state_high_(state_high), state_low_(state_low), inc_high_(inc_high), inc_low_(inc_low) {}

inline std::uint64_t Draws::next64() {
#ifdef __SIZEOF_INT128__
  const Wide state = wide(state_high_, state_low_) * wide(factor_high, factor_low) + wide(inc_high_, inc_low_);
  state_high_ = static_cast<std::uint64_t>(state >> 64);
  state_low_ = static_cast<std::uint64_t>(state);
  return output_of(state);
#else
  std::uint64_t high;
  const std::uint64_t low = _umul128(state_low_, factor_low, &high);
  high += state_high_ * factor_low + state_low_ * factor_high;
  state_low_ = low + inc_low_;
  state_high_ = high + inc_high_ + (state_low_ < low);
  return std::rotr(state_high_ ^ state_low_, static_cast<int>(state_high_ >> 58));
#endif
}

inline std::uint32_t Draws::next32() {
  if (has_half_) {
    has_half_ = false;
    return half_;
  }
  const std::uint64_t both = next64();
  half_ = static_cast<std::uint32_t>(both >> 32);
  has_half_ = true;
  return static_cast<std::uint32_t>(both);
}

double Draws::uniform() { return static_cast<double>(next64() >> 11) * 0x1p-53; }

std::uint32_t Draws::below_again(std::uint64_t product, std::uint32_t number) {
  const std::uint32_t threshold = (UINT32_MAX - (number - 1)) % number;
  while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{next32()} * number;
  return static_cast<std::uint32_t>(product >> 32);
}

std::uint32_t Draws::below(std::uint32_t number) {
  if (number == 1) return 0;  // nothing is drawn
  const std::uint64_t product = std::uint64_t{next32()} * number;
  if (static_cast<std::uint32_t>(product) < number) [[unlikely]]
    return below_again(product, number);
  return static_cast<std::uint32_t>(product >> 32);
}

inline std::uint32_t Draws::bits(unsigned number) {
  if (bits_left_ < number) {
    bits_ |= std::uint64_t{next32()} << bits_left_;
    bits_left_ += 32;
  }
  const auto taken = static_cast<std::uint32_t>(bits_ & ((std::uint64_t{1} << number) - 1));
  bits_ >>= number;
  bits_left_ -= number;
  return taken;
}

void Draws::resample(std::span<std::uint32_t> counts) {
  std::fill(counts.begin(), counts.end(), 0);
  const auto number = static_cast<std::uint32_t>(counts.size());
  std::size_t left = counts.size();
  const auto one_by_one = [&](std::size_t some) {
    Draws own = *this;  // so that the compiler keeps the state in registers
    left -= some;
    for (; some > 0; --some) ++counts[own.below(number)];
    *this = own;
  };
#ifdef __SIZEOF_INT128__
  // A step of the generator waits for the one before. Two chains, each two steps at a time, do not wait for each other.
  while (left >= 4 && number > 1) {
    if (has_half_) one_by_one(1);
    const Wide factor = wide(factor_high, factor_low), inc = wide(inc_high_, inc_low_);
    const Wide factor2 = factor * factor, inc2 = inc * (factor + 1);
    Wide last = wide(state_high_, state_low_);
    Wide even = last * factor + inc, odd = even * factor + inc;
    for (; left >= 4; left -= 4) {
      const std::uint64_t a = output_of(even), b = output_of(odd);
      const std::uint64_t draw[4] = {(a & UINT32_MAX) * number, (a >> 32) * number, (b & UINT32_MAX) * number,
                                     (b >> 32) * number};
      const auto rest = [&](int i) { return static_cast<std::uint32_t>(draw[i]); };
      if (std::min(std::min(rest(0), rest(1)), std::min(rest(2), rest(3))) < number) [[unlikely]]
        break;  // perhaps one is rejected
      for (std::uint64_t one : draw) ++counts[one >> 32];
      last = odd;
      even = even * factor2 + inc2;
      odd = odd * factor2 + inc2;
    }
    state_high_ = static_cast<std::uint64_t>(last >> 64);
    state_low_ = static_cast<std::uint64_t>(last);
    if (left >= 4) one_by_one(4);
  }
#endif
  one_by_one(left);
}

void Draws::resampled_sums(Rows2d<double> rows, std::size_t samples, double* out) {
  const std::size_t strips = (rows.columns + four - 1) / four;
  const std::vector<double> cut = strips_of(rows, strips, rows.size);
  std::vector<std::uint32_t> counts(rows.size * samples_at_once, 0);  // sample by sample
  std::vector<double> weights(rows.size * samples_at_once);           // row by row
  std::array<double, samples_at_once * four> sums;
  for (std::size_t first = 0; first < samples; first += samples_at_once) {
    const std::size_t some = std::min(samples_at_once, samples - first);
    for (std::size_t s = 0; s < some; ++s) resample(std::span(counts).subspan(s * rows.size, rows.size));
    for (std::size_t i = 0; i < rows.size; ++i)
      for (std::size_t s = 0; s < samples_at_once; ++s) weights[i * samples_at_once + s] = counts[s * rows.size + i];
    for (std::size_t strip = 0; strip < strips; ++strip) {
      add_weighted(cut.data() + strip * rows.size * four, weights.data(), rows.size, sums.data());
      const std::size_t width = std::min(four, rows.columns - strip * four);
      for (std::size_t s = 0; s < some; ++s)
        std::copy_n(sums.data() + s * four, width, out + (first + s) * rows.columns + strip * four);
    }
    check_interrupt();
  }
}

void Draws::resampled_sums_single(Rows2d<float> rows, std::size_t samples, float* out) {
  const auto number = static_cast<std::uint32_t>(rows.size);
  for (std::size_t s = 0; s < samples; ++s, check_interrupt()) {
    float* sum = out + s * rows.columns;
    for (std::size_t i = 0; i < rows.size; ++i) {
      const float* row = rows[below(number)];
      if (i == 0)
        std::copy_n(row, rows.columns, sum);
      else
        for (std::size_t c = 0; c < rows.columns; ++c) sum[c] += row[c];
    }
  }
}

void Draws::selected_sums(Rows2d<double> rows, std::size_t trials, double* out) {
  constexpr std::size_t room = std::size_t{1} << 22;  // for coins, 32 in each
  const std::size_t strips = (rows.columns + four - 1) / four;
  const std::size_t groups = (rows.size + coins_at_once - 1) / coins_at_once;
  const std::size_t padded = groups * coins_at_once;
  const std::vector<double> cut = strips_of(rows, strips, padded);
  const std::size_t trials_at_once = std::clamp<std::size_t>(room / groups, 1024, 16384);
  // A little more room than is needed, so that the groups of a trial do not compete for the same place in the cache.
  const std::size_t stride = std::min(trials, trials_at_once) + 16;
  std::vector<std::uint32_t> coins(groups * stride);
  std::vector<double> tables(bytes_at_once * table_size * four), sums(stride * four);
  for (std::size_t first = 0; first < trials; first += trials_at_once) {
    const std::size_t some = std::min(trials_at_once, trials - first);
    Draws own = *this;
    for (std::size_t t = 0; t < some; ++t)
      for (std::size_t group = 0; group < groups; ++group) {
        const std::size_t number = std::min(coins_at_once, rows.size - group * coins_at_once);
        coins[group * stride + t] = own.bits(static_cast<unsigned>(number));
      }
    *this = own;
    for (std::size_t strip = 0; strip < strips; ++strip) {
      std::fill(sums.begin(), sums.end(), 0.0);
      for (std::size_t group = 0; group < groups; ++group) {
        const double* chosen_from = cut.data() + (strip * padded + group * coins_at_once) * four;
        for (std::size_t k = 0; k < bytes_at_once; ++k)
          fill_table(chosen_from + k * bits_of_byte * four, tables.data() + k * table_size * four);
        add_chosen(tables.data(), coins.data() + group * stride, some, sums.data());
      }
      const std::size_t width = std::min(four, rows.columns - strip * four);
      for (std::size_t t = 0; t < some; ++t)
        std::copy_n(sums.data() + t * four, width, out + (first + t) * rows.columns + strip * four);
      check_interrupt();
    }
  }
}

void Draws::chosen_sums(std::size_t segments, Runs first, Runs second, std::size_t trials, double* first_out,
                        double* second_out) {
  const Combinations choices(first.runs + second.runs, first.runs);
  std::fill_n(first_out, trials * first.rows.columns, 0.0);
  std::fill_n(second_out, trials * second.rows.columns, 0.0);
  for (std::size_t t = 0; t < trials; ++t, check_interrupt()) {
    double* first_sum = first_out + t * first.rows.columns;
    double* second_sum = second_out + t * second.rows.columns;
    for (std::size_t i = 0; i < segments; ++i)
      for (std::uint64_t chosen = choices[below(choices.size())]; chosen != 0; chosen &= chosen - 1) {
        const auto run = static_cast<std::size_t>(std::countr_zero(chosen));
        if (run < first.runs)
          add(first_sum, first.rows[i * first.runs + run], first.rows.columns);
        else
          add(second_sum, second.rows[i * second.runs + run - first.runs], second.rows.columns);
      }
  }
}

void Draws::multeval_sums(std::size_t segments, Runs runs, std::size_t trials, double* stay, double* swapped,
                          double* other_stay, double* other_swapped) {
  const std::size_t columns = runs.rows.columns, number = runs.runs;
  for (double* out : {stay, swapped, other_stay, other_swapped}) std::fill_n(out, trials * columns, 0.0);
  std::vector<std::size_t> order(number), back(number);
  std::vector<char> swap(number);
  for (std::size_t t = 0; t < trials; ++t, check_interrupt())
    for (std::size_t i = 0; i < segments; ++i) {
      for (std::size_t r = 0; r < number; ++r) {
        swap[r] = static_cast<char>(below(2));
        order[r] = r;
      }
      for (std::size_t r = number; r > 1; --r) std::swap(order[r - 1], order[below(static_cast<std::uint32_t>(r))]);
      for (std::size_t r = 0; r < number; ++r) back[order[r]] = r;
      for (std::size_t r = 0; r < number; ++r) {
        add((swap[r] ? swapped : stay) + t * columns, runs.rows[i * number + order[r]], columns);
        add((swap[r] ? other_stay : other_swapped) + t * columns, runs.rows[i * number + back[r]], columns);
      }
    }
}

}  // namespace tricolore
