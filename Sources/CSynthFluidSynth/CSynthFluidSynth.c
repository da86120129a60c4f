#define _GNU_SOURCE
#include "CSynthFluidSynth.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "Messages.h"

static _Thread_local char last_error[256];
static _Thread_local char taken_error[256];

static void ignore(int level, const char *message, void *data) {}

// The first error is the nearest to the cause; those after it say that something failed.
void fluidsynth_keep_error(const char *message) {
  if (!last_error[0]) strncpy(last_error, message, sizeof last_error - 1);
}

static void keep(int level, const char *message, void *data) { fluidsynth_keep_error(message); }

static void ignore_glib(const char *domain, int level, const char *message, void *data) {}

// FluidSynth's DLS loader is tried on every file that is no soundfont, and complains through GLib on standard error.
static void silence_glib(void *library) {
  typedef void (*handler)(const char *, int, const char *, void *);
  handler (*set_handler)(handler, void *) = dlsym(library, "g_log_set_default_handler");
  if (set_handler) set_handler(ignore_glib, NULL);
}

void fluidsynth_redirect_messages(void *library) {
  fluid_set_log_function(FLUID_PANIC, keep, NULL);
  fluid_set_log_function(FLUID_ERR, keep, NULL);
  fluid_set_log_function(FLUID_WARN, ignore, NULL);
  fluid_set_log_function(FLUID_INFO, ignore, NULL);
  fluid_set_log_function(FLUID_DBG, ignore, NULL);
  silence_glib(library);
}

const char *fluidsynth_take_error(void) {
  memcpy(taken_error, last_error, sizeof taken_error);
  last_error[0] = 0;
  return taken_error;
}

fluid_synth_t *fluidsynth_create(fluid_settings_t *settings) {
  static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&first);
  fluid_synth_t *synth = new_fluid_synth(settings);
  pthread_mutex_unlock(&first);
  return synth;
}

void fluidsynth_centre_voices(fluid_synth_t *synth, int count) {
  // At 8 kHz it lasts longer than the loop.
  static short silence[16384];
  fluid_sample_t *sample = new_fluid_sample();
  if (!sample) return;
  fluid_sample_set_sound_data(sample, silence, NULL, sizeof silence / sizeof *silence, 8000, 1);
  for (int index = 0; index < count; index++) {
    fluid_voice_t *voice = fluid_synth_alloc_voice(synth, sample, 0, 60, 127);
    if (voice) fluid_synth_start_voice(synth, voice);
    // FluidSynth's queue has no room for the starts of all.
    if (index % 32 == 31) fluid_synth_process(synth, RENDER_QUANTUM, 0, NULL, 0, NULL);
  }
  fluid_synth_process(synth, RENDER_QUANTUM, 0, NULL, 0, NULL);
  fluid_synth_all_sounds_off(synth, 0);
  fluid_synth_process(synth, RENDER_QUANTUM, 0, NULL, 0, NULL);
  // Rendering ends the voices, and the next call gives the sample back for them.
  fluid_synth_get_active_voice_count(synth);
  delete_fluid_sample(sample);
}

// In the font that was loaded last first.
static fluid_preset_t *find(fluid_synth_t *synth, int bank, int program) {
  for (int position = 0; position < fluid_synth_sfcount(synth); position++) {
    fluid_sfont_t *font = fluid_synth_get_sfont(synth, position);
    fluid_preset_t *preset = font ? fluid_sfont_get_preset(font, bank, program) : NULL;
    if (preset) return preset;
  }
  return NULL;
}

fluid_preset_t *fluidsynth_find_preset(fluid_synth_t *synth, bool is_drum, int bank, int fallback,
                                       int program) {
  fluid_preset_t *preset = find(synth, is_drum ? 128 : bank, program);
  if (preset) return preset;
  if (is_drum) return find(synth, 128, 0);
  preset = find(synth, fallback, program);
  if (preset) return preset;
  preset = find(synth, 0, program);
  return preset ? preset : find(synth, 0, 0);
}

void fluidsynth_reset(fluid_synth_t *synth) {
  fluid_synth_sysex(synth, "\x41\x7F\x42\x12\x40\x00\x7F\x00\x41", 9, NULL, NULL, NULL, 0);
}

// The flags of a packed source: its direction, its polarity, its curve, and whether it is a controller.
static int flags(uint16_t source) { return (source >> 8 & 15) | (source & 0x80 ? FLUID_MOD_CC : 0); }

void fluidsynth_add_modulator(fluid_synth_t *synth, uint16_t source, uint16_t amount_source, int generator,
                              double amount) {
  fluid_mod_t *modulator = new_fluid_mod();
  if (!modulator) return;
  fluid_mod_set_source1(modulator, source & 127, flags(source));
  fluid_mod_set_source2(modulator, amount_source & 127, flags(amount_source));
  fluid_mod_set_dest(modulator, generator);
  fluid_mod_set_amount(modulator, amount);
  fluid_synth_add_default_mod(synth, modulator, FLUID_SYNTH_OVERWRITE);
  delete_fluid_mod(modulator);
}

void fluidsynth_bend_fully(fluid_synth_t *synth) {
  fluidsynth_add_modulator(synth, 0x020E, 0x0010, GEN_FINETUNE, 12800);
}
