// The inner loops of sampled voices, mixers, resamplers, the reverb and the chorus, in a version for each generation of
// x86-64 processors: the loader chooses. All versions give the same bits.
#pragma once
#include <CSynthRealtime.h>
#include "Chorus.h"
#include "Mixing.h"
#include "Resampler.h"
#include "Reverb.h"

// Writes 16-bit words as numbers. Reads and writes memory, nothing else.
SYNTH_REALTIME void sampling_convert(const int16_t *_Nonnull words, float *_Nonnull numbers, size_t count);

// Reads frames from a window of numbers by a table of 256 rows: four weights each. Arithmetic on memory.
SYNTH_REALTIME void sampling_read_spline(const float *_Nonnull window, const float *_Nonnull rows, uint64_t position,
                                         uint64_t increment, float *_Nonnull frames, size_t count);

// The same; a row has `width` weights, a multiple of eight, and their distances from the next row's in units of 2⁻²⁴.
// At most a quantum of frames. Arithmetic on memory.
SYNTH_REALTIME void sampling_read_sinc(const float *_Nonnull window, const float *_Nonnull rows, size_t width,
                                       uint64_t position, uint64_t increment, float *_Nonnull frames, size_t count);

// Shapes frames of eight rows of RENDER_QUANTUM in place. `bank` is a `ResonantBank`: vectors of eight numbers, one for
// each voice, in the order of `sampling_bank`. Arithmetic on memory.
SYNTH_REALTIME void sampling_shape(void *_Nonnull bank, float *_Nonnull rows, size_t count);

// The same for two banks, one after the other, and their sixteen rows. Arithmetic on memory.
SYNTH_REALTIME void sampling_shape_two(void *_Nonnull banks, float *_Nonnull rows, size_t count);

// Adds up to eight rows of RENDER_QUANTUM frames to a stereo bus, and moves their gains on by a quantum. `rows` are
// those of a `RowMix`. Arithmetic on memory.
SYNTH_REALTIME void sampling_mix(const void *_Nonnull rows, size_t count, float *_Nonnull left, float *_Nonnull right);
