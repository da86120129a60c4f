// Loads libfluidsynth with its first settings, with which every use begins.
//
// Linked, it would bring 40 libraries into every start of the program: PulseAudio, JACK, SDL, X11, GLib. `synth
// --version` took 15 ms with them and takes 8 without.

#include "CSynthFluidSynth.h"

#include <dlfcn.h>
#include <pthread.h>

#include "CSynthLoading.h"
#include "Messages.h"

#define FUNCTIONS(F)                                                                                                   \
  F(delete_fluid_mod) F(delete_fluid_sample) F(delete_fluid_settings) F(delete_fluid_sfont) F(delete_fluid_synth)      \
  F(fluid_mod_set_amount) F(fluid_mod_set_dest) F(fluid_mod_set_source1) F(fluid_mod_set_source2)                      \
  F(fluid_preset_get_banknum) F(fluid_preset_get_data) F(fluid_preset_get_name) F(fluid_preset_get_num)                \
  F(fluid_preset_get_sfont) F(fluid_preset_set_data) F(fluid_sample_set_pitch) F(fluid_sample_set_sound_data)          \
  F(fluid_set_log_function) F(fluid_settings_setint) F(fluid_settings_setnum) F(fluid_sfloader_set_callbacks)          \
  F(fluid_sfont_get_data) F(fluid_sfont_get_id) F(fluid_sfont_get_preset) F(fluid_sfont_iteration_next)                \
  F(fluid_sfont_iteration_start) F(fluid_sfont_set_data) F(fluid_synth_activate_key_tuning)                            \
  F(fluid_synth_activate_tuning) F(fluid_synth_add_default_mod) F(fluid_synth_add_sfloader) F(fluid_synth_add_sfont)   \
  F(fluid_synth_all_sounds_off) F(fluid_synth_alloc_voice) F(fluid_synth_bank_select) F(fluid_synth_cc)                \
  F(fluid_synth_channel_pressure) F(fluid_synth_get_active_voice_count) F(fluid_synth_get_basic_channel)               \
  F(fluid_synth_get_cc) F(fluid_synth_get_channel_preset) F(fluid_synth_get_gen) F(fluid_synth_get_pitch_bend)         \
  F(fluid_synth_get_pitch_wheel_sens) F(fluid_synth_get_program) F(fluid_synth_get_sfont)                              \
  F(fluid_synth_get_sfont_by_id) F(fluid_synth_get_voicelist) F(fluid_synth_key_pressure) F(fluid_synth_noteoff)       \
  F(fluid_synth_noteon) F(fluid_synth_pin_preset) F(fluid_synth_pitch_bend) F(fluid_synth_pitch_wheel_sens)            \
  F(fluid_synth_process) F(fluid_synth_program_change) F(fluid_synth_program_select)                                   \
  F(fluid_synth_reset_basic_channel) F(fluid_synth_set_basic_channel) F(fluid_synth_set_channel_type)                  \
  F(fluid_synth_set_gen) F(fluid_synth_sfcount) F(fluid_synth_sfload) F(fluid_synth_sfunload)                          \
  F(fluid_synth_start_voice) F(fluid_synth_sysex) F(fluid_synth_system_reset) F(fluid_synth_tuning_iteration_next)     \
  F(fluid_synth_tuning_iteration_start) F(fluid_synth_unset_program) F(fluid_synth_write_float) F(fluid_version_str)   \
  F(fluid_voice_gen_get) F(fluid_voice_gen_incr) F(fluid_voice_gen_set) F(fluid_voice_get_actual_key)                  \
  F(fluid_voice_get_channel) F(fluid_voice_get_id) F(fluid_voice_get_key) F(fluid_voice_is_playing)                    \
  F(fluid_voice_update_param) F(new_fluid_defsfloader) F(new_fluid_mod) F(new_fluid_preset) F(new_fluid_sample)        \
  F(new_fluid_sfont) F(new_fluid_synth)

LOADED_LIBRARY(library, "libfluidsynth.so.3", "libfluidsynth3", FUNCTIONS);

static fluid_settings_t *(*make_settings)(void);

static void prepare(void) {
  fluidsynth_redirect_messages(library.handle);
  make_settings = dlsym(library.handle, "new_fluid_settings");
}

fluid_settings_t *new_fluid_settings(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const char *problem = library_load(&library);
  if (problem) {
    fluidsynth_keep_error(problem);
    return NULL;
  }
  pthread_once(&once, prepare);
  return make_settings ? make_settings() : NULL;
}
