#define _GNU_SOURCE
#include "CRealtime.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

void realtime_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

int realtime_schedule_fifo(int priority) {
  struct sched_param parameters = {.sched_priority = priority};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

int64_t realtime_thread(void) { return gettid(); }
