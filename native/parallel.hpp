// Spread segments over threads so that the result never depends on how many there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "interruption.hpp"

namespace tricolore {

inline std::size_t blocks_of(std::size_t items, std::size_t block_size) {
  return (items + block_size - 1) / block_size;
}

// Thrown in a thread that is to stop because another has failed.
struct Stopped {};

// Call work(workspace, block, first, last) for every block of `block_size` items; each thread has one workspace, and
// the caller's own thread uses `own`. The caller's thread checks for Ctrl-C by `check`, which may throw; the others
// then stop.
template <class Workspace, class Work>
void for_blocks(std::size_t items, std::size_t block_size, unsigned threads, Workspace& own,
                const std::function<void()>& check, Work&& work) {
  const std::size_t blocks = blocks_of(items, block_size);
  std::atomic<std::size_t> next{0};
  std::atomic<bool> stopped{false};
  std::exception_ptr failure;
  std::mutex failing;
  auto run = [&](Workspace& workspace, const std::function<void()>& on_interrupt_check) {
    const InterruptChecks checked(on_interrupt_check);
    for (std::size_t block = next++; block < blocks; block = next++) {
      check_interrupt(steps_between_checks / 8);
      work(workspace, block, block * block_size, std::min(items, (block + 1) * block_size));
    }
  };
  // No error may leave a thread; the first of them is thrown in the end.
  auto catching = [&](auto&& act) {
    try {
      act();
    } catch (const Stopped&) {
    } catch (...) {
      const std::lock_guard lock(failing);
      if (!failure) failure = std::current_exception();
      stopped = true;
      next = blocks;
    }
  };
  const auto stop = [&] {
    if (stopped) throw Stopped{};
  };
  std::vector<std::thread> helpers;
  helpers.reserve(std::min<std::size_t>(threads, blocks));
  std::atomic<std::size_t> busy{0};
  std::condition_variable done;
  try {
    for (std::size_t t = 1; t < std::min<std::size_t>(threads, blocks); ++t) {
      ++busy;
      helpers.emplace_back([&] {
        catching([&] {
          Workspace workspace;
          run(workspace, stop);
        });
        const std::lock_guard lock(failing);
        --busy;
        done.notify_one();
      });
    }
  } catch (const std::exception&) {
    --busy;  // The system has no more threads to give, or no memory for them; those that there are do the work.
  }
  catching([&] {
    run(own, [&] {
      stop();
      check();
    });
  });
  // The others may be at it for long yet, and only this thread hears Ctrl-C.
  for (std::unique_lock lock(failing); busy > 0;) {
    if (done.wait_for(lock, std::chrono::milliseconds(100), [&] { return busy == 0; })) break;
    lock.unlock();
    catching([&] {
      if (!stopped) check();
    });
    lock.lock();
  }
  for (auto& helper : helpers) helper.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tricolore
