// What loading libfluidsynth and keeping its messages have in common.
#pragma once

// Takes FluidSynth's messages, and those of the libraries below it, away from standard error, once for the process.
// Errors are kept for `fluidsynth_take_error`; all else is dropped, for a shortage of voices is told from the audio
// thread.
void fluidsynth_redirect_messages(void *library);

// Keeps an error for `fluidsynth_take_error`.
void fluidsynth_keep_error(const char *message);
