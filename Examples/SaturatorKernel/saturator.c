#include "saturator.h"

#include <math.h>

void saturator_render(void *context, synth_render *render) {
  saturator *state = context;
  if (*render->is_silent) return;
  const float *drive = synth_parameter(render, 0);
  for (int32_t channel = 0; channel < render->channel_count; channel++) {
    float *samples = synth_channel(render, channel);
    for (int32_t frame = 0; frame < render->frame_count; frame++) {
      const float driven = samples[frame] * drive[frame];
      state->peak = fmaxf(state->peak, fabsf(driven));
      samples[frame] = driven / (1 + fabsf(driven));
    }
  }
}
