// What the parts of the probe share.
#pragma once
#include "RealtimeProbes.h"

#if defined(REALTIME_SANITIZER) || __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define PROBE_IS_LINKED 0
#else
#define PROBE_IS_LINKED 1
#endif

// Counts a call if the thread is being watched. `function` is told apart by its address.
void probe_note(const char *function, long number, const void *caller);

// System calls made by the calling thread in between are noted.
void probe_watch_system_calls(void);
void probe_ignore_system_calls(void);
