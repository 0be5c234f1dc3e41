// What the processor can do, as compilers ask when they choose among clones of a function (target_clones).
//
// The names and the numbers of features are those of libgcc and compiler-rt, which agree on them
// (gcc/common/config/i386/i386-cpuinfo.h); the file is only compiled where the tool chain has no such library.
#include <cstdint>

#include "processor_level.hpp"

// The 98th feature: all instructions of the level x86-64-v3.
static constexpr unsigned level_3 = 97;

extern "C" {

extern std::uint32_t __cpu_features2[4];
std::uint32_t __cpu_features2[4] __attribute__((visibility("hidden"))) = {};

int __cpu_indicator_init() __attribute__((visibility("hidden")));
int __cpu_indicator_init() {
  if (tricolore::has_level_3()) __cpu_features2[(level_3 - 32) / 32] |= 1u << (level_3 - 32) % 32;
  return 0;
}
}
