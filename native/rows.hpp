// Rows of numbers between Python and the core: one per item, counted by several threads.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "parallel.hpp"
#include "python.hpp"
#include "resampling.hpp"
#include "text.hpp"

namespace tricolore {

using Rows = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Number>
using Table = nb::ndarray<const Number, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

template <class Number>
Rows2d<Number> rows2d(const Table<Number>& rows) {
  if (rows.shape(0) == 0 || rows.shape(0) > UINT32_MAX) throw nb::value_error("1 to 2^32 - 1 rows are needed");
  return {rows.data(), rows.shape(0), rows.shape(1)};
}

// Call count(workspace, i, row) for every item, without the GIL, and return the column sums. They are taken within
// blocks and then over blocks, in order, so that threads change nothing. `out` receives the rows if there is any.
template <class Workspace, class Count>
std::vector<double> count_rows(std::size_t size, std::size_t columns, std::size_t block_size, double* out,
                               unsigned threads, Count&& count) {
  const nb::gil_scoped_release unlocked;
  const std::size_t blocks = blocks_of(size, block_size);
  std::vector<double> block_sums(blocks * columns, 0.0);
  Workspace own;
  for_blocks(size, block_size, threads, own, check_signals_sometimes(),
             [&](Workspace& workspace, std::size_t block, std::size_t first, std::size_t last) {
               std::vector<double> row(columns);
               double* sum = block_sums.data() + block * columns;
               for (std::size_t i = first; i < last; ++i) {
                 double* target = out ? out + i * columns : row.data();
                 count(workspace, i, target);
                 for (std::size_t c = 0; c < columns; ++c) sum[c] += target[c];
               }
             });
  std::vector<double> sums(columns, 0.0);
  for (std::size_t block = 0; block < blocks; ++block)
    for (std::size_t c = 0; c < columns; ++c) sums[c] += block_sums[block * columns + c];
  return sums;
}

inline double* rows_of(const std::optional<Rows>& rows, std::size_t size, std::size_t columns) {
  if (!rows) return nullptr;
  if (rows->shape(0) != size || rows->shape(1) != columns) throw nb::value_error("rows of another shape are needed");
  return rows->data();
}

// Call count(workspace) for one segment: quickly if it is small, else with the GIL released.
template <class Workspace, class Count>
void count_alone(const SegmentView& view, Count&& count) {
  constexpr std::size_t small_enough_to_keep = 4000;  // some work grows with the square of that
  std::size_t characters = view.hypothesis.size;
  for (const auto& text : view.references) characters += text.size;
  if (characters < small_enough_to_keep) {
    thread_local Workspace workspace;  // so that one pair at a time does not allocate
    try {
      count(workspace);
    } catch (...) {
      workspace = Workspace();  // it may have been left in the middle of something
      throw;
    }
  } else {  // worth releasing the GIL for, and too large to keep room for
    const nb::gil_scoped_release unlocked;
    const InterruptChecks checked(check_signals_sometimes());
    Workspace workspace;
    count(workspace);
  }
}

}  // namespace tricolore
