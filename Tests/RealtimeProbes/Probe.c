// The record of one thread's forbidden calls.
#define _GNU_SOURCE
#include "Probe.h"

#include <dlfcn.h>
#include <stdio.h>

enum { capacity = 64 };  // more than there are interposed functions
static _Thread_local bool watching;
static _Thread_local size_t violation_count;
static _Thread_local realtime_violation violations[capacity];

bool realtime_probe_is_watching(void) { return PROBE_IS_LINKED || __rtsan_realtime_enter; }

void realtime_probe_run(realtime_function function, void *context, void *argument) {
  violation_count = 0;
  probe_watch_system_calls();
  watching = true;
  realtime_enter();
  function(context, argument);
  realtime_exit();
  watching = false;
  probe_ignore_system_calls();
}

void realtime_probe_begin(void) {
  violation_count = 0;
  watching = true;
}

size_t realtime_probe_end(realtime_violation *copies, size_t capacity) {
  watching = false;
  for (size_t index = 0; index < violation_count && index < capacity; index++) copies[index] = violations[index];
  return violation_count;
}

const realtime_violation *realtime_probe_violations(size_t *count) {
  *count = violation_count;
  return violations;
}

void probe_note(const char *function, long number, const void *caller) {
  if (!watching) return;
  for (size_t index = 0; index < violation_count; index++) {
    realtime_violation *known = &violations[index];
    if (known->function == function && known->number == number) {
      known->count++;
      return;
    }
  }
  if (violation_count == capacity) return;
  violations[violation_count++] = (realtime_violation){function, number, 1, caller};
}

const char *realtime_probe_place(const void *address) {
  static _Thread_local char place[512];
  Dl_info found;
  if (!address || !dladdr(address, &found)) return "an unknown place";
  snprintf(place, sizeof place, "%s (%s+0x%tx)", found.dli_sname ? found.dli_sname : "a local function",
           found.dli_fname, (const char *)address - (const char *)found.dli_fbase);
  return place;
}
