// The inner loops of resampling. Weights come in rows, one weight for each frame of the window that is read; a row has
// a multiple of 32 weights, or of 16.
#pragma once
#include <CSynthRealtime.h>

// The filter at its narrowest: weights of a row, and rows between two frames of input.
enum { RESAMPLER_TAPS = 176, RESAMPLER_PHASES = 384 };

// What a frame of output is made of: the window's first frame; a row; how far beyond it the frame lies, -0.5 to 0.5 of
// the distance to the next.
typedef struct {
  uint32_t frame;
  uint32_t row;
  float beyond;
} resampler_place;

// Writes interleaved frames, each the sums of the products of a row and a window of each channel. The channels are
// `stride` numbers apart. Arithmetic on memory.
SYNTH_REALTIME void resampler_read(const float *_Nonnull rows, size_t taps, const resampler_place *_Nonnull places,
                                   size_t count, const float *_Nonnull window, size_t stride, size_t channels,
                                   float *_Nonnull frames);

// The same by rows that are made from three neighbours, the place's and the two after it, of which the second is the
// one that the place is nearest to. `row` has room for one. Arithmetic on memory.
SYNTH_REALTIME void resampler_read_between(const float *_Nonnull rows, size_t taps,
                                           const resampler_place *_Nonnull places, size_t count,
                                           const float *_Nonnull window, size_t stride, size_t channels,
                                           float *_Nonnull row, float *_Nonnull frames);

// Writes a row of a filter that is wider than the narrowest, whose rows are given, those of neighbours included. The
// first weight lies `first` of the narrow filter's frames after its beginning, the others `spacing` frames apart, and
// are multiplied by that. Arithmetic on memory.
SYNTH_REALTIME void resampler_stretch(const float *_Nonnull rows, double first, double spacing, float *_Nonnull row,
                                      size_t taps);
