#include "CResamplers.h"

#include <math.h>
#include <samplerate.h>
#include <soxr.h>

double block_step(double step, double deviation, size_t block) {
  return deviation == 0 ? step : step * (1 + deviation * sin((double)block / 7));
}

long convert_by_samplerate(int quality, const float *input, size_t frames, float *output, size_t room, double step,
                           double deviation, size_t block_length) {
  int error = 0;
  SRC_STATE *state = src_new(quality, 2, &error);
  if (!state) return -1;
  size_t consumed = 0, produced = 0;
  for (size_t block = 0; produced + block_length <= room; block++) {
    const double ratio = 1 / block_step(step, deviation, block);
    SRC_DATA data = {.data_in = input + consumed * 2,
                     .data_out = output + produced * 2,
                     .input_frames = (long)(frames - consumed),
                     .output_frames = (long)block_length,
                     .src_ratio = ratio};
    if (src_set_ratio(state, ratio) || src_process(state, &data)) break;
    consumed += (size_t)data.input_frames_used;
    produced += (size_t)data.output_frames_gen;
    if (data.output_frames_gen == 0 && data.input_frames_used == 0) break;
  }
  src_delete(state);
  return (long)produced;
}

long convert_by_soxr(unsigned long quality, const float *input, size_t frames, float *output, size_t room, double step,
                     double deviation, size_t block_length) {
  const soxr_io_spec_t format = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I);
  const soxr_quality_spec_t recipe = soxr_quality_spec(quality, deviation == 0 ? 0 : SOXR_VR);
  const soxr_runtime_spec_t threads = soxr_runtime_spec(1);
  soxr_error_t error = 0;
  const double greatest = deviation == 0 ? step : step * (1 + deviation);
  soxr_t state = soxr_create(greatest, 1, 2, &error, &format, &recipe, &threads);
  if (error) return -1;
  size_t consumed = 0, produced = 0;
  for (size_t block = 0; produced + block_length <= room; block++) {
    if (deviation != 0) soxr_set_io_ratio(state, block_step(step, deviation, block), 0);
    // Little more than a block: it takes in all that it is given.
    const size_t some = (size_t)((double)block_length * step) + 1;
    const size_t offered = frames - consumed < some ? frames - consumed : some;
    size_t went = 0, came = 0;
    if (soxr_process(state, offered ? input + consumed * 2 : 0, offered, &went, output + produced * 2, block_length,
                     &came)) {
      break;
    }
    consumed += went;
    produced += came;
    if (consumed == frames && came == 0) break;
  }
  soxr_delete(state);
  return (long)produced;
}
