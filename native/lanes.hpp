// Several numbers at once: as vectors of the compiler where it has them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tricolore {

#if defined(__GNUC__) || defined(__clang__)
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef std::uint64_t FourWords __attribute__((vector_size(32), aligned(8), may_alias));
typedef std::uint64_t EightWords __attribute__((vector_size(64), aligned(8), may_alias));
typedef std::uint32_t Sixteen __attribute__((vector_size(64), aligned(4), may_alias));
#else
template <class Number, std::size_t size>
struct Several {
  Number at[size];
  Number operator[](std::size_t i) const { return at[i]; }
  Several& operator+=(const Several& other) {
    for (std::size_t i = 0; i < size; ++i) at[i] += other.at[i];
    return *this;
  }
  friend Several operator+(Several a, const Several& b) { return a += b; }
  friend Several operator*(Number factor, Several a) {
    for (Number& number : a.at) number *= factor;
    return a;
  }
  friend Several operator*(Several a, const Several& b) {
    for (std::size_t i = 0; i < size; ++i) a.at[i] *= b.at[i];
    return a;
  }
};
// Four words of bits.
struct FourWords {
  std::uint64_t at[4];
  std::uint64_t operator[](std::size_t i) const { return at[i]; }
  template <class Act>
  static FourWords of(Act&& act) {
    return {{act(0), act(1), act(2), act(3)}};
  }
  friend FourWords operator&(const FourWords& a, const FourWords& b) {
    return of([&](int i) { return a.at[i] & b.at[i]; });
  }
  friend FourWords operator|(const FourWords& a, const FourWords& b) {
    return of([&](int i) { return a.at[i] | b.at[i]; });
  }
  friend FourWords operator^(const FourWords& a, const FourWords& b) {
    return of([&](int i) { return a.at[i] ^ b.at[i]; });
  }
  friend FourWords operator+(const FourWords& a, const FourWords& b) {
    return of([&](int i) { return a.at[i] + b.at[i]; });
  }
  friend FourWords operator-(const FourWords& a, const FourWords& b) {
    return of([&](int i) { return a.at[i] - b.at[i]; });
  }
  friend FourWords operator~(const FourWords& a) {
    return of([&](int i) { return ~a.at[i]; });
  }
};
using Four = Several<double, 4>;
using Sixteen = Several<std::uint32_t, 16>;
#endif
inline constexpr std::size_t four = 4, sixteen = 16;

inline const Four& at(const double* numbers) { return *reinterpret_cast<const Four*>(numbers); }
inline Four& at(double* numbers) { return *reinterpret_cast<Four*>(numbers); }
inline const FourWords& at(const std::uint64_t* words) { return *reinterpret_cast<const FourWords*>(words); }
inline const Sixteen& at(const std::uint32_t* numbers) { return *reinterpret_cast<const Sixteen*>(numbers); }
inline Sixteen& at(std::uint32_t* numbers) { return *reinterpret_cast<Sixteen*>(numbers); }

// Whether any of the numbers is above its limit.
template <std::size_t strips>
inline bool any_above(const Four (&numbers)[strips], const Four (&limits)[strips]) {
#if defined(__GNUC__) || defined(__clang__)
  auto above = numbers[0] > limits[0];
  for (std::size_t k = 1; k < strips; ++k) above |= numbers[k] > limits[k];
  return (above[0] | above[1] | above[2] | above[3]) != 0;
#else
  bool above = false;
  for (std::size_t k = 0; k < strips; ++k)
    for (std::size_t i = 0; i < four; ++i) above |= numbers[k][i] > limits[k][i];
  return above;
#endif
}

}  // namespace tricolore
