// Plays a score with a font by FluidSynth, effects off and with a gain of 1, in quanta of 64 frames.
//
// usage: play FONT SCORE RATE OUTPUT
//
// A line of SCORE is a frame, a multiple of 64, and a channel message in hexadecimal: `128 90 3c 64`. The last line is
// the frame at which it ends, alone. Lines before may be modulators that all zones have: `m 543 16 8 -2400`, source and
// amount source as SoundFonts have them, generator and amount. OUTPUT gets the samples as 32-bit floats, the left
// channel, then the right one.

#include <fluidsynth.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { channel_count = 16, quantum = 64 };

static void play(fluid_synth_t *synth, const unsigned *byte) {
  int channel = byte[0] & 15;
  switch (byte[0] >> 4) {
    case 0x8: fluid_synth_noteoff(synth, channel, byte[1]); break;
    case 0x9: fluid_synth_noteon(synth, channel, byte[1], byte[2]); break;
    case 0xA: fluid_synth_key_pressure(synth, channel, byte[1], byte[2]); break;
    case 0xB: fluid_synth_cc(synth, channel, byte[1], byte[2]); break;
    case 0xC: fluid_synth_program_change(synth, channel, byte[1]); break;
    case 0xD: fluid_synth_channel_pressure(synth, channel, byte[1]); break;
    case 0xE: fluid_synth_pitch_bend(synth, channel, byte[1] | byte[2] << 7); break;
  }
}

// The flags of a packed source: its direction, its polarity, its curve, and whether it is a controller.
static int flags(int source) { return (source >> 8 & 15) | (source & 0x80 ? FLUID_MOD_CC : 0); }

static void add_modulator(fluid_synth_t *synth, int source, int amount_source, int generator, double amount) {
  fluid_mod_t *modulator = new_fluid_mod();
  fluid_mod_set_source1(modulator, source & 127, flags(source));
  fluid_mod_set_source2(modulator, amount_source & 127, flags(amount_source));
  fluid_mod_set_dest(modulator, generator);
  fluid_mod_set_amount(modulator, amount);
  fluid_synth_add_default_mod(synth, modulator, FLUID_SYNTH_OVERWRITE);
  delete_fluid_mod(modulator);
}

// One buffer a channel of the output: what all MIDI channels play is added there.
static void render(fluid_synth_t *synth, float *left, float *right, long from, long to) {
  for (long frame = from; frame < to; frame += quantum) {
    float *outputs[2 * channel_count];
    for (int channel = 0; channel < channel_count; channel++) {
      outputs[2 * channel] = left + frame;
      outputs[2 * channel + 1] = right + frame;
    }
    fluid_synth_process(synth, quantum, 0, NULL, 2 * channel_count, outputs);
  }
}

// A voice that has not sounded yet begins its first note at silence, every later one at the place in the stereo image
// of the one before. So each plays silence in the middle first, as it does in synth.
static void centre(fluid_synth_t *synth, fluid_settings_t *settings) {
  static short silence[16384];
  int polyphony = 0;
  float left[quantum] = {0}, right[quantum] = {0};
  fluid_settings_getint(settings, "synth.polyphony", &polyphony);
  fluid_sample_t *sample = new_fluid_sample();
  fluid_sample_set_sound_data(sample, silence, NULL, sizeof silence / sizeof *silence, 8000, 1);
  for (int index = 0; index < polyphony; index++) {
    fluid_voice_t *voice = fluid_synth_alloc_voice(synth, sample, 0, 60, 127);
    if (voice) fluid_synth_start_voice(synth, voice);
    // Its queue has no room for the starts of all.
    if (index % 32 == 31) render(synth, left, right, 0, quantum);
  }
  render(synth, left, right, 0, quantum);
  fluid_synth_all_sounds_off(synth, 0);
  render(synth, left, right, 0, quantum);
  // The voices give the sample back in the next call.
  fluid_synth_get_active_voice_count(synth);
  delete_fluid_sample(sample);
}

int main(int count, char **arguments) {
  if (count != 5) return fprintf(stderr, "usage: play FONT SCORE RATE OUTPUT\n"), 2;
  fluid_settings_t *settings = new_fluid_settings();
  fluid_settings_setnum(settings, "synth.sample-rate", atof(arguments[3]));
  fluid_settings_setnum(settings, "synth.gain", 1);
  fluid_settings_setint(settings, "synth.audio-channels", channel_count);
  fluid_settings_setint(settings, "synth.audio-groups", channel_count);
  fluid_settings_setint(settings, "synth.reverb.active", 0);
  fluid_settings_setint(settings, "synth.chorus.active", 0);
  fluid_synth_t *synth = new_fluid_synth(settings);
  if (!synth || fluid_synth_sfload(synth, arguments[1], 1) == FLUID_FAILED) return 1;
  // Each channel is its own, as it is for synth: else the first one's mode would be that of all.
  fluid_synth_reset_basic_channel(synth, -1);
  for (int channel = 0; channel < channel_count; channel++) {
    fluid_synth_set_basic_channel(synth, channel, FLUID_CHANNEL_MODE_OMNIOFF_POLY, 1);
  }

  centre(synth, settings);

  FILE *score = fopen(arguments[2], "r");
  FILE *output = fopen(arguments[4], "wb");
  if (!score || !output) return perror("play"), 1;
  float *left = NULL, *right = NULL;
  long frame, rendered = 0;
  char line[80];
  while (fgets(line, sizeof line, score)) {
    unsigned byte[3] = {0};
    int source, amount_source, generator;
    double amount;
    if (sscanf(line, "m %d %d %d %lf", &source, &amount_source, &generator, &amount) == 4) {
      add_modulator(synth, source, amount_source, generator, amount);
      continue;
    }
    int fields = sscanf(line, "%ld %x %x %x", &frame, byte, byte + 1, byte + 2);
    if (fields < 1 || frame < rendered || frame % quantum) return fprintf(stderr, "play: %s", line), 1;
    left = realloc(left, (frame + 1) * sizeof *left);
    right = realloc(right, (frame + 1) * sizeof *right);
    memset(left + rendered, 0, (frame - rendered) * sizeof *left);
    memset(right + rendered, 0, (frame - rendered) * sizeof *right);
    render(synth, left, right, rendered, frame);
    rendered = frame;
    if (fields > 1) play(synth, byte);
  }
  fwrite(left, sizeof *left, rendered, output);
  fwrite(right, sizeof *right, rendered, output);
  delete_fluid_synth(synth);
  delete_fluid_settings(settings);
  return fclose(output) != 0;
}
