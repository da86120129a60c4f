// Reading soundfonts so that a sample loaded by itself ends where it does when all are loaded.
//
// libfluidsynth 2.3 reads 46 sample words beyond the end of a sample it loads by itself, for the zeros that ought to be
// there, and then plays them too. In fonts without those zeros that is the beginning of another sample, heard as a
// click. So FluidSynth is told that samples end 46 words earlier.
//
// And reading excerpts: of all that a soundfont says of its presets, what some of them need.

#include "CSynthFluidSynth.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { padding = 46, header_size = 46, end_offset = 24, loop_end_offset = 32, type_offset = 44, compressed = 0x10 };

typedef struct {
  FILE *file;
  int64_t position;
  // The chunk of sample headers, and where it lies in the file; or the excerpt, with which the file then ends.
  uint8_t *headers;
  int64_t start, size;
  bool is_excerpt;
} soundfont_file;

static _Thread_local const fluidsynth_excerpt *excerpt;

void fluidsynth_read_excerpt(const fluidsynth_excerpt *next) { excerpt = next; }

static uint32_t get32(const uint8_t *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put32(uint8_t *bytes, uint32_t value) {
  for (int index = 0; index < 4; index++) bytes[index] = value >> 8 * index;
}

static void shorten(uint8_t *header) {
  if (header[type_offset] & compressed) return;
  uint32_t start = get32(header + end_offset - 4), end = get32(header + end_offset);
  // Some loops reach beyond the end, and want what is there.
  uint32_t loop_end = get32(header + loop_end_offset);
  if (loop_end > end && loop_end - end <= padding) end = loop_end;
  if (end > start + 2 * padding) put32(header + end_offset, end - padding);
}

void fluidsynth_shorten_samples(uint8_t *headers, int64_t size) {
  for (int64_t at = 0; at + header_size <= size; at += header_size) shorten(headers + at);
}

// Finds the chunk "shdr" in the list "pdta"; where there is none, FluidSynth will say what is wrong.
static void find_headers(soundfont_file *font) {
  uint8_t chunk[12];
  if (fseeko(font->file, 12, SEEK_SET)) return;
  while (fread(chunk, 1, 8, font->file) == 8) {
    int64_t size = get32(chunk + 4);
    if (!memcmp(chunk, "LIST", 4) && fread(chunk + 8, 1, 4, font->file) == 4) {
      if (!memcmp(chunk + 8, "pdta", 4)) continue;
      size -= 4;
    }
    if (memcmp(chunk, "shdr", 4)) {
      if (fseeko(font->file, size + (size & 1), SEEK_CUR)) return;
      continue;
    }
    font->start = ftello(font->file);
    font->headers = malloc(size);
    font->size = font->headers ? (int64_t)fread(font->headers, 1, size, font->file) : 0;
    fluidsynth_shorten_samples(font->headers, font->size);
    return;
  }
}

static void *open_font(const char *path) {
  soundfont_file *font = calloc(1, sizeof *font);
  if (!font) return NULL;
  font->file = fopen(path, "rb");
  if (!font->file) {
    free(font);
    return NULL;
  }
  if (excerpt) {
    font->is_excerpt = true;
    font->headers = (uint8_t *)excerpt->bytes;
    font->start = excerpt->start;
    font->size = excerpt->size;
    return font;
  }
  find_headers(font);
  rewind(font->file);
  return font;
}

static int read_font(void *buffer, fluid_long_long_t count, void *handle) {
  soundfont_file *font = handle;
  int64_t start = font->position, end = start + count;
  if (font->is_excerpt && start >= font->start) {
    if (end > font->start + font->size) return FLUID_FAILED;
    memcpy(buffer, font->headers + (start - font->start), count);
    font->position = end;
    return FLUID_OK;
  }
  // What is cut short is given up.
  if (fread(buffer, 1, count, font->file) != (size_t)count) return FLUID_FAILED;
  font->position = end;
  // The length of the whole, which FluidSynth compares with the file's.
  if (font->is_excerpt && start == 0 && count >= 8) put32((uint8_t *)buffer + 4, font->start + font->size - 8);
  int64_t first = start > font->start ? start : font->start;
  int64_t last = end < font->start + font->size ? end : font->start + font->size;
  if (first < last) memcpy((uint8_t *)buffer + (first - start), font->headers + (first - font->start), last - first);
  return FLUID_OK;
}

static int seek_font(void *handle, fluid_long_long_t offset, int origin) {
  soundfont_file *font = handle;
  if (font->is_excerpt) {
    if (origin == SEEK_CUR) offset += font->position;
    if (origin == SEEK_END) offset += font->start + font->size;
    origin = SEEK_SET;
    if (offset >= font->start) {
      font->position = offset;
      return FLUID_OK;
    }
  }
  if (fseeko(font->file, offset, origin)) return FLUID_FAILED;
  font->position = ftello(font->file);
  return FLUID_OK;
}

static fluid_long_long_t tell_font(void *handle) { return ((soundfont_file *)handle)->position; }

static int close_font(void *handle) {
  soundfont_file *font = handle;
  fclose(font->file);
  if (!font->is_excerpt) free(font->headers);
  free(font);
  return FLUID_OK;
}

void fluidsynth_load_samples_singly(fluid_synth_t *synth, fluid_settings_t *settings) {
  fluid_settings_setint(settings, "synth.dynamic-sample-loading", 1);
  fluid_sfloader_t *loader = new_fluid_defsfloader(settings);
  if (!loader) return;
  fluid_sfloader_set_callbacks(loader, open_font, read_font, seek_font, tell_font, close_font);
  fluid_synth_add_sfloader(synth, loader);
}
