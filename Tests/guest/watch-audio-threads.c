// Notes what a program's audio threads call that they must not, wherever they are: in the render callback, in the
// device's loop or in alsa-lib. Preloaded, with the interposers of Tests/RealtimeProbes. System calls are theirs to
// make.
//
// SIGUSR1 begins, SIGUSR2 ends, and prints a line for each forbidden function: its name, how often, from where first.
#define _GNU_SOURCE
#include "Probe.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { capacity = 64 };  // more than there are interposed functions
static _Thread_local bool is_audio_thread;
static atomic_bool is_watching;
// That something was watched at all.
static atomic_int thread_count;
static struct {
  const char *_Atomic function;
  const void *_Atomic caller;
  atomic_long count;
} notes[capacity];

void probe_note(const char *function, long number, const void *caller) {
  (void)number;
  if (!is_audio_thread || !atomic_load(&is_watching)) return;
  for (int index = 0; index < capacity; index++) {
    const char *none = NULL;
    if (atomic_compare_exchange_strong(&notes[index].function, &none, function)) notes[index].caller = caller;
    if (notes[index].function == function) {
      atomic_fetch_add(&notes[index].count, 1);
      return;
    }
  }
}

// The program names its threads; those of devices are "pcm output".
int pthread_setname_np(pthread_t thread, const char *name) {
  if (pthread_equal(thread, pthread_self()) && strcmp(name, "pcm output") == 0) {
    is_audio_thread = true;
    atomic_fetch_add(&thread_count, 1);
  }
  int (*real)(pthread_t, const char *) = (int (*)(pthread_t, const char *))dlsym(RTLD_NEXT, "pthread_setname_np");
  return real(thread, name);
}

static void begin(int signal) {
  (void)signal;
  is_watching = true;
}

static void end(int signal) {
  (void)signal;
  is_watching = false;
  for (int index = 0; index < capacity && notes[index].function; index++) {
    Dl_info place = {0};
    dladdr(notes[index].caller, &place);
    dprintf(2, "forbidden: %s, %ld times, first from %s in %s\n", notes[index].function, notes[index].count,
            place.dli_sname ? place.dli_sname : "a local function", place.dli_fname ? place.dli_fname : "nowhere");
  }
  dprintf(2, "watched: %d audio threads\n", thread_count);
}

__attribute__((constructor)) static void listen_to_signals(void) {
  signal(SIGUSR1, begin);
  signal(SIGUSR2, end);
}
