// The system's D-Bus as Swift sees it: RealtimeKit, which gives real-time scheduling to users' threads. sd-bus is variadic.
#pragma once
#include <stdint.h>

// Asks RealtimeKit to schedule a thread of this process in real time, at `priority` or the highest it gives: that
// priority, or a negative errno value. Waits for an answer for a second or two at most; never to be called in real time.
//
// RealtimeKit wants RLIMIT_RTTIME to be as low as its own limit, which is set for the process first, and for good.
int rtkit_make_real_time(int64_t thread, int priority);

// What RLIMIT_RTTIME leads to: SIGXCPU, and then SIGKILL to a process with a real-time thread that does not sleep for so
// long. From now on, and unless the program has a handler of its own, such a signal makes the watched threads ordinary.
// 0, or a negative errno value if sixteen are watched.
int rtkit_watch(int64_t thread);

// The thread ends, or is no longer of interest.
void rtkit_unwatch(int64_t thread);

// Whether a watched thread was made ordinary because of such a signal.
int rtkit_has_demoted(int64_t thread);
