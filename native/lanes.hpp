// Four numbers of 64 bits side by side, in one register where the processor has such.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tricolore {

#if defined(__GNUC__)
using Lanes = std::uint64_t __attribute__((vector_size(32)));
#else
struct Lanes {
  std::uint64_t at[4];

  std::uint64_t& operator[](std::size_t i) { return at[i]; }
  std::uint64_t operator[](std::size_t i) const { return at[i]; }

  template <class Act>
  static Lanes each(Act&& act) {
    return {{act(0), act(1), act(2), act(3)}};
  }
  friend Lanes operator&(Lanes a, Lanes b) {
    return each([&](int i) { return a.at[i] & b.at[i]; });
  }
  friend Lanes operator|(Lanes a, Lanes b) {
    return each([&](int i) { return a.at[i] | b.at[i]; });
  }
  friend Lanes operator^(Lanes a, Lanes b) {
    return each([&](int i) { return a.at[i] ^ b.at[i]; });
  }
  friend Lanes operator+(Lanes a, Lanes b) {
    return each([&](int i) { return a.at[i] + b.at[i]; });
  }
  friend Lanes operator-(Lanes a, Lanes b) {
    return each([&](int i) { return a.at[i] - b.at[i]; });
  }
  friend Lanes operator~(Lanes a) {
    return each([&](int i) { return ~a.at[i]; });
  }
};
#endif

}  // namespace tricolore
