// libfluidsynth as Swift sees it.
#pragma once
#include <CSynthRealtime.h>
#include <fluidsynth.h>

// Nothing of libfluidsynth may be called before `new_fluid_settings`, which loads it and takes its messages away from
// standard error; NULL, and `fluidsynth_take_error` says why, if it cannot be loaded.

// Measured under RealtimeSanitizer with libfluidsynth 2.3: with `synth.threadsafe-api`, dynamic sample loading, reverb
// and chorus off and one core, none of these locks, allocates or waits. The declarations repeat FluidSynth's own.
SYNTH_REALTIME int fluid_synth_noteon(fluid_synth_t *synth, int channel, int key, int velocity);
SYNTH_REALTIME int fluid_synth_noteoff(fluid_synth_t *synth, int channel, int key);
SYNTH_REALTIME int fluid_synth_cc(fluid_synth_t *synth, int channel, int controller, int value);
SYNTH_REALTIME int fluid_synth_pitch_bend(fluid_synth_t *synth, int channel, int value);
SYNTH_REALTIME int fluid_synth_program_change(fluid_synth_t *synth, int channel, int program);
SYNTH_REALTIME int fluid_synth_channel_pressure(fluid_synth_t *synth, int channel, int value);
SYNTH_REALTIME int fluid_synth_key_pressure(fluid_synth_t *synth, int channel, int key, int value);
SYNTH_REALTIME int fluid_synth_bank_select(fluid_synth_t *synth, int channel, int bank);
SYNTH_REALTIME int fluid_synth_set_channel_type(fluid_synth_t *synth, int channel, int type);
SYNTH_REALTIME int fluid_synth_all_sounds_off(fluid_synth_t *synth, int channel);
SYNTH_REALTIME int fluid_synth_get_cc(fluid_synth_t *synth, int channel, int controller, int *value);
SYNTH_REALTIME int fluid_synth_get_pitch_bend(fluid_synth_t *synth, int channel, int *value);
SYNTH_REALTIME int fluid_synth_get_pitch_wheel_sens(fluid_synth_t *synth, int channel, int *value);
SYNTH_REALTIME int fluid_synth_pitch_wheel_sens(fluid_synth_t *synth, int channel, int semitones);
SYNTH_REALTIME int fluid_synth_get_program(fluid_synth_t *synth, int channel, int *font, int *bank, int *program);
SYNTH_REALTIME float fluid_synth_get_gen(fluid_synth_t *synth, int channel, int generator);
SYNTH_REALTIME int fluid_synth_set_gen(fluid_synth_t *synth, int channel, int generator, float value);
SYNTH_REALTIME fluid_preset_t *fluid_synth_get_channel_preset(fluid_synth_t *synth, int channel);
SYNTH_REALTIME fluid_sfont_t *fluid_preset_get_sfont(fluid_preset_t *preset);
SYNTH_REALTIME int fluid_preset_get_banknum(fluid_preset_t *preset);
SYNTH_REALTIME int fluid_preset_get_num(fluid_preset_t *preset);
SYNTH_REALTIME int fluid_sfont_get_id(fluid_sfont_t *font);
SYNTH_REALTIME int fluid_synth_get_basic_channel(fluid_synth_t *synth, int channel, int *basic, int *mode, int *count);
SYNTH_REALTIME int fluid_synth_reset_basic_channel(fluid_synth_t *synth, int channel);
SYNTH_REALTIME int fluid_synth_set_basic_channel(fluid_synth_t *synth, int channel, int mode, int count);
SYNTH_REALTIME int fluid_synth_get_active_voice_count(fluid_synth_t *synth);
SYNTH_REALTIME void fluid_synth_get_voicelist(fluid_synth_t *synth, fluid_voice_t *voices[], int capacity, int id);
SYNTH_REALTIME unsigned int fluid_voice_get_id(const fluid_voice_t *voice);
SYNTH_REALTIME int fluid_voice_get_channel(const fluid_voice_t *voice);
SYNTH_REALTIME int fluid_voice_get_key(const fluid_voice_t *voice);
SYNTH_REALTIME int fluid_voice_get_actual_key(const fluid_voice_t *voice);
SYNTH_REALTIME float fluid_voice_gen_get(fluid_voice_t *voice, int generator);
SYNTH_REALTIME void fluid_voice_gen_set(fluid_voice_t *voice, int generator, float value);
SYNTH_REALTIME void fluid_voice_gen_incr(fluid_voice_t *voice, int generator, float value);
SYNTH_REALTIME void fluid_voice_update_param(fluid_voice_t *voice, int generator);
SYNTH_REALTIME int fluid_synth_process(fluid_synth_t *synth, int length, int effect_count, float *effects[],
                                       int output_count, float *outputs[]);

// The preset a program change would select, as fluid_synth_program_change finds it, but for a second bank that is
// looked in before bank 0; NULL for none.
SYNTH_REALTIME fluid_preset_t *fluidsynth_find_preset(fluid_synth_t *synth, bool is_drum, int bank, int fallback,
                                                      int program);

// A reset of all channels, by fluid_synth_sysex, which is measured like the others.
SYNTH_REALTIME void fluidsynth_reset(fluid_synth_t *synth);

// Adds a default modulator; sources are packed as SoundFont 2.04, 8.2, has them. (fluid_synth_add_default_mod)
void fluidsynth_add_modulator(fluid_synth_t *synth, uint16_t source, uint16_t amount_source, int generator,
                              double amount);

// Lets the lowest bend reach the bend range: FluidSynth counts the range in 128ths of 127 semitones.
void fluidsynth_bend_fully(fluid_synth_t *synth);

// The first error on this thread since the last call; empty when there was none. Valid until the next call.
const char *fluidsynth_take_error(void);

// Lets the synth read only the samples of presets that are selected or pinned, each to the same sound as when all are
// read.
void fluidsynth_load_samples_singly(fluid_synth_t *synth, fluid_settings_t *settings);

// What is read in place of a soundfont's bytes from `start` to its end.
typedef struct {
  const uint8_t *bytes;
  int64_t start, size;
} fluidsynth_excerpt;

// Has this thread read an excerpt of each soundfont that a synth with samples loaded singly opens; NULL ends that.
void fluidsynth_read_excerpt(const fluidsynth_excerpt *excerpt);

// Makes the samples in a chunk of sample headers end as `fluidsynth_load_samples_singly` wants it. An excerpt's must.
void fluidsynth_shorten_samples(uint8_t *headers, int64_t size);

// new_fluid_synth, one thread at a time: the first call of a process fills libfluidsynth's tables, and 2.3 lets a
// second one go ahead without them. With four threads, 49 starts of 300 then played notes without their modulators.
fluid_synth_t *fluidsynth_create(fluid_settings_t *settings);

// Plays nothing with each voice of a new synth for a moment. In libfluidsynth 2.3 a voice begins at the gain, left and
// right, that it had last, and goes to its own within 64 frames: from 0 where it had none.
void fluidsynth_centre_voices(fluid_synth_t *synth, int count);
