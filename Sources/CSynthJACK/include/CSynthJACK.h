// libjack as Swift sees it, and the calls that the audio thread makes, marked.
//
// The few functions are declared here: JACK's two servers and PipeWire each have a package with headers, and these
// exclude each other. All three keep this interface. (jackaudio.org/api)
#pragma once
#include <stddef.h>
#include <stdint.h>

#include "CSynthRealtime.h"

typedef struct jack_client jack_client;
typedef struct jack_port jack_port;

typedef struct {
  uint32_t min, max;
} jack_latency_range;

// A MIDI message in a port's buffer, valid for one cycle.
typedef struct {
  uint32_t time;
  size_t size;
  uint8_t *_Nullable bytes;
} jack_midi_event;

// The start of JACK's own structure, and more room than the rest of it takes: bars, beats and what may be added.
typedef struct {
  uint64_t unique, microseconds;
  uint32_t frame_rate, frame;
  uint64_t rest[64];
} __attribute__((packed)) jack_position;

enum { CJACK_NO_START_SERVER = 1, CJACK_SERVER_NAME = 4 };         // options of `jack_client_open`
enum { CJACK_SERVER_FAILED = 0x10, CJACK_VERSION_ERROR = 0x400 };  // bits of its status
enum { CJACK_INPUT = 1, CJACK_OUTPUT = 2, CJACK_PHYSICAL = 4, CJACK_TERMINAL = 16 };  // flags of ports
enum { CJACK_CAPTURE_LATENCY, CJACK_PLAYBACK_LATENCY };
enum { CJACK_STOPPED, CJACK_ROLLING, CJACK_LOOPING, CJACK_STARTING };

#define CJACK_AUDIO "32 bit float mono audio"
#define CJACK_MIDI "8 bit raw midi"

// Loads libjack, with which every use begins: NULL, or what is wrong and what to install. [control thread]
const char *_Nullable cjack_load_library(void);

// A client of a server that runs, where none is named JACK_DEFAULT_SERVER's; none is started. NULL where there is none,
// with the reason in `status`. [control thread]
jack_client *_Nullable cjack_open(const char *_Nonnull name, const char *_Nullable server, uint32_t *_Nonnull status);

typedef int (*cjack_frames_callback)(uint32_t frames, void *_Nullable context);
typedef void (*cjack_callback)(void *_Nullable context);

jack_client *_Nullable jack_client_open(const char *_Nonnull name, int options, uint32_t *_Nullable status, ...);
int jack_client_close(jack_client *_Nonnull);
int jack_activate(jack_client *_Nonnull);
const char *_Nonnull jack_get_client_name(jack_client *_Nonnull);
uint32_t jack_get_sample_rate(jack_client *_Nonnull);
uint32_t jack_get_buffer_size(jack_client *_Nonnull);
int jack_is_realtime(jack_client *_Nonnull);
// In microseconds of the clock by which JACK counts its cycles.
uint64_t jack_get_time(void);

void jack_set_error_function(void (*_Nonnull)(const char *_Nonnull));
void jack_set_info_function(void (*_Nonnull)(const char *_Nonnull));
int jack_set_thread_init_callback(jack_client *_Nonnull, cjack_callback _Nonnull, void *_Nullable context);
int jack_set_process_callback(jack_client *_Nonnull, cjack_frames_callback _Nonnull, void *_Nullable context);
int jack_set_buffer_size_callback(jack_client *_Nonnull, cjack_frames_callback _Nonnull, void *_Nullable context);
int jack_set_xrun_callback(jack_client *_Nonnull, int (*_Nonnull)(void *_Nullable), void *_Nullable context);
int jack_set_freewheel_callback(jack_client *_Nonnull, void (*_Nonnull)(int, void *_Nullable), void *_Nullable context);
int jack_set_latency_callback(jack_client *_Nonnull, void (*_Nonnull)(int mode, void *_Nullable),
                              void *_Nullable context);
int jack_set_sync_callback(jack_client *_Nonnull, int (*_Nonnull)(int state, jack_position *_Nonnull, void *_Nullable),
                           void *_Nullable context);
void jack_on_shutdown(jack_client *_Nonnull, cjack_callback _Nonnull, void *_Nullable context);

jack_port *_Nullable jack_port_register(jack_client *_Nonnull, const char *_Nonnull name, const char *_Nonnull type,
                                        unsigned long flags, unsigned long buffer_size);
const char *_Nonnull jack_port_name(const jack_port *_Nonnull);
int jack_connect(jack_client *_Nonnull, const char *_Nonnull source, const char *_Nonnull destination);
// A list of names that ends with NULL, to be freed.
const char *_Nullable *_Nullable jack_get_ports(jack_client *_Nonnull, const char *_Nullable name,
                                                const char *_Nullable type, unsigned long flags);
void jack_free(void *_Nullable);
void jack_port_get_latency_range(jack_port *_Nonnull, int mode, jack_latency_range *_Nonnull);
void jack_port_set_latency_range(jack_port *_Nonnull, int mode, jack_latency_range *_Nonnull);
int jack_recompute_total_latencies(jack_client *_Nonnull);

void *_Nullable jack_port_get_buffer(jack_port *_Nonnull, uint32_t frames);
uint32_t jack_midi_get_event_count(void *_Nonnull buffer);
int jack_midi_event_get(jack_midi_event *_Nonnull, void *_Nonnull buffer, uint32_t index);
int jack_get_cycle_times(const jack_client *_Nonnull, uint32_t *_Nonnull frames, uint64_t *_Nonnull microseconds,
                         uint64_t *_Nonnull next_microseconds, float *_Nonnull period);
int jack_transport_query(const jack_client *_Nonnull, jack_position *_Nullable);
void jack_transport_start(jack_client *_Nonnull);
void jack_transport_stop(jack_client *_Nonnull);
int jack_transport_locate(jack_client *_Nonnull, uint32_t frame);

// JACK's own rules ask of these that they may be called in the process callback; they read shared memory.

SYNTH_REALTIME static inline void *_Nullable cjack_buffer(jack_port *_Nonnull port, uint32_t frames) {
  return jack_port_get_buffer(port, frames);
}

SYNTH_REALTIME static inline uint32_t cjack_event_count(void *_Nonnull buffer) {
  return jack_midi_get_event_count(buffer);
}

// Whether there was one.
SYNTH_REALTIME static inline bool cjack_event(void *_Nonnull buffer, uint32_t index, jack_midi_event *_Nonnull event) {
  return jack_midi_event_get(event, buffer, index) == 0;
}

// When this cycle begins and the next one will, in microseconds; 0 where JACK does not know.
SYNTH_REALTIME static inline void cjack_cycle(const jack_client *_Nonnull client, uint64_t *_Nonnull begin,
                                              uint64_t *_Nonnull end) {
  uint32_t frames;
  float period;
  if (jack_get_cycle_times(client, &frames, begin, end, &period) != 0) *begin = *end = 0;
}

// Whether the transport advances in this cycle.
SYNTH_REALTIME static inline bool cjack_rolls(const jack_client *_Nonnull client) {
  int state = jack_transport_query(client, NULL);
  return state == CJACK_ROLLING || state == CJACK_LOOPING;
}

// Whether a state is that of waiting for all clients.
SYNTH_REALTIME static inline bool cjack_is_starting(int state) { return state == CJACK_STARTING; }

// The transport's state and place.
static inline int cjack_transport(const jack_client *_Nonnull client, uint32_t *_Nonnull frame) {
  jack_position position;
  int state = jack_transport_query(client, &position);
  *frame = position.frame;
  return state;
}
