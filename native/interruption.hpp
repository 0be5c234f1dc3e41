// A long piece of work checks for Ctrl-C now and then, so that it can be interrupted in the middle.
#pragma once

#include <functional>
#include <utility>

namespace tricolore {

// How this thread checks; it may throw to give up.
inline thread_local const std::function<void()>* on_interrupt_check = nullptr;

// To be called about once in a thousand or a million elementary steps.
inline void check_interrupt() {
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
