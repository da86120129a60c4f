// The inner loop of the chorus.
#pragma once
#include <CSynthRealtime.h>

// Gives a block of RENDER_QUANTUM frames; an output may be its input. The lines have `mask` + 1 samples, of which
// `place` is written next. `motion` is a `ChorusMotion`, in the order of `chorus_motion`. Returns the sum of the
// magnitudes of the outputs. Arithmetic on memory.
SYNTH_REALTIME float chorus_process(void *_Nonnull motion, float *_Nonnull left_line, float *_Nonnull right_line,
                                    size_t mask, size_t place, const float *_Nonnull left, const float *_Nonnull right,
                                    float *_Nonnull left_output, float *_Nonnull right_output);
