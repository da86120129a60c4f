// libsamplerate as Swift sees it, and the one of its calls that the audio thread makes, marked.
#pragma once
#include <samplerate.h>

#include "CSynthRealtime.h"

// Resamples interleaved frames at one ratio, output to input, without a glide from the last: how many frames came out,
// and in `consumed` how many went in. libsamplerate 0.2.2 allocates in src_new only, and its library imports no
// function that locks or waits.
SYNTH_REALTIME static inline long samplerate_process(SRC_STATE *_Nonnull state, const float *_Nonnull input,
                                                           long input_count, float *_Nonnull output, long output_count,
                                                           double ratio, long *_Nonnull consumed) {
  SRC_DATA data = {
      .data_in = input,
      .data_out = output,
      .input_frames = input_count,
      .output_frames = output_count,
      .src_ratio = ratio,
  };
  *consumed = 0;
  if (src_set_ratio(state, ratio) || src_process(state, &data)) return 0;
  *consumed = data.input_frames_used;
  return data.output_frames_gen;
}

// Forgets what was put in. A memset of 6 to 25 microseconds.
SYNTH_REALTIME static inline void samplerate_reset(SRC_STATE *_Nonnull state) { src_reset(state); }
