// Loads libspeexdsp when voices are first processed.
#include "CSynthSpeexDSP.h"

#include "CSynthLoading.h"

#define FUNCTIONS(F)                                                                                                   \
  F(speex_echo_cancellation) F(speex_echo_ctl) F(speex_echo_state_destroy) F(speex_echo_state_init_mc)                 \
  F(speex_echo_state_reset) F(speex_preprocess_ctl) F(speex_preprocess_run) F(speex_preprocess_state_destroy)          \
  F(speex_preprocess_state_init)

LOADED_LIBRARY(library, "libspeexdsp.so.1", "libspeexdsp1", FUNCTIONS);

const char *voice_load_library(void) { return library_load(&library); }
