// alsa-lib's messages caught, and its locks switched off; the program's name.
#define _GNU_SOURCE
#include "CSynthALSA.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char message[256];

// alsa-lib reads the variable at its first open and locks a mutex on every write without it. Set while the program is
// being loaded, because setenv is not safe once there are threads. A value the user has set stays.
__attribute__((constructor)) static void switch_locks_off(void) { setenv("LIBASOUND_THREAD_SAFE", "0", 0); }

static void keep_first_message(const char *file, int line, const char *function, int code, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)code;
  if (message[0]) return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
}

void calsa_capture_messages(void) { snd_lib_error_set_handler(keep_first_message); }

void calsa_clear_message(void) { message[0] = 0; }

const char *calsa_message(void) { return message; }

void calsa_set_program_name(const char *name) {
  static char copy[64];
  snprintf(copy, sizeof copy, "%s", name);
  program_invocation_short_name = copy;
}
