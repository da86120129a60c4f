#include "CSynthMapping.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// The start is 0 for none, and is written after the size and taken back before it: a size that is read between two
// equal starts is theirs.
static struct {
  _Atomic(uintptr_t) start;
  _Atomic(size_t) size;
} mappings[256];

enum { mapping_count = sizeof mappings / sizeof *mappings };

static uintptr_t page_size;
static struct sigaction handler_before;

// Puts zeros from a place on: where one page is gone all behind it are.
static bool fill(uintptr_t place) {
  for (int index = 0; index < mapping_count; index++) {
    const uintptr_t start = atomic_load(&mappings[index].start);
    const size_t size = atomic_load(&mappings[index].size);
    if (start == 0 || place < start || place - start >= size) continue;
    if (atomic_load(&mappings[index].start) != start) continue;
    const uintptr_t page = place / page_size * page_size;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    return mmap((void *)page, start + size - page, PROT_READ, flags, -1, 0) != MAP_FAILED;
  }
  return false;
}

static void handle(int number, siginfo_t *information, void *context) {
  const int error = errno;
  const bool is_filled = fill((uintptr_t)information->si_addr);
  errno = error;
  if (is_filled) return;
  if (handler_before.sa_flags & SA_SIGINFO) {
    handler_before.sa_sigaction(number, information, context);
  } else if (handler_before.sa_handler == SIG_DFL || handler_before.sa_handler == SIG_IGN) {
    // What has failed is done again, and ends the process.
    sigaction(SIGBUS, &handler_before, NULL);
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

bool mapping_watch(const void *start, size_t size) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, set_handler);
  // A place is taken by its size, which is 0 while it is free.
  for (int index = 0; index < mapping_count; index++) {
    size_t none = 0;
    if (!atomic_compare_exchange_strong(&mappings[index].size, &none, size)) continue;
    atomic_store(&mappings[index].start, (uintptr_t)start);
    return true;
  }
  return false;
}

void mapping_forget(const void *start) {
  for (int index = 0; index < mapping_count; index++) {
    uintptr_t present = (uintptr_t)start;
    if (!atomic_compare_exchange_strong(&mappings[index].start, &present, 0)) continue;
    atomic_store(&mappings[index].size, 0);
    return;
  }
}
