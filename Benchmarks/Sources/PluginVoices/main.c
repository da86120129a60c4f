// What a voice of a VST 2 instrument costs: notes are held in one copy of it and none in another, and the two take
// turns.
//
// usage: PluginVoices PLUGIN.so NOTES
//
// Prints nanoseconds of processor time a voice and frame, the median of a hundred turns. The layout of the interface is
// written down here because its header is not free.

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { rate = 48000, block = 64, blocks = 75, turns = 100, longest = 64 };
enum { open_plugin = 0, set_rate = 10, set_block = 11, switch_on = 12, process_events = 25 };
enum { master_version = 1, master_rate = 16, master_block = 17 };

typedef struct Effect {
  int32_t magic;
  intptr_t (*dispatch)(struct Effect *, int32_t opcode, int32_t index, intptr_t value, void *pointer, float option);
  void *process;
  void (*set_parameter)(struct Effect *, int32_t, float);
  float (*parameter)(struct Effect *, int32_t);
  int32_t program_count, parameter_count, input_count, output_count, flags;
  intptr_t reserved[2];
  int32_t delay, qualities[2];
  float ratio;
  void *object, *user;
  int32_t id, version;
  void (*render)(struct Effect *, float **inputs, float **outputs, int32_t frames);
} Effect;

typedef struct {
  int32_t type, size, frame, flags, length, offset;
  uint8_t bytes[4];
  int8_t detune, off_velocity, reserved[2];
} Event;

typedef struct {
  int32_t count;
  intptr_t reserved;
  Event *events[longest];
} Events;

static intptr_t answer(Effect *effect, int32_t opcode, int32_t index, intptr_t value, void *pointer, float option) {
  switch (opcode) {
  case master_version: return 2400;
  case master_rate: return rate;
  case master_block: return block;
  default: return 0;
  }
}

static Effect *start(void *library) {
  Effect *(*make)(intptr_t (*)(Effect *, int32_t, int32_t, intptr_t, void *, float)) = dlsym(library, "VSTPluginMain");
  if (!make) *(void **)&make = dlsym(library, "main");
  Effect *effect = make ? make(answer) : NULL;
  if (!effect || effect->output_count < 1 || effect->output_count > 8) {
    fprintf(stderr, "it is no VST 2 instrument\n");
    exit(1);
  }
  effect->dispatch(effect, open_plugin, 0, 0, NULL, 0);
  effect->dispatch(effect, set_rate, 0, 0, NULL, rate);
  effect->dispatch(effect, set_block, 0, block, NULL, 0);
  effect->dispatch(effect, switch_on, 0, 1, NULL, 0);
  return effect;
}

static float samples[16][block];

// Renders blocks and gives the nanoseconds that it took.
static double render(Effect *effect) {
  float *buses[16];
  for (int bus = 0; bus < 16; bus++) buses[bus] = samples[bus];
  struct timespec begin, end;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
  for (int turn = 0; turn < blocks; turn++) effect->render(effect, buses + 8, buses, block);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
  return (end.tv_sec - begin.tv_sec) * 1e9 + (end.tv_nsec - begin.tv_nsec);
}

static void hold(Effect *effect, int count) {
  static Event notes[longest];
  static Events events;
  for (int note = 0; note < count; note++) {
    notes[note] = (Event){.type = 1, .size = sizeof(Event), .bytes = {0x90, (uint8_t)(48 + note), 100}};
    events.events[note] = &notes[note];
  }
  events.count = count;
  effect->dispatch(effect, process_events, 0, 0, &events, 0);
}

static int by_value(const void *a, const void *b) {
  return (*(double *)a > *(double *)b) - (*(double *)a < *(double *)b);
}

int main(int count, char **arguments) {
  int notes = count == 3 ? atoi(arguments[2]) : 0;
  if (notes < 1 || notes > longest) return fprintf(stderr, "usage: PluginVoices PLUGIN.so NOTES\n"), 2;
  void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
  if (!library) return fprintf(stderr, "loading %s: %s\n", arguments[1], dlerror()), 1;
  Effect *silent = start(library), *playing = start(library);
  // Until what plugins load in threads of their own is there.
  nanosleep(&(struct timespec){.tv_sec = 1}, NULL);
  render(silent), render(playing);
  hold(playing, notes);
  for (int turn = 0; turn < 10; turn++) render(silent), render(playing);

  double differences[turns], peak = 0;
  for (int turn = 0; turn < turns; turn++) {
    differences[turn] = -render(silent);
    differences[turn] += render(playing);
  }
  for (int frame = 0; frame < block; frame++)
    if (fabsf(samples[0][frame]) > peak) peak = fabsf(samples[0][frame]);
  if (peak < 1e-4) return fprintf(stderr, "%s: its notes have died away\n", arguments[1]), 1;
  qsort(differences, turns, sizeof(double), by_value);
  printf("%.1f\n", differences[turns / 2] / blocks / block / notes);
  fflush(stdout);
  _Exit(0);
}
