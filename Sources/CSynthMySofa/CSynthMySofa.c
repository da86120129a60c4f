// Loads libmysofa, and zlib with it, when a set of responses is first read.
#include "CSynthMySofa.h"

#include "CSynthLoading.h"

#define FUNCTIONS(F)                                                                                                   \
  F(mysofa_check) F(mysofa_free) F(mysofa_interpolate) F(mysofa_load_data) F(mysofa_lookup) F(mysofa_lookup_free)      \
  F(mysofa_lookup_init) F(mysofa_loudness) F(mysofa_neighborhood) F(mysofa_neighborhood_free)                          \
  F(mysofa_neighborhood_init) F(mysofa_tocartesian)

LOADED_LIBRARY(library, "libmysofa.so.1", "libmysofa1", FUNCTIONS);

const char *mysofa_load_library(void) { return library_load(&library); }
