#include "CSynthLoading.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static _Thread_local char problem[256];

static const char *open_library(struct loaded_library *library) {
  void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    snprintf(problem, sizeof problem, "%s; install the package %s", dlerror(), library->package);
    return problem;
  }
  for (size_t index = 0; index < library->count; index++) {
    const struct loaded_function *function = &library->functions[index];
    *function->place = dlsym(handle, function->name);
    if (*function->place) continue;
    snprintf(problem, sizeof problem, "%s has no %s; install a later version of the package %s", library->file,
             function->name, library->package);
    dlclose(handle);
    return problem;
  }
  library->handle = handle;
  return NULL;
}

const char *library_load(struct loaded_library *library) {
  static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&turn);
  const char *result = library->handle ? NULL : open_library(library);
  pthread_mutex_unlock(&turn);
  return result;
}
