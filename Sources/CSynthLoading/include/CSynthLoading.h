// Libraries that are loaded when they are first used. Linked, each would come into every start of every program, with
// all libraries below it.
//
// Their functions are jumps through pointers, under the names that the library's header declares, so that callers write
// what they would write if it were linked. `library_load` fills the pointers; until it has returned NULL none of the
// functions may be called.
#pragma once
#include <stddef.h>

struct loaded_function {
  const char *_Nonnull name;
  void *_Nullable *_Nonnull place;
};

struct loaded_library {
  const char *_Nonnull file;
  // Of Debian.
  const char *_Nonnull package;
  const struct loaded_function *_Nullable functions;
  size_t count;
  // What `dlopen` gave; NULL until it is loaded.
  void *_Nullable handle;
};

// Loads a library, unless it is loaded: NULL, or what is wrong and what to install, in one line that is good until this
// thread loads a library next. It stays loaded as long as the process runs. [control thread], several at once.
const char *_Nullable library_load(struct loaded_library *_Nonnull library);

#if defined(__x86_64__)
#define LOADED_JUMP(name) "jmpq *place_of_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define LOADED_JUMP(name) "adrp x16, place_of_" #name "\nldr x16, [x16, :lo12:place_of_" #name "]\nbr x16\n"
#else
#error "name the instructions that jump to where a pointer points"
#endif

// Hidden, so that the library calls its own functions.
#define LOADED_FUNCTION(name)                                                                                          \
  __attribute__((visibility("hidden"), used)) void *place_of_##name;                                                   \
  __asm__(".pushsection .text\n.globl " #name "\n.hidden " #name "\n.type " #name ", %function\n" #name ":\n"          \
          LOADED_JUMP(name) ".size " #name ", . - " #name "\n.popsection\n");
#define LOADED_ENTRY(name) {#name, &place_of_##name},

// Defines `library`, a static `struct loaded_library`, and its functions. `FUNCTIONS(F)` is a macro that writes
// `F(name)` for each of them; one that is missing there is missing to the linker.
#define LOADED_LIBRARY(library, file, package, FUNCTIONS)                                                              \
  FUNCTIONS(LOADED_FUNCTION)                                                                                           \
  static const struct loaded_function library##_functions[] = {FUNCTIONS(LOADED_ENTRY)};                               \
  static struct loaded_library library = {                                                                             \
    file, package, library##_functions, sizeof library##_functions / sizeof *library##_functions, NULL}
