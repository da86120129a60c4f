// An interposed clock: the time of day can be set for this process alone.
#define _GNU_SOURCE
#include "Probe.h"

#include <stdatomic.h>
#include <time.h>

static _Atomic(int64_t) ahead;

void realtime_probe_set_wall_clock(int64_t seconds) { atomic_store(&ahead, seconds); }

#if PROBE_IS_LINKED
#include <dlfcn.h>

int clock_gettime(clockid_t clock, struct timespec *time) {
  static _Atomic(void *) real;
  if (!real) real = dlsym(RTLD_NEXT, "clock_gettime");
  const int result = ((int (*)(clockid_t, struct timespec *))real)(clock, time);
  if (clock == CLOCK_REALTIME) time->tv_sec += atomic_load(&ahead);
  return result;
}
#endif
