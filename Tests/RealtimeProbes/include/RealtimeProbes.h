// Watches what a function calls that a real-time thread must not: linked into the tests only.
#pragma once
#include <CSynthRealtime.h>

// One forbidden function, as it was called while the thread was watched.
typedef struct {
  // "malloc", "swift_retain", "system call" …
  const char *_Nonnull function;
  // The number of a system call; 0 for all others.
  long number;
  long count;
  // Where the first call came from.
  const void *_Nullable caller;
} realtime_violation;

// Whether calls are watched in this build, by the probe or by RealtimeSanitizer. Sanitizers bring interposers of their
// own, so the probe's are left out where one is linked.
bool realtime_probe_is_watching(void);

// Calls `function` and watches the calling thread meanwhile, under RealtimeSanitizer too where it is linked.
void realtime_probe_run(realtime_function _Nonnull function, void *_Nonnull context, void *_Nonnull argument);

// Watches the calling thread from here on, but not its system calls: for a thread that has those of its device to make.
void realtime_probe_begin(void);

// Ends what `realtime_probe_begin` has begun: how many violations there were, the first `capacity` of them copied,
// because the thread may be gone when they are looked at.
size_t realtime_probe_end(realtime_violation *_Nonnull copies, size_t capacity);

// The violations of this thread's last run, `count` of them. Valid until its next run.
const realtime_violation *_Nonnull realtime_probe_violations(size_t *_Nonnull count);

// Where an address is: the exported symbol before it if there is one, and the file and offset for addr2line. Valid
// until the thread's next call.
const char *_Nonnull realtime_probe_place(const void *_Nullable address);

// Sets the time of day ahead for this process, in seconds; 0 is as it is. (CLOCK_REALTIME)
void realtime_probe_set_wall_clock(int64_t seconds);
