// The inner loops of the reverb: sixteen lines of RENDER_QUANTUM frames, one after the other in memory.
#pragma once
#include <CSynthRealtime.h>

// Where sixteen lines are read: for each its length and a swing from one share to another, which become a whole number
// of frames and the weights of four neighbouring samples, those of the first frame and of the last. Arithmetic on
// memory.
SYNTH_REALTIME void reverb_aim(const void *_Nonnull lengths, float swing, const void *_Nonnull before,
                               const void *_Nonnull after, void *_Nonnull wholes, void *_Nonnull weights);

// Writes two lines under a gain as left and right, and the sum of the magnitudes. Arithmetic on memory.
SYNTH_REALTIME void reverb_deliver(const float *_Nonnull first, const float *_Nonnull second, float gain,
                                   float *_Nonnull left, float *_Nonnull right, float *_Nonnull sum);

// Reads a block through four neighbouring samples, whose weights go from the first four numbers to the last four, and
// adds another block to it. Arithmetic on memory.
SYNTH_REALTIME void reverb_read(const float *_Nonnull window, const void *_Nonnull weights,
                                const float *_Nonnull addend, float *_Nonnull output);

// Filters a block of each line in place. `shelves` is a `ReverbAbsorption`, in the order of `reverb_shelves`.
// Arithmetic on memory.
SYNTH_REALTIME void reverb_absorb(void *_Nonnull shelves, float *_Nonnull lines);

// The Hadamard transform of the lines, in place. Arithmetic on memory.
SYNTH_REALTIME void reverb_mix(float *_Nonnull lines);
