#include "Chorus.h"
#include "Vectors.h"

// The members of `ChorusMotion`.
typedef struct {
  float depth, feedback, cosine, sine;
  float wanted_depth, wanted_feedback, smoothing, turn_cosine, turn_sine, samples_per_millisecond, least_delay;
} chorus_motion;

// Where the voices are in eight frames.
typedef struct {
  eight sine, cosine, swing, feedback;
} course;

// Moves on by some frames; the lanes behind them are as the last one.
INLINE void advance(chorus_motion *m, course *c, size_t count) {
  for (size_t frame = 0; frame < 8; frame++) {
    if (frame < count) {
      m->depth += (m->wanted_depth - m->depth) * m->smoothing;
      m->feedback += (m->wanted_feedback - m->feedback) * m->smoothing;
      const float cosine = m->cosine * m->turn_cosine - m->sine * m->turn_sine;
      m->sine = m->sine * m->turn_cosine + m->cosine * m->turn_sine;
      m->cosine = cosine;
    }
    c->sine[frame] = m->sine;
    c->cosine[frame] = m->cosine;
    c->swing[frame] = m->depth * 0.5f * m->samples_per_millisecond;
    c->feedback[frame] = m->feedback;
  }
}

// Loads four neighbouring samples for each of eight frames, so many frames behind them: a vector for each neighbour.
INLINE void load_neighbours(eight *samples, const float *line, size_t mask, size_t place, const eight_whole *frames) {
  const size_t first = (place - (size_t)(*frames)[0] - 2) & mask;
  bool is_even = first + 11 <= mask;
  for (int lane = 1; lane < 8; lane++) is_even &= (*frames)[lane] == (*frames)[0];
  // A delay swings so slowly that its whole frames hardly ever change within eight.
  for (int tap = 0; tap < 4; tap++) {
    if (is_even) {
      memcpy(&samples[tap], line + first + tap, sizeof(eight));
    } else {
      for (int lane = 0; lane < 8; lane++)
        samples[tap][lane] = line[(place + lane - (size_t)(*frames)[lane] - 2 + tap) & mask];
    }
  }
}

// What a voice gives, by Lagrange's cubic through four samples.
INLINE void read(eight *output, const float *line, size_t mask, size_t place, const eight *delay) {
  const eight_whole frames = __builtin_convertvector(*delay, eight_whole);
  const eight u = 1 - (*delay - __builtin_convertvector(frames, eight));
  eight samples[4];
  load_neighbours(samples, line, mask, place, &frames);
  *output = samples[0] * (u * -1 * (u - 1) * (u - 2) / 6) + samples[1] * ((u + 1) * (u - 1) * (u - 2) / 2)
    + samples[2] * ((u + 1) * -1 * u * (u - 2) / 2) + samples[3] * ((u + 1) * u * (u - 1) / 6);
}

// What the two voices of a side give.
INLINE void read_side(eight *output, const float *line, size_t mask, size_t place, const eight *turn, const course *c,
                      float least_delay) {
  const eight centre = c->swing + least_delay + 2;
  const eight delays[2] = {*turn * c->swing + centre, -*turn * c->swing + centre};
  eight voices[2];
  for (int voice = 0; voice < 2; voice++) read(&voices[voice], line, mask, place, &delays[voice]);
  *output = (voices[0] + voices[1]) * 0.5f;
}

// Writes what goes into a line in some frames, and gives the magnitudes of what has come out of it.
INLINE void write_side(float *line, size_t mask, size_t place, const float *input, float *output, const eight *read,
                       const eight *feedback, size_t count, float *sum) {
  eight samples = {0};
  for (size_t frame = 0; frame < count; frame++) samples[frame] = input[frame];
  samples += *read * *feedback;
  for (size_t frame = 0; frame < count; frame++) {
    line[(place + frame) & mask] = samples[frame];
    output[frame] = (*read)[frame];
    *sum += (*read)[frame] < 0 ? -(*read)[frame] : (*read)[frame];
  }
}

INLINE float process(chorus_motion *m, float *left_line, float *right_line, size_t mask, size_t place,
                     const float *left, const float *right, float *left_output, float *right_output, size_t step) {
  float sum = 0;
  for (size_t frame = 0; frame < RENDER_QUANTUM; frame += step, place += step) {
    course c;
    advance(m, &c, step);
    eight sides[2];
    read_side(&sides[0], left_line, mask, place, &c.sine, &c, m->least_delay);
    read_side(&sides[1], right_line, mask, place, &c.cosine, &c, m->least_delay);
    write_side(left_line, mask, place, left + frame, left_output + frame, &sides[0], &c.feedback, step, &sum);
    write_side(right_line, mask, place, right + frame, right_output + frame, &sides[1], &c.feedback, step, &sum);
  }
  return sum;
}

EACH_PROCESSOR float chorus_process(void *motion, float *left_line, float *right_line, size_t mask, size_t place,
                                    const float *left, const float *right, float *left_output, float *right_output) {
  chorus_motion m;
  memcpy(&m, motion, sizeof m);
  // Eight frames at a time where even the shortest delay is longer: 8 kHz and more.
  const float sum = m.least_delay >= 8
    ? process(&m, left_line, right_line, mask, place, left, right, left_output, right_output, 8)
    : process(&m, left_line, right_line, mask, place, left, right, left_output, right_output, 1);
  memcpy(motion, &m, sizeof m);
  return sum;
}
