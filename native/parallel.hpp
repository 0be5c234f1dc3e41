// Spread segments over threads so that the result never depends on how many there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace tricolore {

inline std::size_t blocks_of(std::size_t items, std::size_t block_size) {
  return (items + block_size - 1) / block_size;
}

// Call work(workspace, block, first, last) for every block of `block_size` items; each thread has one workspace, and
// the caller's own thread uses `own`.
template <class Workspace, class Work>
void for_blocks(std::size_t items, std::size_t block_size, unsigned threads, Workspace& own, Work&& work) {
  const std::size_t blocks = blocks_of(items, block_size);
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failing;
  auto run = [&](Workspace& workspace) {
    try {
      for (std::size_t block = next++; block < blocks; block = next++)
        work(workspace, block, block * block_size, std::min(items, (block + 1) * block_size));
    } catch (...) {
      const std::lock_guard lock(failing);
      failure = std::current_exception();
      next = blocks;
    }
  };
  std::vector<std::thread> helpers;
  try {
    for (std::size_t t = 1; t < std::min<std::size_t>(threads, blocks); ++t) {
      helpers.emplace_back([&] {
        Workspace workspace;
        run(workspace);
      });
    }
  } catch (const std::system_error&) {
    // The system has no more threads to give; those that there are do the work.
  }
  run(own);
  for (auto& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tricolore
