// Whether the processor, and the system that runs on it, have all instructions of the levels x86-64-v3 and x86-64-v4.
#pragma once

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#include <cpuid.h>

namespace tricolore {

struct ProcessorRegisters {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

inline ProcessorRegisters about_processor(unsigned leaf) {
  ProcessorRegisters found;
  if (__get_cpuid_count(leaf, 0, &found.a, &found.b, &found.c, &found.d) == 0) return {};
  return found;
}

constexpr bool all_bits(unsigned present, unsigned needed) { return (present & needed) == needed; }

// Whether the system keeps all parts of vectors when it goes from one thread to another.
constexpr unsigned parts_of_256_bits = 0x6, parts_of_512_bits = 0xE6;
inline bool keeps_vectors(unsigned parts) {
  unsigned low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return all_bits(low, parts);
}

// The levels are those of the System V ABI, AMD64 supplement, 3.1.1.
inline bool has_level_3() {
  constexpr unsigned level_2 = bit_SSE3 | bit_SSSE3 | bit_CMPXCHG16B | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT;
  constexpr unsigned first = level_2 | bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C;
  constexpr unsigned seventh = bit_BMI | bit_AVX2 | bit_BMI2;
  constexpr unsigned lahf = 1u << 0, lzcnt = 1u << 5;  // of leaf 0x80000001
  return all_bits(about_processor(1).c, first) && keeps_vectors(parts_of_256_bits) &&
         all_bits(about_processor(7).b, seventh) && all_bits(about_processor(0x80000001).c, lahf | lzcnt);
}

inline bool has_level_4() {
  constexpr unsigned seventh = bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL;
  return has_level_3() && keeps_vectors(parts_of_512_bits) && all_bits(about_processor(7).b, seventh);
}

}  // namespace tricolore
#else
namespace tricolore {
inline bool has_level_3() { return false; }
inline bool has_level_4() { return false; }
}  // namespace tricolore
#endif
