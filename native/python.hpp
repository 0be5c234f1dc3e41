// What the files that know Python share: arrays in, arrays out, Ctrl-C heard while the GIL is released.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "interruption.hpp"

namespace tricolore {

namespace nb = nanobind;

// Let Ctrl-C end a long stretch of work that is done without the GIL.
inline void check_signals() {
  const nb::gil_scoped_acquire locked;
  if (PyErr_CheckSignals() != 0) nb::raise_python_error();
}

// The same for work that asks very often: only a few times a second.
inline std::function<void()> check_signals_sometimes() {
  using Clock = std::chrono::steady_clock;
  return [last = Clock::now()]() mutable {
    const auto now = Clock::now();
    if (now - last < std::chrono::milliseconds(100)) return;
    last = now;
    check_signals();
  };
}

template <class Number>
nb::object array_of(std::vector<Number> numbers) {
  auto* kept = new std::vector<Number>(std::move(numbers));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<1>>(kept->data(), {kept->size()}, owner));
}

// The same in any shape.
inline nb::object array_of(std::vector<double> numbers, const std::vector<std::size_t>& shape) {
  auto* kept = new std::vector<double>(std::move(numbers));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double>(kept->data(), shape.size(), shape.data(), owner));
}

inline nb::object table_of(std::vector<double> numbers, std::size_t columns) {
  auto* kept = new std::vector<double>(std::move(numbers));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(kept->data(), {kept->size() / columns, columns}, owner));
}

inline void check_shape(bool fits) {
  if (!fits) throw nb::value_error("arrays of other shapes are needed");
}

// Numbers for Python, written by `fill` without the GIL.
template <class Number, class Fill>
nb::object filled_table(std::size_t rows, std::size_t columns, Fill&& fill) {
  auto numbers = std::make_unique<Number[]>(std::max<std::size_t>(rows * columns, 1));
  {
    const nb::gil_scoped_release unlocked;
    const InterruptChecks checked(check_signals_sometimes());
    fill(numbers.get());
  }
  Number* data = numbers.release();
  nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<Number*>(p); });
  return nb::cast(nb::ndarray<nb::numpy, Number, nb::ndim<2>>(data, {rows, columns}, owner));
}

template <class Number>
using Vector = nb::ndarray<const Number, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Whether numbers go from 0 to `last`, and never down.
inline bool ascends(const Vector<std::int64_t>& numbers, std::size_t last) {
  const std::span all(numbers.data(), numbers.size());
  return !all.empty() && all.front() == 0 && all.back() == static_cast<std::int64_t>(last) &&
         std::is_sorted(all.begin(), all.end());
}

// Numbers for Python in one row, written by `fill` without the GIL.
template <class Number, class Fill>
nb::object filled_array(std::size_t size, Fill&& fill) {
  std::vector<Number> numbers(size);
  {
    const nb::gil_scoped_release unlocked;
    const InterruptChecks checked(check_signals_sometimes());
    fill(numbers.data());
  }
  return array_of(std::move(numbers));
}

using Ints = Vector<std::int32_t>;
using Longs = Vector<std::int64_t>;
using Doubles = Vector<double>;

template <class Number>
std::span<const Number> span_of(const Vector<Number>& numbers) {
  return {numbers.data(), numbers.size()};
}

// Does long work without the GIL; Ctrl-C is heard.
template <class Work>
auto unlocked(Work&& work) {
  const nb::gil_scoped_release released;
  const InterruptChecks checked(check_signals_sometimes());
  return work();
}

}  // namespace tricolore
