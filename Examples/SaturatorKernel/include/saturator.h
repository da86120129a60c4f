// A saturator's kernel: bends large samples, as an overdriven valve does.
#pragma once
#include <synth_render.h>

typedef struct saturator {
  // The largest sample that has come in, after the drive.
  float peak;
} saturator;

// The context is a `saturator`, the only parameter the drive.
void saturator_render(void *_Nonnull context, synth_render *_Nonnull render);
