// Every system call of a watched thread, whoever makes it: libc, libgomp's own futexes, or inline assembly.
//
// Source: Linux, Documentation/admin-guide/syscall-user-dispatch.rst; Linux 5.11 and later, x86-64.
#define _GNU_SOURCE
#include "Probe.h"

#if PROBE_IS_LINKED && defined(__x86_64__)
#include <linux/prctl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <ucontext.h>

// The kernel reads it at each system call of the thread.
static _Thread_local volatile char selector = SYSCALL_DISPATCH_FILTER_ALLOW;

// The call was not made yet. From here on the thread's calls pass until the next run, so one is noted per run; the
// thread steps back over the two bytes of the SYSCALL instruction and makes it again.
static void note_system_call(int signal, siginfo_t *info, void *context) {
  selector = SYSCALL_DISPATCH_FILTER_ALLOW;
  probe_note("system call", info->si_syscall, info->si_call_addr);
  ((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] -= 2;
}

static void install_handler(void) {
  struct sigaction action = {.sa_sigaction = note_system_call, .sa_flags = SA_SIGINFO};
  sigaction(SIGSYS, &action, NULL);
}

void probe_watch_system_calls(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install_handler);
  if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, 0, 0, &selector)) {
    perror("watching system calls: prctl(PR_SET_SYSCALL_USER_DISPATCH), which needs Linux 5.11");
    abort();
  }
  selector = SYSCALL_DISPATCH_FILTER_BLOCK;
}

void probe_ignore_system_calls(void) {
  selector = SYSCALL_DISPATCH_FILTER_ALLOW;
  prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
}
#else
void probe_watch_system_calls(void) {}
void probe_ignore_system_calls(void) {}
#endif
