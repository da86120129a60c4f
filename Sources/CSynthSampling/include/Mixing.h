// The inner loops of mixers. A block has a multiple of eight frames; frame `i` has the gain start + step × (i + 1).
#pragma once
#include <CSynthRealtime.h>

// Adds a block under a gain to another one. Arithmetic on memory.
SYNTH_REALTIME void mixing_add(const float *_Nonnull source, float *_Nonnull destination, float start, float step,
                               size_t count);

// The same; writes the peak of what was added and the sum of its squares, a `BlockLevel`. Arithmetic on memory.
SYNTH_REALTIME void mixing_add_measured(const float *_Nonnull source, float *_Nonnull destination, float start,
                                        float step, size_t count, void *_Nonnull level);

// Writes a block under a gain over another one, or itself, and its `BlockLevel`. Arithmetic on memory.
SYNTH_REALTIME void mixing_scale(const float *_Nonnull source, float *_Nonnull destination, float start, float step,
                                 size_t count, void *_Nonnull level);

// Writes the `BlockLevel` of a block. Arithmetic on memory.
SYNTH_REALTIME void mixing_measure(const float *_Nonnull samples, size_t count, void *_Nonnull level);
