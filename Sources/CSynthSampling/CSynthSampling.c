#include "CSynthSampling.h"
#include "Vectors.h"

typedef int16_t eight_words __attribute__((vector_size(16)));

EACH_PROCESSOR void sampling_convert(const int16_t *words, float *numbers, size_t count) {
  size_t index = 0;
  for (; index + 8 <= count; index += 8) {
    eight_words some;
    memcpy(&some, words + index, sizeof some);
    const eight converted = __builtin_convertvector(__builtin_convertvector(some, eight_whole), eight);
    memcpy(numbers + index, &converted, sizeof converted);
  }
  for (; index < count; index++) numbers[index] = words[index];
  // What a voice reads in its next quantum: by then so much else was read that no processor foresees it.
  for (index = 0; index < count; index += 32) __builtin_prefetch(words + count + index);
}

// Keeps the compiler from moving shuffles of a product to its factors, of which there are twice as many.
#if defined(__x86_64__)
#define KEEP(vector) __asm__("" : "+x"(vector))
#else
#define KEEP(vector) (void)0
#endif

// Writes the sums of four fours.
INLINE void store_sums(float *frames, four *x) {
  for (int frame = 0; frame < 4; frame++) KEEP(x[frame]);
  four low = MIX(x[0], x[1], 0, 2, 4, 6) + MIX(x[0], x[1], 1, 3, 5, 7);
  four high = MIX(x[2], x[3], 0, 2, 4, 6) + MIX(x[2], x[3], 1, 3, 5, 7);
  KEEP(low);
  KEEP(high);
  const four sums = MIX(low, high, 0, 2, 4, 6) + MIX(low, high, 1, 3, 5, 7);
  memcpy(frames, &sums, sizeof sums);
}

// Adds the sums of four sixteens' lanes, as `store_sums` does.
INLINE void store_wide_sums(float *frames, const sixteen *x) {
#define LOW 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23
#define HIGH 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31
  const sixteen first = MIX(x[0], x[1], LOW) + MIX(x[0], x[1], HIGH);
  const sixteen second = MIX(x[2], x[3], LOW) + MIX(x[2], x[3], HIGH);
  const sixteen fours = MIX(first, second, 0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27) +
                        MIX(first, second, 4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31);
  const sixteen pairs = fours + MIX(fours, fours, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14);
  const sixteen sums = pairs + MIX(pairs, pairs, 2, 3, 0, 1, 6, 7, 4, 5, 10, 11, 8, 9, 14, 15, 12, 13);
  const four result = MIX(sums, sums, 0, 4, 8, 12);
  memcpy(frames, &result, sizeof result);
#undef LOW
#undef HIGH
}

// Four frames by a spline.
INLINE void read_spline(const float *window, const float *rows, const uint64_t *positions, float *frames) {
  four products[4];
  for (int frame = 0; frame < 4; frame++) {
    four words, weights;
    memcpy(&words, window + (positions[frame] >> 32), sizeof words);
    memcpy(&weights, rows + (positions[frame] >> 24 & 255) * 4, sizeof weights);
    products[frame] = words * weights;
  }
  store_sums(frames, products);
}

EACH_PROCESSOR void sampling_read_spline(const float *window, const float *rows, uint64_t position,
                                         uint64_t increment, float *frames, size_t count) {
  for (; count >= 4; count -= 4, frames += 4, position += increment * 4) {
    const uint64_t positions[4] = {position, position + increment, position + increment * 2, position + increment * 3};
    read_spline(window, rows, positions, frames);
  }
  if (count == 0) return;
  // Those that are not wanted are read at the first one's place.
  uint64_t positions[4];
  for (size_t frame = 0; frame < 4; frame++) positions[frame] = frame < count ? position + increment * frame : position;
  float some[4];
  read_spline(window, rows, positions, some);
  for (size_t frame = 0; frame < count; frame++) frames[frame] = some[frame];
}

