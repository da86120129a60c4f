// libsndfile as Swift sees it.
#pragma once
#include <sndfile.h>

/// The first loop of an instrument; Swift cannot read `loops`, whose type has no name.
typedef struct {
  int mode;
  uint32_t start;
  uint32_t end;
} SndfileLoop;

static inline SndfileLoop sndfile_first_loop(const SF_INSTRUMENT *instrument) {
  return (SndfileLoop){instrument->loops[0].mode, instrument->loops[0].start, instrument->loops[0].end};
}
