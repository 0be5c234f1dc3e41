// Logarithms, exponentials and powers of many numbers, each as the C library computes it for a single one. NumPy's own
// differ from these in the last digit on processors with wide vectors, so that scores would depend on the machine.

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cmath>
#include <cstddef>
#include <stdexcept>

#include "bind.hpp"

namespace tricolore {

namespace {

namespace nb = nanobind;

using Numbers = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class Function>
void each(const Numbers& numbers, const Out& out, const Function& function) {
  if (numbers.size() != out.size()) throw std::invalid_argument("as many results as numbers are needed");
  const nb::gil_scoped_release unlocked;
  const double* x = numbers.data();
  double* y = out.data();
  for (std::size_t i = 0, size = numbers.size(); i < size; ++i) y[i] = function(x[i]);
}

}  // namespace

void bind_elementary(nb::module_& m) {
  m.def(
      "logs", [](const Numbers& numbers, const Out& out) { each(numbers, out, [](double x) { return std::log(x); }); },
      nb::arg("numbers"), nb::arg("out"));
  m.def(
      "binary_logs",
      [](const Numbers& numbers, const Out& out) { each(numbers, out, [](double x) { return std::log2(x); }); },
      nb::arg("numbers"), nb::arg("out"));
  m.def(
      "exponentials",
      [](const Numbers& numbers, const Out& out) { each(numbers, out, [](double x) { return std::exp(x); }); },
      nb::arg("numbers"), nb::arg("out"));
  m.def(
      "powers",
      [](const Numbers& numbers, const Out& out, double exponent) {
        each(numbers, out, [=](double x) { return std::pow(x, exponent); });
      },
      nb::arg("numbers"), nb::arg("out"), nb::arg("exponent"));
}

}  // namespace tricolore
