#define _GNU_SOURCE
#include "CSynthRealtime.h"

#include <limits.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void realtime_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int realtime_processor_count(void) {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

int realtime_schedule_fifo(int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

void realtime_wait(sem_t *semaphore, int64_t nanoseconds) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  const int64_t sum = end.tv_nsec + nanoseconds;
  end.tv_sec += sum / 1000000000;
  end.tv_nsec = sum % 1000000000;
  sem_clockwait(semaphore, CLOCK_MONOTONIC, &end);
}

void realtime_sleep(void *number, uint32_t value) {
  syscall(SYS_futex, number, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

void realtime_wake(void *number) { syscall(SYS_futex, number, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0); }

int64_t realtime_thread(void) { return gettid(); }

void realtime_save_memory(void) {
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 128 << 10);
}
