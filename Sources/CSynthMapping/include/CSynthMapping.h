// Files that are read where they are mapped. Where another program shortens one, the pages behind its new end are gone,
// and who reads them gets SIGBUS, which ends a process. Those of watched mappings become zeros instead: a voice that
// plays them is silent. wl_shm_buffer_begin_access of libwayland does the same.
//
// It works on threads that leave SIGBUS open, as `WorkerThread` does: Linux ends the process of one that blocks it.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Watches a mapping that begins with a page. False where memory is short: it is not safe then. The first one sets the
// process's handler of SIGBUS, which leaves all others to the handler before it. [control thread], several at once.
bool mapping_watch(const void *_Nonnull start, size_t size);

// Before a mapping is given back. [control thread]
void mapping_forget(const void *_Nonnull start);

// A file in memory without a name, open for reading and writing, and closed in programs that are started; -1 with errno
// if there is none. (memfd_create)
int mapping_memory_file(void);
