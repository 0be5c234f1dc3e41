// A long piece of work looks up now and then, so that Ctrl-C is heard inside it and not only after it.
#pragma once

#include <functional>
#include <utility>

namespace tricolore {

// What this thread does when it looks up; it may throw to give up.
inline thread_local const std::function<void()>* on_look_up = nullptr;

// To be called about once in a thousand or a million elementary steps.
inline void look_up() {
  if (on_look_up) (*on_look_up)();
}

// Sets what looking up means in this thread, for as long as it lives.
class LookingUp {
 public:
  explicit LookingUp(std::function<void()> act) : act_(std::move(act)), before_(on_look_up) { on_look_up = &act_; }
  LookingUp(const LookingUp&) = delete;
  LookingUp& operator=(const LookingUp&) = delete;
  ~LookingUp() { on_look_up = before_; }

 private:
  std::function<void()> act_;
  const std::function<void()>* before_;
};

}  // namespace tricolore
