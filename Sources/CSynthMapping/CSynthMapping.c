#define _GNU_SOURCE
#include "CSynthMapping.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// The start is 0 for none, and is written after the size and taken back before it: a size that is read between two
// equal starts is theirs.
struct mapping {
  _Atomic(uintptr_t) start;
  _Atomic(size_t) size;
  struct mapping *next;
};

// All that were ever needed at one time. None is freed, because a handler may be walking along them at any moment.
static _Atomic(struct mapping *) mappings;
// How many handlers are putting zeros somewhere: a mapping is not given back until they have.
static _Atomic(int) filling;

static uintptr_t page_size;
static struct sigaction handler_before;

// Puts zeros from a place on: where one page is gone all behind it are.
static bool fill(uintptr_t place) {
  for (struct mapping *mapping = atomic_load(&mappings); mapping; mapping = mapping->next) {
    const uintptr_t start = atomic_load(&mapping->start);
    const size_t size = atomic_load(&mapping->size);
    if (start == 0 || place < start || place - start >= size) continue;
    if (atomic_load(&mapping->start) != start) continue;
    const uintptr_t page = place / page_size * page_size;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    return mmap((void *)page, start + size - page, PROT_READ, flags, -1, 0) != MAP_FAILED;
  }
  return false;
}

static void handle(int number, siginfo_t *information, void *context) {
  const int error = errno;
  atomic_fetch_add(&filling, 1);
  // One that a program sends has no address.
  const bool is_filled = information->si_code == BUS_ADRERR && fill((uintptr_t)information->si_addr);
  atomic_fetch_sub(&filling, 1);
  errno = error;
  if (is_filled) return;
  if (handler_before.sa_flags & SA_SIGINFO) {
    handler_before.sa_sigaction(number, information, context);
  } else if (handler_before.sa_handler == SIG_DFL || handler_before.sa_handler == SIG_IGN) {
    // What has failed is done again, and ends the process; one that a program has sent does not come again.
    sigaction(SIGBUS, &handler_before, NULL);
    if (information->si_code <= 0) raise(SIGBUS);
  } else {
    handler_before.sa_handler(number);
  }
}

static void set_handler(void) {
  page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
  struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &handler_before);
}

// One that is free, with its size set, which is 0 while it is free.
static struct mapping *take(size_t size) {
  for (struct mapping *mapping = atomic_load(&mappings); mapping; mapping = mapping->next) {
    size_t none = 0;
    if (atomic_compare_exchange_strong(&mapping->size, &none, size)) return mapping;
  }
  struct mapping *mapping = calloc(1, sizeof *mapping);
  if (!mapping) return NULL;
  atomic_store(&mapping->size, size);
  mapping->next = atomic_load(&mappings);
  while (!atomic_compare_exchange_weak(&mappings, &mapping->next, mapping)) {}
  return mapping;
}

bool mapping_watch(const void *start, size_t size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_handler);
  struct mapping *mapping = take(size);
  if (mapping) atomic_store(&mapping->start, (uintptr_t)start);
  return mapping;
}

void mapping_forget(const void *start) {
  for (struct mapping *mapping = atomic_load(&mappings); mapping; mapping = mapping->next) {
    uintptr_t present = (uintptr_t)start;
    if (!atomic_compare_exchange_strong(&mapping->start, &present, 0)) continue;
    // A handler that has seen it maps over it: not once something else is there.
    while (atomic_load(&filling) > 0) sched_yield();
    atomic_store(&mapping->size, 0);
    return;
  }
}

int mapping_memory_file(void) { return memfd_create("bank", MFD_CLOEXEC); }
