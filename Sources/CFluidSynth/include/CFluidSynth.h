// libfluidsynth as Swift sees it.
#pragma once
#include <CRealtime.h>
#include <fluidsynth.h>

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
SYNTH_REALTIME int fluid_synth_system_reset(fluid_synth_t *synth);
SYNTH_REALTIME int fluid_synth_sysex(fluid_synth_t *synth, const char *data, int length, char *response,
                                     int *response_length, int *handled, int dry_run);
SYNTH_REALTIME int fluid_synth_get_active_voice_count(fluid_synth_t *synth);
SYNTH_REALTIME void fluid_synth_get_voicelist(fluid_synth_t *synth, fluid_voice_t *voices[], int capacity, int id);
SYNTH_REALTIME unsigned int fluid_voice_get_id(const fluid_voice_t *voice);
SYNTH_REALTIME int fluid_voice_get_channel(const fluid_voice_t *voice);
SYNTH_REALTIME int fluid_voice_get_actual_key(const fluid_voice_t *voice);
SYNTH_REALTIME float fluid_voice_gen_get(fluid_voice_t *voice, int generator);
SYNTH_REALTIME void fluid_voice_gen_set(fluid_voice_t *voice, int generator, float value);
SYNTH_REALTIME void fluid_voice_gen_incr(fluid_voice_t *voice, int generator, float value);
SYNTH_REALTIME void fluid_voice_update_param(fluid_voice_t *voice, int generator);
SYNTH_REALTIME int fluid_synth_process(fluid_synth_t *synth, int length, int effect_count, float *effects[],
                                       int output_count, float *outputs[]);

// Takes FluidSynth's messages, and those of the libraries below it, away from standard error, once for the process. Errors are kept for
// `fluidsynth_take_error`; all else is dropped, for a shortage of voices is told from the audio thread.
void fluidsynth_install_log(void);

// The first error told on this thread since the last call; empty when there was none. Valid until the next call.
const char *fluidsynth_take_error(void);

// new_fluid_synth, one thread at a time: the first call of a process fills libfluidsynth's tables, and 2.3 lets a second
// one go ahead without them. With four threads, 49 starts of 300 then played notes without their modulators.
fluid_synth_t *fluidsynth_create(fluid_settings_t *settings);
