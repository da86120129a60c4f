#include "Mixing.h"
#include "Vectors.h"

// The larger of each two, and the first where one is no number.
INLINE void raise(eight *highest, const eight *other) {
  const eight_whole isHigher = *other > *highest;
  *highest = (eight)((isHigher & (eight_whole)*other) | (~isHigher & (eight_whole)*highest));
}

// What a block of a channel measured, while it is gone through.
typedef struct {
  eight peak, squares;
} level;

INLINE void measure(level *l, const eight *samples) {
  const eight magnitudes = (eight)((eight_whole)*samples & 0x7FFFFFFF);
  raise(&l->peak, &magnitudes);
  l->squares += *samples * *samples;
}

INLINE void store(const level *l, float *numbers) {
  float peak = l->peak[0], squares = l->squares[0];
  for (int lane = 1; lane < 8; lane++) {
    if (l->peak[lane] > peak) peak = l->peak[lane];
    squares += l->squares[lane];
  }
  numbers[0] = peak;
  numbers[1] = squares;
}

// Where the compiler knows which of these is wanted, the loop has no more in it.
INLINE void mix(const float *source, float *destination, float start, float step, size_t count, bool adds,
                float *numbers) {
  const eight places = {1, 2, 3, 4, 5, 6, 7, 8};
  eight gain = places * step + start;
  const float distance = step * 8;
  level l = {{0}, {0}};
  for (size_t frame = 0; frame < count; frame += 8) {
    eight samples;
    memcpy(&samples, source + frame, sizeof samples);
    eight result = samples * gain;
    if (numbers) measure(&l, &result);
    if (adds) {
      memcpy(&samples, destination + frame, sizeof samples);
      result += samples;
    }
    memcpy(destination + frame, &result, sizeof result);
    gain += distance;
  }
  if (numbers) store(&l, numbers);
}

EACH_PROCESSOR void mixing_add(const float *source, float *destination, float start, float step, size_t count) {
  mix(source, destination, start, step, count, true, NULL);
}

EACH_PROCESSOR void mixing_add_measured(const float *source, float *destination, float start, float step, size_t count,
                                        void *numbers) {
  mix(source, destination, start, step, count, true, numbers);
}

EACH_PROCESSOR void mixing_scale(const float *source, float *destination, float start, float step, size_t count,
                                 void *numbers) {
  mix(source, destination, start, step, count, false, numbers);
}

EACH_PROCESSOR void mixing_measure(const float *samples, size_t count, void *numbers) {
  level l = {{0}, {0}};
  for (size_t frame = 0; frame < count; frame += 8) {
    eight some;
    memcpy(&some, samples + frame, sizeof some);
    measure(&l, &some);
  }
  store(&l, numbers);
}
