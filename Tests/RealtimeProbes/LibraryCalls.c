// Interposed library functions: each notes that it was called, then calls the real one.
//
// A symbol of the executable goes before those of shared libraries, so the calls that libfluidsynth, libgomp, GLib and
// the Swift runtime make arrive here as well.
#define _GNU_SOURCE
#include "Probe.h"

#if PROBE_IS_LINKED
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#define NOTE(name) probe_note(name, 0, __builtin_return_address(0))

// The C allocator, which must work before dlsym does: glibc exports it under a second name.
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t), __libc_free(void *);

void *malloc(size_t size) {
  NOTE("malloc");
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  NOTE("calloc");
  return __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
  NOTE("realloc");
  return __libc_realloc(memory, size);
}

void free(void *memory) {
  NOTE("free");
  __libc_free(memory);
}

void *memalign(size_t alignment, size_t size) {
  NOTE("memalign");
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  NOTE("aligned_alloc");
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  NOTE("posix_memalign");
  void *allocated = __libc_memalign(alignment, size);
  if (!allocated) return ENOMEM;
  *memory = allocated;
  return 0;
}

// libfluidsynth and the GLib below it may have been loaded for themselves alone.
static void *find(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function) return function;
  void *glib = dlopen("libglib-2.0.so.0", RTLD_NOW | RTLD_NOLOAD);
  return glib ? dlsym(glib, name) : NULL;
}

// Threads may race to look the real function up; they find the same one.
#define INTERPOSE(result, name, parameters, ...)                                             \
  result name parameters {                                                                   \
    static _Atomic(void *) real;                                                             \
    NOTE(#name);                                                                             \
    if (!real) real = find(#name);                                                           \
    return ((result(*) parameters)real)(__VA_ARGS__);                                        \
  }

INTERPOSE(int, pthread_mutex_lock, (pthread_mutex_t * mutex), mutex)
INTERPOSE(int, pthread_mutex_trylock, (pthread_mutex_t * mutex), mutex)
INTERPOSE(int, pthread_cond_wait, (pthread_cond_t * condition, pthread_mutex_t *mutex), condition, mutex)
INTERPOSE(int, pthread_cond_signal, (pthread_cond_t * condition), condition)
INTERPOSE(int, pthread_cond_broadcast, (pthread_cond_t * condition), condition)
INTERPOSE(int, pthread_rwlock_rdlock, (pthread_rwlock_t * lock), lock)
INTERPOSE(int, pthread_rwlock_wrlock, (pthread_rwlock_t * lock), lock)
INTERPOSE(int, pthread_spin_lock, (pthread_spinlock_t * lock), lock)
INTERPOSE(int, sem_wait, (sem_t * semaphore), semaphore)
INTERPOSE(int, sem_post, (sem_t * semaphore), semaphore)

// GLib's locks are its own; without contention they make no system call and never reach pthread.
INTERPOSE(void, g_mutex_lock, (void *mutex), mutex)
INTERPOSE(void, g_rec_mutex_lock, (void *mutex), mutex)
INTERPOSE(void, g_cond_signal, (void *condition), condition)

// Standard output streams lock, and buffer what would else be seen as a system call.
INTERPOSE(size_t, fwrite, (const void *data, size_t size, size_t count, FILE *file), data, size, count, file)
INTERPOSE(int, fputs, (const char *text, FILE *file), text, file)

// The Swift runtime.
typedef void *object;
INTERPOSE(object, swift_allocObject, (object type, size_t size, size_t mask), type, size, mask)
INTERPOSE(object, swift_retain, (object it), it)
INTERPOSE(object, swift_retain_n, (object it, uint32_t count), it, count)
INTERPOSE(void, swift_release, (object it), it)
INTERPOSE(void, swift_release_n, (object it, uint32_t count), it, count)
INTERPOSE(object, swift_bridgeObjectRetain, (object it), it)
INTERPOSE(void, swift_bridgeObjectRelease, (object it), it)
INTERPOSE(object, swift_unownedRetainStrong, (object it), it)
INTERPOSE(object, swift_weakLoadStrong, (object reference), reference)
INTERPOSE(void, swift_beginAccess, (void *address, void *buffer, uintptr_t flags, void *pc), address, buffer, flags, pc)
INTERPOSE(void, swift_once, (void *token, void *function, void *context), token, function, context)
#endif
