#include "Reverb.h"
#include "Vectors.h"

// The weights of Lagrange's cubic for four neighbouring samples, `u` behind the second one: four in each line's row of
// eight.
INLINE void write_weights(float *weights, const sixteen *u) {
  const sixteen x = *u;
  const sixteen taps[4] = {x * -1 * (x - 1) * (x - 2) / 6, (x + 1) * (x - 1) * (x - 2) / 2,
                           (x + 1) * -1 * x * (x - 2) / 2, (x + 1) * x * (x - 1) / 6};
  for (int line = 0; line < 16; line++) {
    for (int tap = 0; tap < 4; tap++) weights[line * 8 + tap] = taps[tap][line];
  }
}

EACH_PROCESSOR void reverb_aim(const void *lengths, float swing, const void *before, const void *after,
                               void *wholes, void *weights) {
  sixteen_whole whole;
  memcpy(&whole, lengths, sizeof whole);
  const sixteen length = __builtin_convertvector(whole, sixteen);
  sixteen start, end;
  memcpy(&start, before, sizeof start);
  memcpy(&end, after, sizeof end);
  start = length + swing * start;
  end = length + swing * end;
  for (int line = 0; line < 16; line++) whole[line] = (int32_t)(end[line] < start[line] ? end[line] : start[line]);
  memcpy(wholes, &whole, sizeof whole);
  const sixteen base = __builtin_convertvector(whole, sixteen);
  start = 1 - (start - base);
  end = 1 - (end - base);
  write_weights(weights, &start);
  write_weights((float *)weights + 4, &end);
}

EACH_PROCESSOR void reverb_deliver(const float *first, const float *second, float gain, float *left, float *right,
                                   float *sum) {
  eight sums = {0};
  for (size_t frame = 0; frame < RENDER_QUANTUM; frame += 8) {
    eight sides[2];
    memcpy(&sides[0], first + frame, sizeof(eight));
    memcpy(&sides[1], second + frame, sizeof(eight));
    for (int side = 0; side < 2; side++) {
      sides[side] *= gain;
      sums += (eight)((eight_whole)sides[side] & 0x7FFFFFFF);
    }
    memcpy(left + frame, &sides[0], sizeof(eight));
    memcpy(right + frame, &sides[1], sizeof(eight));
  }
  float total = 0;
  for (int lane = 0; lane < 8; lane++) total += sums[lane];
  *sum = total;
}

EACH_PROCESSOR void reverb_read(const float *window, const void *both_weights, const float *addend, float *output) {
  float weights[8];
  memcpy(weights, both_weights, sizeof weights);
  const eight steps = {0, 1.0f / 64, 2.0f / 64, 3.0f / 64, 4.0f / 64, 5.0f / 64, 6.0f / 64, 7.0f / 64};
  eight weight[4];
  float change[4];
  for (int tap = 0; tap < 4; tap++) {
    const float distance = weights[4 + tap] - weights[tap];
    weight[tap] = weights[tap] + distance * steps;
    change[tap] = distance * 0.125f;
  }
  for (size_t frame = 0; frame < RENDER_QUANTUM; frame += 8) {
    eight sum;
    memcpy(&sum, addend + frame, sizeof sum);
    for (int tap = 0; tap < 4; tap++) {
      eight samples;
      memcpy(&samples, window + frame + tap, sizeof samples);
      sum += samples * weight[tap];
      weight[tap] += change[tap];
    }
    memcpy(output + frame, &sum, sizeof sum);
  }
}

// Eight frames of eight lines as columns of lines, or back.
INLINE void load_columns(eight *columns, const float *lines) {
  for (int line = 0; line < 8; line++) memcpy(&columns[line], lines + line * RENDER_QUANTUM, sizeof(eight));
  transpose(columns);
}

INLINE void store_columns(eight *columns, float *lines) {
  transpose(columns);
  for (int line = 0; line < 8; line++) memcpy(lines + line * RENDER_QUANTUM, &columns[line], sizeof(eight));
}

// First-order shelves, and their memory: two times eight lines.
typedef struct {
  eight b0[2], b1[2], a1[2], memory[2];
} reverb_shelves;

EACH_PROCESSOR void reverb_absorb(void *shelves, float *lines) {
  // A copy, because Swift aligns numbers to four bytes.
  reverb_shelves s;
  memcpy(&s, shelves, sizeof s);
  for (size_t frame = 0; frame < RENDER_QUANTUM; frame += 8) {
    eight columns[2][8];
    for (int half = 0; half < 2; half++) load_columns(columns[half], lines + half * 8 * RENDER_QUANTUM + frame);
    // A frame's value waits for that of the frame before: both halves wait together.
    for (int column = 0; column < 8; column++) {
      for (int half = 0; half < 2; half++) {
        const eight value = s.b0[half] * columns[half][column] + s.memory[half];
        s.memory[half] = s.b1[half] * columns[half][column] - s.a1[half] * value;
        columns[half][column] = value;
      }
    }
    for (int half = 0; half < 2; half++) store_columns(columns[half], lines + half * 8 * RENDER_QUANTUM + frame);
  }
  memcpy(shelves, &s, sizeof s);
}

// A stage of the transform: sums and differences of the lines that are so far apart.
INLINE void combine(eight *values, int distance) {
  // Unrolled, the values stay in registers: a seventh of the time.
#pragma clang loop unroll(full)
  for (int line = 0; line < 16; line++) {
    if (line & distance) continue;
    const eight first = values[line], second = values[line + distance];
    values[line] = first + second;
    values[line + distance] = first - second;
  }
}

EACH_PROCESSOR void reverb_mix(float *lines) {
  for (size_t frame = 0; frame < RENDER_QUANTUM; frame += 8) {
    eight values[16];
    for (int line = 0; line < 16; line++) memcpy(&values[line], lines + line * RENDER_QUANTUM + frame, sizeof(eight));
    combine(values, 1);
    combine(values, 2);
    combine(values, 4);
    combine(values, 8);
    for (int line = 0; line < 16; line++) memcpy(lines + line * RENDER_QUANTUM + frame, &values[line], sizeof(eight));
  }
}