// A frame's products by a sinc, in sixteen sums. `rest` is how far it is behind its row, in units of 2⁻²⁴ rows.
INLINE void sinc(sixteen *sums, const float *window, const float *rows, size_t width, uint64_t position, float rest) {
  const float *from = window + (position >> 32);
  const float *row = rows + (position >> 24 & 255) * width * 2;
  size_t tap = 0;
  for (; tap + 16 <= width; tap += 16) {
    sixteen words, weights, distances;
    memcpy(&words, from + tap, sizeof words);
    memcpy(&weights, row + tap, sizeof weights);
    memcpy(&distances, row + width + tap, sizeof distances);
    const sixteen products = words * (weights + rest * distances);
    *sums = tap > 0 ? *sums + products : products;
  }
  if (tap < width) {
    eight words, weights, distances;
    memcpy(&words, from + tap, sizeof words);
    memcpy(&weights, row + tap, sizeof weights);
    memcpy(&distances, row + width + tap, sizeof distances);
    const eight products = words * (weights + rest * distances), none = {0};
    const sixteen wide = MIX(products, none, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    *sums = tap > 0 ? *sums + wide : wide;
  }
}

INLINE void read_sinc(const float *window, const float *rows, size_t width, uint64_t position, uint64_t increment,
                      float *frames, size_t count) {
  float rests[RENDER_QUANTUM];
  for (size_t frame = 0; frame < count; frame++)
    rests[frame] = (float)(int32_t)(((uint32_t)position + (uint32_t)increment * (uint32_t)frame) & 0xFFFFFF);
  sixteen sums[4];
  size_t done = 0;
  for (; done + 4 <= count; done += 4) {
    for (size_t frame = 0; frame < 4; frame++, position += increment)
      sinc(&sums[frame], window, rows, width, position, rests[done + frame]);
    store_wide_sums(frames + done, sums);
  }
  if (done == count) return;
  for (size_t frame = 0; frame < 4; frame++) {
    // Those that are not wanted are the last one.
    const bool is_wanted = done + frame < count;
    if (frame > 0 && is_wanted) position += increment;
    sinc(&sums[frame], window, rows, width, position, rests[is_wanted ? done + frame : count - 1]);
  }
  float some[4];
  store_wide_sums(some, sums);
  for (size_t frame = 0; done + frame < count; frame++) frames[done + frame] = some[frame];
}

EACH_PROCESSOR void sampling_read_sinc(const float *window, const float *rows, size_t width, uint64_t position,
                                       uint64_t increment, float *frames, size_t count) {
  // With a number that the compiler knows, the loop over the taps is no loop.
  if (width == 8) {
    read_sinc(window, rows, 8, position, increment, frames, count);
  } else if (width == 16) {
    read_sinc(window, rows, 16, position, increment, frames, count);
  } else if (width == 24) {
    read_sinc(window, rows, 24, position, increment, frames, count);
  } else if (width == 32) {
    read_sinc(window, rows, 32, position, increment, frames, count);
  } else {
    read_sinc(window, rows, width, position, increment, frames, count);
  }
}

// What eight voices' amplitudes and filters are, how much they change from frame to frame, and the filters' memory: the
// members of `ResonantBank`.
typedef struct {
  eight amplitude, amplitude_step, spring, spring_step, damping, damping_step, level, level_step;
  eight last, last_but_one, difference;
} sampling_bank;

// Shapes a frame of each row.
INLINE void shape(sampling_bank *b, eight *frame, bool moves) {
  b->difference += (*frame - b->spring * b->last) - b->damping * b->difference;
  const eight present = b->last + b->difference;
  *frame = b->amplitude * b->level * ((present + b->last) + (b->last + b->last_but_one));
  b->last_but_one = b->last;
  b->last = present;
  b->amplitude += b->amplitude_step;
  if (moves) {
    b->spring += b->spring_step;
    b->damping += b->damping_step;
    b->level += b->level_step;
  }
}

// Loads up to eight frames of eight rows as columns.
INLINE void load_block(eight *block, const float *rows, size_t count) {
  if (count == 8) {
    for (int lane = 0; lane < 8; lane++) memcpy(&block[lane], rows + lane * RENDER_QUANTUM, sizeof(eight));
  } else {
    // One number at a time: calls of `memcpy` for so few cost more than the filters.
    for (size_t frame = 0; frame < count; frame++) {
      for (int lane = 0; lane < 8; lane++) block[lane][frame] = rows[lane * RENDER_QUANTUM + frame];
    }
  }
  transpose(block);
}

INLINE void store_block(eight *block, float *rows, size_t count) {
  transpose(block);
  if (count == 8) {
    for (int lane = 0; lane < 8; lane++) memcpy(rows + lane * RENDER_QUANTUM, &block[lane], sizeof(eight));
  } else {
    for (size_t frame = 0; frame < count; frame++) {
      for (int lane = 0; lane < 8; lane++) rows[lane * RENDER_QUANTUM + frame] = block[lane][frame];
    }
  }
}

// Shapes up to eight frames of the rows of banks.
INLINE void shape_block(sampling_bank *banks, int bank_count, float *rows, size_t count, bool moves) {
  eight blocks[2][8] = {{{0}}};
  for (int bank = 0; bank < bank_count; bank++) load_block(blocks[bank], rows + bank * 8 * RENDER_QUANTUM, count);
  for (size_t frame = 0; frame < count; frame++) {
    for (int bank = 0; bank < bank_count; bank++) shape(&banks[bank], &blocks[bank][frame], moves);
  }
  for (int bank = 0; bank < bank_count; bank++) store_block(blocks[bank], rows + bank * 8 * RENDER_QUANTUM, count);
}

INLINE bool any(const eight *numbers) {
  for (int lane = 0; lane < 8; lane++) {
    if ((*numbers)[lane] != 0) return true;
  }
  return false;
}

INLINE void shape_all(void *memory, int bank_count, float *rows, size_t count) {
  // A copy, because Swift aligns numbers to four bytes.
  sampling_bank banks[2];
  memcpy(banks, memory, bank_count * sizeof(sampling_bank));
  bool moves = false;
  for (int bank = 0; bank < bank_count; bank++) {
    const sampling_bank *b = &banks[bank];
    moves |= any(&b->spring_step) || any(&b->damping_step) || any(&b->level_step);
  }
  size_t done = 0;
  if (moves) {
    for (; done + 8 <= count; done += 8) shape_block(banks, bank_count, rows + done, 8, true);
  } else {
    for (; done + 8 <= count; done += 8) shape_block(banks, bank_count, rows + done, 8, false);
  }
  if (done < count) shape_block(banks, bank_count, rows + done, count - done, true);
  memcpy(memory, banks, bank_count * sizeof(sampling_bank));
}

EACH_PROCESSOR void sampling_shape(void *bank, float *rows, size_t count) { shape_all(bank, 1, rows, count); }

EACH_PROCESSOR void sampling_shape_two(void *banks, float *rows, size_t count) { shape_all(banks, 2, rows, count); }

// A row and its gain, as a `RowMix` has them. The gain has left and right, and what they change by from frame to frame.
typedef struct {
  const float *frames;
  float *gain;
} sampling_row;

EACH_PROCESSOR void sampling_mix(const void *rows, size_t count, float *left, float *right) {
  sampling_row row[8];
  memcpy(row, rows, count * sizeof(sampling_row));
  const sixteen steps = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  for (size_t frame = 0; frame < RENDER_QUANTUM; frame += 16) {
    const sixteen distance = (float)(int32_t)frame + steps;
    sixteen sums[2] = {{0}, {0}};
    for (size_t index = 0; index < count; index++) {
      const float *gain = row[index].gain;
      sixteen samples;
      memcpy(&samples, row[index].frames + frame, sizeof samples);
      sums[0] += samples * (gain[0] + distance * gain[2]);
      sums[1] += samples * (gain[1] + distance * gain[3]);
    }
    sixteen bus;
    memcpy(&bus, left + frame, sizeof bus);
    sums[0] += bus;
    memcpy(left + frame, &sums[0], sizeof bus);
    memcpy(&bus, right + frame, sizeof bus);
    sums[1] += bus;
    memcpy(right + frame, &sums[1], sizeof bus);
  }
  for (size_t index = 0; index < count; index++) {
    row[index].gain[0] += row[index].gain[2] * RENDER_QUANTUM;
    row[index].gain[1] += row[index].gain[3] * RENDER_QUANTUM;
  }
}
