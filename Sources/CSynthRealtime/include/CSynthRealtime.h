// What the audio thread needs from C: marked calls, sanitizer hooks, the floating-point mode.
#pragma once
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

// A promise that the function neither allocates, locks nor waits; Swift then accepts it in `@_noLocks` code.
#define SYNTH_REALTIME                                   \
  __attribute__((swift_attr("@_noLocks")))               \
  __attribute__((swift_attr("@_noAllocation")))

// The engine renders in blocks of this many frames. The one definition, for C, DSP and the graph.
#define RENDER_QUANTUM 64

typedef void (*realtime_function)(void *_Nonnull context, void *_Nonnull argument);

// Swift cannot see through an indirect call. Every function that reaches a render plan is the entry of a kernel, whose
// body the compiler has checked, or a render callback, whose author has promised.
SYNTH_REALTIME static inline void realtime_call(realtime_function _Nonnull function, void *_Nonnull context,
                                                void *_Nonnull argument) {
  function(context, argument);
}

// A job's entry: the context, the job's number, the number of the thread that does it.
typedef void (*realtime_job)(void *_Nonnull context, ptrdiff_t number, ptrdiff_t thread);

// As `realtime_call`: who gives the job to a `WorkerTeam` has promised.
SYNTH_REALTIME static inline void realtime_do(realtime_job _Nonnull job, void *_Nonnull context, ptrdiff_t number,
                                              ptrdiff_t thread) {
  job(context, number, thread);
}

// Gives the processor's other thread way, within a loop that waits.
SYNTH_REALTIME static inline void realtime_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

// Sleeps while the number is `value`, until `realtime_wake`, or for no reason. Waits, as `WorkerTeam` says where.
// (futex)
SYNTH_REALTIME void realtime_sleep(void *_Nonnull number, uint32_t value);

// Wakes all who sleep on the number: a system call that does not wait. (futex)
SYNTH_REALTIME void realtime_wake(void *_Nonnull number);

// memcpy is pure; Swift's own `update(from:)` could free what it overwrites, as far as the compiler knows.
SYNTH_REALTIME static inline void realtime_copy(float *_Nonnull destination, const float *_Nonnull source,
                                                size_t count) {
  memcpy(destination, source, count * sizeof(float));
}

// Copies samples between places that do not overlap; infinity and NaN become 0. Without a branch, so that the compiler
// vectorises it: four instructions more than a copy for four samples.
SYNTH_REALTIME static inline void realtime_copy_finite(float *_Nonnull restrict destination,
                                                       const float *_Nonnull restrict source, size_t count) {
  for (size_t n = 0; n < count; n++) {
    uint32_t bits;
    memcpy(&bits, source + n, sizeof bits);
    bits = (bits & 0x7F800000u) == 0x7F800000u ? 0 : bits;
    memcpy(destination + n, &bits, sizeof bits);
  }
}

// The same in place.
SYNTH_REALTIME static inline void realtime_make_finite(float *_Nonnull samples, size_t count) {
  for (size_t n = 0; n < count; n++) {
    uint32_t bits;
    memcpy(&bits, samples + n, sizeof bits);
    bits = (bits & 0x7F800000u) == 0x7F800000u ? 0 : bits;
    memcpy(samples + n, &bits, sizeof bits);
  }
}

// Reads a byte, so that its page is in memory; the compiler may not leave it out.
SYNTH_REALTIME static inline void realtime_touch(const void *_Nonnull byte) { (void)*(const volatile char *)byte; }

// One instruction; Swift's `squareRoot()` is not accepted in `@_noLocks` code.
SYNTH_REALTIME static inline float realtime_square_root(float value) { return __builtin_sqrtf(value); }

// The monotonic clock in nanoseconds: read in the vDSO, no system call.
SYNTH_REALTIME static inline uint64_t realtime_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// RealtimeSanitizer, if the program is linked with it.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));

SYNTH_REALTIME static inline void realtime_enter(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

SYNTH_REALTIME static inline void realtime_exit(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}

// Flushes denormals to zero on the calling thread, because a decaying filter otherwise costs a hundred times more;
// returns the previous floating-point mode.
static inline uint64_t realtime_flush_denormals(void) {
#if defined(__x86_64__)
  unsigned int mode;
  __asm__ volatile("stmxcsr %0" : "=m"(mode));
  const unsigned int flushing = mode | 0x8040;  // FTZ | DAZ
  __asm__ volatile("ldmxcsr %0" : : "m"(flushing));
#elif defined(__aarch64__)
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  __asm__ volatile("msr fpcr, %0" : : "r"(mode | UINT64_C(1) << 24));  // FZ
#else
  const uint64_t mode = 0;
#endif
  return mode;
}

// Restores the mode that `realtime_flush_denormals` returned.
static inline void realtime_restore_denormals(uint64_t mode) {
#if defined(__x86_64__)
  const unsigned int restored = (unsigned int)mode;
  __asm__ volatile("ldmxcsr %0" : : "m"(restored));
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#else
  (void)mode;
#endif
}

// Names the calling thread for debuggers and `top`; at most 15 bytes. (pthread_setname_np)
void realtime_name_thread(const char *_Nonnull name);

// How many processors this process may run on, at least 1. (sched_getaffinity)
int realtime_processor_count(void);

// Asks for SCHED_FIFO at `priority` for the calling thread; 0, or an errno value. (pthread_setschedparam)
int realtime_schedule_fifo(int priority);

// Waits until a semaphore is posted, or for so long, by the monotonic clock. (sem_clockwait)
void realtime_wait(sem_t *_Nonnull semaphore, int64_t nanoseconds);

// The calling thread's number in the kernel. (gettid)
int64_t realtime_thread(void);

// Has all threads of the process allocate from one heap, and gives blocks of 128 KB and more back to the system as soon
// as they are freed. (mallopt) Threads that allocate a lot wait for each other then.
void realtime_save_memory(void);
