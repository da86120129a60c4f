// Loads libfluidsynth when it is first used.
//
// Linked, it would bring 40 libraries into every start of the program: PulseAudio, JACK, SDL, X11, GLib. `synth
// --version` took 15 ms with them and takes 8 without. So its functions are jumps through pointers, which
// `new_fluid_settings`, with which every use begins, fills.

#include "CSynthFluidSynth.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "Messages.h"

#define LIBRARY "libfluidsynth.so.3"

// A function that is missing here is missing to the linker.
#define FUNCTIONS(F)                                                                                                   \
  F(delete_fluid_sample) F(delete_fluid_settings) F(delete_fluid_sfont) F(delete_fluid_synth)                          \
  F(fluid_preset_get_banknum) F(fluid_preset_get_data) F(fluid_preset_get_name) F(fluid_preset_get_num)                \
  F(fluid_preset_get_sfont) F(fluid_preset_set_data) F(fluid_sample_set_pitch) F(fluid_sample_set_sound_data)          \
  F(fluid_set_log_function)                                                                                            \
  F(fluid_settings_setint) F(fluid_settings_setnum) F(fluid_sfloader_set_callbacks) F(fluid_sfont_get_data)            \
  F(fluid_sfont_get_id) F(fluid_sfont_get_preset) F(fluid_sfont_iteration_next) F(fluid_sfont_iteration_start)         \
  F(fluid_sfont_set_data) F(fluid_synth_activate_key_tuning) F(fluid_synth_activate_tuning)                            \
  F(fluid_synth_add_default_mod) F(fluid_synth_add_sfloader) F(fluid_synth_add_sfont) F(fluid_synth_all_sounds_off)    \
  F(fluid_synth_alloc_voice) F(fluid_synth_bank_select) F(fluid_synth_cc) F(fluid_synth_channel_pressure)              \
  F(fluid_synth_get_active_voice_count) F(fluid_synth_get_basic_channel) F(fluid_synth_get_cc)                         \
  F(fluid_synth_get_channel_preset) F(fluid_synth_get_gen) F(fluid_synth_get_pitch_bend)                               \
  F(fluid_synth_get_pitch_wheel_sens) F(fluid_synth_get_program) F(fluid_synth_get_sfont)                              \
  F(fluid_synth_get_sfont_by_id) F(fluid_synth_get_voicelist) F(fluid_synth_key_pressure) F(fluid_synth_noteoff)       \
  F(fluid_synth_noteon) F(fluid_synth_pin_preset) F(fluid_synth_pitch_bend) F(fluid_synth_process)                     \
  F(fluid_synth_program_change) F(fluid_synth_program_select) F(fluid_synth_reset_basic_channel)                       \
  F(fluid_synth_set_basic_channel) F(fluid_synth_set_channel_type) F(fluid_synth_set_gen) F(fluid_synth_sfcount)       \
  F(fluid_synth_sfload) F(fluid_synth_sfunload) F(fluid_synth_start_voice) F(fluid_synth_sysex)                        \
  F(fluid_synth_system_reset) F(fluid_synth_tuning_iteration_next) F(fluid_synth_tuning_iteration_start)               \
  F(fluid_synth_unset_program) F(fluid_synth_write_float) F(fluid_version_str) F(fluid_voice_gen_get)                  \
  F(fluid_voice_gen_incr) F(fluid_voice_gen_set) F(fluid_voice_get_actual_key) F(fluid_voice_get_channel)              \
  F(fluid_voice_get_id) F(fluid_voice_get_key) F(fluid_voice_is_playing) F(fluid_voice_update_param)                   \
  F(new_fluid_defsfloader) F(new_fluid_preset) F(new_fluid_sample) F(new_fluid_sfont) F(new_fluid_synth)

#if defined(__x86_64__)
#define JUMP(name) "jmpq *place_of_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(name) "adrp x16, place_of_" #name "\nldr x16, [x16, :lo12:place_of_" #name "]\nbr x16\n"
#else
#error "name the instructions that jump to where a pointer points"
#endif

// Hidden, so that libfluidsynth calls its own functions.
#define FUNCTION(name)                                                                                                 \
  __attribute__((visibility("hidden"), used)) void *place_of_##name;                                                   \
  __asm__(".pushsection .text\n.globl " #name "\n.hidden " #name "\n.type " #name ", %function\n" #name ":\n"          \
          JUMP(name) ".size " #name ", . - " #name "\n.popsection\n");
FUNCTIONS(FUNCTION)

static const struct {
  const char *name;
  void **place;
} functions[] = {
#define ENTRY(name) {#name, &place_of_##name},
    FUNCTIONS(ENTRY)};

static fluid_settings_t *(*make_settings)(void);
static char reason[256];

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(reason, sizeof reason, "%s; install the package libfluidsynth3", dlerror());
    return;
  }
  for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
    *functions[index].place = dlsym(library, functions[index].name);
    if (*functions[index].place) continue;
    snprintf(reason, sizeof reason, LIBRARY " has no %s; install FluidSynth 2.3 or later", functions[index].name);
    return;
  }
  fluidsynth_redirect_messages(library);
  make_settings = dlsym(library, "new_fluid_settings");
}

fluid_settings_t *new_fluid_settings(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  if (make_settings) return make_settings();
  fluidsynth_keep_error(reason);
  return NULL;
}
