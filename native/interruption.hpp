// A long piece of work checks for Ctrl-C now and then, so that it can be interrupted in the middle.
#pragma once

#include <cstddef>
#include <functional>
#include <utility>

namespace tricolore {

// How this thread checks; it may throw to give up.
inline thread_local const std::function<void()>* on_interrupt_check = nullptr;

// The steps that this thread has done since it last checked.
inline thread_local std::size_t unchecked_steps = 0;

// So many elementary steps, of a nanosecond or some more each, are done before the clock is read: reading it takes as
// long as a hundred of them.
constexpr std::size_t steps_between_checks = 1 << 16;

// To be called now and then, with the number of elementary steps done since the last time; with none, it checks at
// once.
inline void check_interrupt(std::size_t steps = steps_between_checks) {
  unchecked_steps += steps + 1;
  if (unchecked_steps < steps_between_checks) return;
  unchecked_steps = 0;
  if (on_interrupt_check) (*on_interrupt_check)();
}

// Sets how this thread checks, for as long as it lives.
class InterruptChecks {
 public:
  explicit InterruptChecks(std::function<void()> act) : act_(std::move(act)), before_(on_interrupt_check) {
    on_interrupt_check = &act_;
  }
  InterruptChecks(const InterruptChecks&) = delete;
  InterruptChecks& operator=(const InterruptChecks&) = delete;
  ~InterruptChecks() { on_interrupt_check = before_; }

 private:
  std::function<void()> act_;
  const std::function<void()>* before_;
};

}  // namespace tricolore
