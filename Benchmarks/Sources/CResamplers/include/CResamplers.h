// libsamplerate and libsoxr, for Benchmarks/resampling: a whole stereo signal, interleaved, in blocks.
#pragma once
#include <stddef.h>

// Input frames per output frame, block by block: the step, off by up to `deviation` of it if that is not 0.
double block_step(double step, double deviation, size_t block);

// Converts: how many frames came out. `quality` is libsamplerate's converter. -1: it failed.
long convert_by_samplerate(int quality, const float *input, size_t frames, float *output, size_t room, double step,
                           double deviation, size_t block_length);

// The same; `quality` is libsoxr's recipe. What deviates takes its way for variable rates.
long convert_by_soxr(unsigned long quality, const float *input, size_t frames, float *output, size_t room, double step,
                     double deviation, size_t block_length);

enum { SAMPLERATE_BEST = 0, SAMPLERATE_MEDIUM = 1, SOXR_HIGH = 4, SOXR_VERY_HIGH = 6 };
