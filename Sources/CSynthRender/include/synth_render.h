// What a render callback written in C is asked for: one bus during one quantum.
//
// The callback is called on the audio thread: it neither allocates, locks, waits nor makes a system call. In Swift,
// `RenderCallback(kernel:context:owner:)` makes a source, a sink or an effect of it.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct synth_render {
  // The first frame, counted from the start of rendering at the rate of the bus.
  int64_t sample_time;
  // When the slice was asked for, in nanoseconds of CLOCK_MONOTONIC; 0 offline.
  uint64_t host_time;
  // Of the bus, in hertz.
  double sample_rate;
  // The bus to render: an output bus of a source or an effect, an input bus of a sink.
  int32_t bus;
  int32_t frame_count;
  int32_t channel_count;
  int32_t parameter_count;
  // The channels, one after the other; see `synth_channel`.
  float *_Nonnull samples;
  // A value of each frame for each parameter, one after the other; see `synth_parameter`.
  const float *_Nullable parameters;
  // Whether every sample is zero. Who sets it has zeroed the samples; see `synth_silence`.
  bool *_Nonnull is_silent;
  // The engine's.
  void *_Nonnull buffer;
} synth_render;

typedef void (*synth_render_function)(void *_Nonnull context, synth_render *_Nonnull render);

// The samples of a channel, from 0: `frame_count` of them. A source writes them, a sink reads them, an effect alters
// them.
static inline float *_Nonnull synth_channel(const synth_render *_Nonnull render, int32_t channel) {
  return render->samples + (ptrdiff_t)channel * render->frame_count;
}

// What a parameter has at each of the frames, from 0, as kernels calculate with it: decibels are amplitudes.
static inline const float *_Nonnull synth_parameter(const synth_render *_Nonnull render, int32_t parameter) {
  return render->parameters + (ptrdiff_t)parameter * render->frame_count;
}

// Zeroes the samples and says so; what hears the bus then costs nothing.
static inline void synth_silence(synth_render *_Nonnull render) {
  memset(render->samples, 0, sizeof(float) * (size_t)render->frame_count * (size_t)render->channel_count);
  *render->is_silent = true;
}
