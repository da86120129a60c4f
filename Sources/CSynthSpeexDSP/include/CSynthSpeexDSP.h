// libspeexdsp's echo canceller and preprocessor as Swift sees them, and the calls that the audio thread makes, marked.
#pragma once
#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>

#include "CSynthRealtime.h"

// Loads libspeexdsp, with which every use begins: NULL, or what is wrong and what to install. [control thread]
const char *_Nullable voice_load_library(void);

// For one microphone and so many loudspeakers. It aborts the process where there is no memory.
static inline SpeexEchoState *_Nonnull voice_make_canceller(int frame_size, int tail, int loudspeakers, int rate) {
  SpeexEchoState *echo = speex_echo_state_init_mc(frame_size, tail, 1, loudspeakers);
  speex_echo_ctl(echo, SPEEX_ECHO_SET_SAMPLING_RATE, &rate);
  return echo;
}

// What is left of the echo is lowered as the canceller guesses it.
static inline SpeexPreprocessState *_Nonnull voice_make_preprocessor(int frame_size, int rate,
                                                                     SpeexEchoState *_Nonnull echo) {
  SpeexPreprocessState *preprocessor = speex_preprocess_state_init(frame_size, rate);
  speex_preprocess_ctl(preprocessor, SPEEX_PREPROCESS_SET_ECHO_STATE, echo);
  return preprocessor;
}

// libspeexdsp 1.2.1 allocates where states are made and nowhere else, and its library imports no function that locks or
// waits. It would write to stderr where the canceller has failed for 50 frames: `VoiceProcessor` resets it before.
SYNTH_REALTIME static inline void voice_cancel(SpeexEchoState *_Nonnull echo, const int16_t *_Nonnull microphone,
                                               const int16_t *_Nonnull far_end, int16_t *_Nonnull output) {
  speex_echo_cancellation(echo, microphone, far_end, output);
}

// In place, a frame later.
SYNTH_REALTIME static inline void voice_preprocess(SpeexPreprocessState *_Nonnull preprocessor,
                                                   int16_t *_Nonnull samples) {
  speex_preprocess_run(preprocessor, samples);
}

// It clears memory.
SYNTH_REALTIME static inline void voice_reset(SpeexEchoState *_Nonnull echo) { speex_echo_state_reset(echo); }

// Three assignments. The decibels are at most 0; the target is in steps of 16 bits.
SYNTH_REALTIME static inline void voice_set(SpeexPreprocessState *_Nonnull preprocessor, int noise_decibels,
                                            int gain_is_automatic, int target) {
  speex_preprocess_ctl(preprocessor, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &noise_decibels);
  speex_preprocess_ctl(preprocessor, SPEEX_PREPROCESS_SET_AGC, &gain_is_automatic);
  speex_preprocess_ctl(preprocessor, SPEEX_PREPROCESS_SET_AGC_TARGET, &target);
}
