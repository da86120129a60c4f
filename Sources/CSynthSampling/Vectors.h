// What the inner loops are written in: vectors, and a version of a function for each generation of x86-64 processors.
#pragma once
#include <CSynthRealtime.h>

// A product and a sum are rounded one by one, also where the processor could do both at once: the same bits everywhere.
#pragma STDC FP_CONTRACT OFF

// ThreadSanitizer would watch the choice of a version, which the loader makes before ThreadSanitizer has begun.
#if defined(__x86_64__) && !__has_feature(thread_sanitizer)
#define EACH_PROCESSOR __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define EACH_PROCESSOR
#endif
#define INLINE static inline __attribute__((always_inline))

typedef float four __attribute__((vector_size(16)));
typedef float eight __attribute__((vector_size(32)));
typedef int32_t eight_whole __attribute__((vector_size(32)));
typedef float sixteen __attribute__((vector_size(64)));
typedef int32_t sixteen_whole __attribute__((vector_size(64)));

#define MIX(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

// Eight rows as eight columns.
INLINE void transpose(eight *x) {
  eight pairs[8], fours[8];
  for (int row = 0; row < 8; row += 2) {
    pairs[row] = MIX(x[row], x[row + 1], 0, 8, 1, 9, 4, 12, 5, 13);
    pairs[row + 1] = MIX(x[row], x[row + 1], 2, 10, 3, 11, 6, 14, 7, 15);
  }
  for (int row = 0; row < 8; row += 4) {
    for (int part = 0; part < 2; part++) {
      fours[row + part * 2] = MIX(pairs[row + part], pairs[row + part + 2], 0, 1, 8, 9, 4, 5, 12, 13);
      fours[row + part * 2 + 1] = MIX(pairs[row + part], pairs[row + part + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
  }
  for (int row = 0; row < 4; row++) {
    x[row] = MIX(fours[row], fours[row + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    x[row + 4] = MIX(fours[row], fours[row + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}
