// D-Bus as Swift sees it: on the system's bus RealtimeKit, which gives real-time scheduling to users' threads, and on
// the session's the interfaces of media players and of sound cards that are reserved; sd-bus is variadic. And what a
// service tells its manager (sd_notify). libsystemd is loaded by the functions below, before any other is called.
#pragma once
#include <stdint.h>

#include "DeviceReservation.h"
#include "MediaPlayer.h"

// Opens the session's bus, or the one at `address` if that is not NULL, without waiting for its answer: 0 or more, or a
// negative errno value, which is -ELIBACC where libsystemd cannot be loaded. (sd_bus_open_user, sd_bus_start)
int session_bus_open(sd_bus **bus, const char *address);

// Tells the service manager that has started the program, if one has. (sd_notify)
int manager_tell(const char *state);

// Above 0 if that manager wants signs of life, with the longest time between two of them. (sd_watchdog_enabled)
int manager_wants_signs(uint64_t *microseconds);

// Waits, for a second at most, until a bus has answered: 0 or more, or a negative errno value. A method call alone
// would wait much longer for a bus that does not answer.
int system_bus_wait_until_ready(sd_bus *bus);

// Asks RealtimeKit to schedule a thread of this process in real time, at `priority` or the highest it allows: the
// priority granted, or a negative errno value. Waits for the answer for up to two seconds, so never call it in real
// time.
//
// RealtimeKit requires RLIMIT_RTTIME to be no higher than its own limit; it is lowered for the process first, for good.
int rtkit_make_real_time(int64_t thread, int priority);

// The kernel sends SIGXCPU, and later SIGKILL, to a process with a real-time thread that runs for longer than
// RLIMIT_RTTIME without sleeping. From this call on, unless the program has a handler, SIGXCPU gives the watched
// threads ordinary scheduling.
void rtkit_handle_time_limit(void);

// Adds a thread to those that SIGXCPU makes ordinary: 0, or -EUSERS when sixteen are watched.
int rtkit_watch(int64_t thread);

// Removes a thread from those that are watched.
void rtkit_unwatch(int64_t thread);

// Whether SIGXCPU has made a watched thread ordinary.
int rtkit_has_demoted(int64_t thread);
