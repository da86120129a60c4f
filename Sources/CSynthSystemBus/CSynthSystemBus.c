// What a service tells its manager, how buses are opened, RealtimeKit's three calls, and the handler for threads that
// exceed their time limit.
#define _GNU_SOURCE
#include "CSynthSystemBus.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <time.h>

#include "Loading.h"

// Loading waits for a file, so a program that no manager has started does without.
int manager_tell(const char *state) {
  if (!getenv("NOTIFY_SOCKET")) return 0;
  const int code = system_bus_load();
  return code < 0 ? code : sd_notify(0, state);
}

int manager_wants_signs(uint64_t *microseconds) {
  if (!getenv("WATCHDOG_USEC")) return 0;
  const int code = system_bus_load();
  return code < 0 ? code : sd_watchdog_enabled(0, microseconds);
}

static const char name[] = "org.freedesktop.RealtimeKit1";
static const char path[] = "/org/freedesktop/RealtimeKit1";
// In microseconds.
static const uint64_t patience = 1000000;

// The soft limit is half of the hard one, so that there is time to become ordinary before the process is killed.
static int limit_time(int64_t longest) {
  struct rlimit limit;
  if (longest < 2) return -EINVAL;
  if (getrlimit(RLIMIT_RTTIME, &limit) < 0) return -errno;
  if (limit.rlim_max > (rlim_t)longest) limit.rlim_max = (rlim_t)longest;
  if (limit.rlim_cur > limit.rlim_max / 2) limit.rlim_cur = limit.rlim_max / 2;
  return setrlimit(RLIMIT_RTTIME, &limit) < 0 ? -errno : 0;
}

static uint64_t microseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

int system_bus_wait_until_ready(sd_bus *bus) {
  const uint64_t deadline = microseconds() + patience;
  while (true) {
    int code = sd_bus_is_ready(bus);
    if (code != 0) return code;
    code = sd_bus_process(bus, NULL);
    if (code < 0) return code;
    const uint64_t time = microseconds();
    if (time >= deadline) return -ETIMEDOUT;
    if (code == 0 && (code = sd_bus_wait(bus, deadline - time)) < 0) return code;
  }
}

int session_bus_open(sd_bus **bus, const char *address) {
  int code = system_bus_load();
  if (code < 0 || !address) return code < 0 ? code : sd_bus_open_user(bus);
  if ((code = sd_bus_new(bus)) < 0 || (code = sd_bus_set_address(*bus, address)) < 0) return code;
  code = sd_bus_set_bus_client(*bus, 1);
  return code < 0 ? code : sd_bus_start(*bus);
}

static int make_real_time(sd_bus *bus, int64_t thread, int priority) {
  int32_t highest = 0;
  int64_t longest = 0;
  sd_bus_set_method_call_timeout(bus, patience);
  int code = system_bus_wait_until_ready(bus);
  if (code < 0) return code;
  code = sd_bus_get_property_trivial(bus, name, path, name, "MaxRealtimePriority", NULL, 'i', &highest);
  if (code < 0) return code;
  code = sd_bus_get_property_trivial(bus, name, path, name, "RTTimeUSecMax", NULL, 'x', &longest);
  if (code < 0) return code;
  code = limit_time(longest);
  if (code < 0) return code;
  if (priority > highest) priority = highest;
  if (priority < 1) return -EINVAL;
  code = sd_bus_call_method(bus, name, path, name, "MakeThreadRealtime", NULL, NULL, "tu", (uint64_t)thread,
                            (uint32_t)priority);
  return code < 0 ? code : priority;
}

int rtkit_make_real_time(int64_t thread, int priority) {
  sd_bus *bus = NULL;
  int code = system_bus_load();
  if (code < 0 || (code = sd_bus_open_system(&bus)) < 0) return code;
  const int result = make_real_time(bus, thread, priority);
  sd_bus_close_unref(bus);
  return result;
}

static _Atomic int64_t watched[16];
static _Atomic int64_t demoted[16];
enum { watched_count = sizeof watched / sizeof watched[0] };

static void demote(int signal) {
  (void)signal;
  const int error = errno;
  for (int index = 0; index < watched_count; index++) {
    const int64_t thread = watched[index];
    // RealtimeKit keeps children from inheriting the scheduling; that stays so.
    const struct sched_param ordinary = {0};
    if (thread != 0 && (sched_getscheduler((pid_t)thread) & ~SCHED_RESET_ON_FORK) != SCHED_OTHER &&
        sched_setscheduler((pid_t)thread, SCHED_OTHER | SCHED_RESET_ON_FORK, &ordinary) == 0) {
      demoted[index] = thread;
    }
  }
  errno = error;
}

void rtkit_handle_time_limit(void) {
  struct sigaction action;
  if (sigaction(SIGXCPU, NULL, &action) == 0 && action.sa_handler == SIG_DFL) {
    action = (struct sigaction){.sa_handler = demote, .sa_flags = SA_RESTART};
    sigaction(SIGXCPU, &action, NULL);
  }
}

int rtkit_watch(int64_t thread) {
  for (int index = 0; index < watched_count; index++) {
    int64_t none = 0;
    if (atomic_compare_exchange_strong(&watched[index], &none, thread)) {
      demoted[index] = 0;
      return 0;
    }
  }
  return -EUSERS;
}

void rtkit_unwatch(int64_t thread) {
  for (int index = 0; index < watched_count; index++) {
    int64_t known = thread;
    atomic_compare_exchange_strong(&watched[index], &known, 0);
  }
}

int rtkit_has_demoted(int64_t thread) {
  for (int index = 0; index < watched_count; index++) {
    if (thread != 0 && watched[index] == thread && demoted[index] == thread) return true;
  }
  return false;
}
