// The inner loops of the reverb: sixteen lines of RENDER_QUANTUM frames, one after the other in memory.
#pragma once
#include <CSynthRealtime.h>

// Reads a block through four neighbouring samples, whose weights go from the first four numbers to the last four, and
// adds another block to it. Arithmetic on memory.
SYNTH_REALTIME void reverb_read(const float *_Nonnull window, const void *_Nonnull weights,
                                const float *_Nonnull addend, float *_Nonnull output);

// Filters a block of each line in place. `shelves` is a `ReverbAbsorption`, in the order of `reverb_shelves`. Arithmetic
// on memory.
SYNTH_REALTIME void reverb_absorb(void *_Nonnull shelves, float *_Nonnull lines);

// The Hadamard transform of the lines, in place. Arithmetic on memory.
SYNTH_REALTIME void reverb_mix(float *_Nonnull lines);
