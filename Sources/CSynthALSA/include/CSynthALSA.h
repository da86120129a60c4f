// The ALSA library as Swift sees it, and the few of its calls that the audio thread makes, marked.
#pragma once
#include <alsa/asoundlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/eventfd.h>

#include "CSynthRealtime.h"

// Fills `frame_count` frames of every channel and returns how many it filled; fewer end the stream. Channels are never
// null and point to whole periods of floats.
typedef int32_t (*pcm_render_callback)(void *_Nonnull context, float *_Nonnull const *_Nonnull channels,
                                       int32_t channel_count, int32_t frame_count);

// Swift cannot see through an indirect call; the author of a render callback promises to be real-time safe.
SYNTH_REALTIME static inline int32_t pcm_render(pcm_render_callback _Nonnull callback, void *_Nonnull context,
                                                float *_Nonnull const *_Nonnull channels, int32_t channel_count,
                                                int32_t frame_count) {
  return callback(context, channels, channel_count, frame_count);
}

// On a hw device a copy into the mapped ring, or one ioctl; never waits, as every handle here is non-blocking.
// alsa-lib's own mutex is off (LIBASOUND_THREAD_SAFE=0, set when this library is loaded). Plugins that convert do so in
// buffers allocated by snd_pcm_hw_params; I/O plugins (PipeWire, PulseAudio) are responsible for their own code.
SYNTH_REALTIME static inline snd_pcm_sframes_t pcm_write(snd_pcm_t *_Nonnull pcm, const void *_Nonnull frames,
                                                         snd_pcm_uframes_t count) {
  return snd_pcm_writei(pcm, frames, count);
}

// The counterpart of pcm_write, with the same promise.
SYNTH_REALTIME static inline snd_pcm_sframes_t pcm_read(snd_pcm_t *_Nonnull pcm, void *_Nonnull frames,
                                                        snd_pcm_uframes_t count) {
  return snd_pcm_readi(pcm, frames, count);
}

// Reads `frame_count` captured frames of every channel, the first of which was captured at a time on the monotonic
// clock, in nanoseconds. Channels are never null.
typedef void (*pcm_capture_callback)(void *_Nonnull context, float *_Nonnull const *_Nonnull channels,
                                     int32_t channel_count, int32_t frame_count, uint64_t time);

// As pcm_render.
SYNTH_REALTIME static inline void pcm_give(pcm_capture_callback _Nonnull callback, void *_Nonnull context,
                                           float *_Nonnull const *_Nonnull channels, int32_t channel_count,
                                           int32_t frame_count, uint64_t time) {
  callback(context, channels, channel_count, frame_count, time);
}

// How many frames had room at the latest interrupt, and the time of that on the monotonic clock, in nanoseconds; false
// if the PCM does not run or does not tell. On a hw device two reads of mapped memory; plugins without a time read the
// clock.
SYNTH_REALTIME static inline bool pcm_timestamp(snd_pcm_t *_Nonnull pcm, snd_pcm_uframes_t *_Nonnull available,
                                                uint64_t *_Nonnull time) {
  snd_htimestamp_t stamp;
  if (snd_pcm_state(pcm) != SND_PCM_STATE_RUNNING || snd_pcm_htimestamp(pcm, available, &stamp) < 0) return false;
  *time = (uint64_t)stamp.tv_sec * 1000000000u + (uint64_t)stamp.tv_nsec;
  return *time > 0;
}

// How many frames a frame that is written now waits until it is heard, a sound server's own buffers included; false if
// the PCM does not run or does not tell. On a hw device one ioctl that does not wait.
SYNTH_REALTIME static inline bool pcm_delay(snd_pcm_t *_Nonnull pcm, snd_pcm_sframes_t *_Nonnull frames) {
  return snd_pcm_state(pcm) == SND_PCM_STATE_RUNNING && snd_pcm_delay(pcm, frames) >= 0;
}

// Whether the PCM is a sound server's: its buffer is not the last before the ear.
SYNTH_REALTIME static inline bool pcm_is_server(snd_pcm_t *_Nonnull pcm) {
  return snd_pcm_type(pcm) == SND_PCM_TYPE_IOPLUG;
}

// Sets the name that plugins take for the program's, whatever its file is called. (program_invocation_short_name)
void calsa_set_program_name(const char *_Nonnull name);

// From now on, alsa-lib's messages go to a buffer of the calling thread instead of stderr.
void calsa_capture_messages(void);

// Clears the calling thread's message.
void calsa_clear_message(void);

// alsa-lib's first message on the calling thread since `calsa_clear_message`, which is the nearest to the cause; empty
// without one. Valid until the thread's next message.
const char *_Nonnull calsa_message(void);

// Parts of sequencer events that Swift does not import: packed structs in a union, and macros.

// The time of an event that is stamped in real time, in nanoseconds of its queue; negative for any other.
static inline int64_t calsa_event_time(const snd_seq_event_t *_Nonnull event) {
  if ((event->flags & SND_SEQ_TIME_STAMP_MASK) != SND_SEQ_TIME_STAMP_REAL) return -1;
  return (int64_t)event->time.time.tv_sec * 1000000000 + event->time.time.tv_nsec;
}

// The bytes of a System Exclusive event, and how many there are.
static inline const uint8_t *_Nullable calsa_event_bytes(const snd_seq_event_t *_Nonnull event,
                                                         uint32_t *_Nonnull count) {
  *count = event->data.ext.len;
  return event->data.ext.ptr;
}

// Starts a queue. (snd_seq_start_queue)
static inline int calsa_start_queue(snd_seq_t *_Nonnull sequencer, int queue) {
  const int code = snd_seq_start_queue(sequencer, queue, NULL);
  return code < 0 ? code : snd_seq_drain_output(sequencer);
}

// Connects a source to a destination, of whichever clients. (snd_seq_subscribe_port)
static inline int calsa_subscribe(snd_seq_t *_Nonnull sequencer, snd_seq_addr_t source, snd_seq_addr_t destination,
                                  bool connects) {
  snd_seq_port_subscribe_t *subscription;
  snd_seq_port_subscribe_alloca(&subscription);
  snd_seq_port_subscribe_set_sender(subscription, &source);
  snd_seq_port_subscribe_set_dest(subscription, &destination);
  return connects ? snd_seq_subscribe_port(sequencer, subscription) : snd_seq_unsubscribe_port(sequencer, subscription);
}

// The destination of that number among those a source is connected to; a negative errno value where there are no more.
// (snd_seq_query_port_subscribers)
static inline int calsa_destination(snd_seq_t *_Nonnull sequencer, snd_seq_addr_t source, int number,
                                    snd_seq_addr_t *_Nonnull destination) {
  snd_seq_query_subscribe_t *query;
  snd_seq_query_subscribe_alloca(&query);
  snd_seq_query_subscribe_set_root(query, &source);
  snd_seq_query_subscribe_set_type(query, SND_SEQ_QUERY_SUBS_READ);
  snd_seq_query_subscribe_set_index(query, number);
  const int code = snd_seq_query_port_subscribers(sequencer, query);
  if (code >= 0) *destination = *snd_seq_query_subscribe_get_addr(query);
  return code;
}

// Sends an event from a port to all that are connected to it: at a time of a queue in nanoseconds, or at once if that
// is negative. -EAGAIN where the kernel has no room for it. (snd_seq_event_output_direct)
static inline int calsa_send(snd_seq_t *_Nonnull sequencer, int port, int queue, int64_t time,
                             snd_seq_event_t *_Nonnull event) {
  snd_seq_ev_set_source(event, port);
  snd_seq_ev_set_subs(event);
  if (time < 0) {
    snd_seq_ev_set_direct(event);
  } else {
    const snd_seq_real_time_t at = {.tv_sec = (unsigned)(time / 1000000000), .tv_nsec = (unsigned)(time % 1000000000)};
    snd_seq_ev_schedule_real(event, queue, 0, &at);
  }
  return snd_seq_event_output_direct(sequencer, event);
}

// Sends a channel message of MIDI 1.0, or one of clock and transport; -EINVAL for any other status.
static inline int calsa_send_message(snd_seq_t *_Nonnull sequencer, int port, int queue, int64_t time, uint8_t status,
                                     uint8_t data1, uint8_t data2) {
  snd_seq_event_t event;
  snd_seq_ev_clear(&event);
  const unsigned char channel = status & 0xF;
  switch (status < 0xF0 ? status & 0xF0 : status) {
    case 0x80: snd_seq_ev_set_noteoff(&event, channel, data1, data2); break;
    case 0x90: snd_seq_ev_set_noteon(&event, channel, data1, data2); break;
    case 0xA0: snd_seq_ev_set_keypress(&event, channel, data1, data2); break;
    case 0xB0: snd_seq_ev_set_controller(&event, channel, data1, data2); break;
    case 0xC0: snd_seq_ev_set_pgmchange(&event, channel, data1); break;
    case 0xD0: snd_seq_ev_set_chanpress(&event, channel, data1); break;
    case 0xE0: snd_seq_ev_set_pitchbend(&event, channel, (data2 << 7 | data1) - 8192); break;
    case 0xF2:
      snd_seq_ev_set_fixed(&event);
      event.type = SND_SEQ_EVENT_SONGPOS;
      event.data.control.value = data2 << 7 | data1;
      break;
    case 0xF8: event.type = SND_SEQ_EVENT_CLOCK; break;
    case 0xFA: event.type = SND_SEQ_EVENT_START; break;
    case 0xFB: event.type = SND_SEQ_EVENT_CONTINUE; break;
    case 0xFC: event.type = SND_SEQ_EVENT_STOP; break;
    case 0xFF: event.type = SND_SEQ_EVENT_RESET; break;
    default: return -EINVAL;
  }
  return calsa_send(sequencer, port, queue, time, &event);
}

// Sends bytes of a System Exclusive message, which may be one of its pieces.
static inline int calsa_send_bytes(snd_seq_t *_Nonnull sequencer, int port, int queue, int64_t time,
                                   const uint8_t *_Nonnull bytes, uint32_t count) {
  snd_seq_event_t event;
  snd_seq_ev_clear(&event);
  snd_seq_ev_set_sysex(&event, count, (void *)bytes);
  return calsa_send(sequencer, port, queue, time, &event);
}

// Takes back what waits for its time, all but note offs. (snd_seq_remove_events)
static inline int calsa_cancel(snd_seq_t *_Nonnull sequencer) {
  snd_seq_remove_events_t *removal;
  snd_seq_remove_events_alloca(&removal);
  snd_seq_remove_events_set_condition(removal, SND_SEQ_REMOVE_OUTPUT | SND_SEQ_REMOVE_IGNORE_OFF);
  return snd_seq_remove_events(sequencer, removal);
}

// The present time of a queue in nanoseconds, or a negative errno value. (snd_seq_get_queue_status)
static inline int64_t calsa_queue_time(snd_seq_t *_Nonnull sequencer, int queue) {
  snd_seq_queue_status_t *status;
  snd_seq_queue_status_alloca(&status);
  const int code = snd_seq_get_queue_status(sequencer, queue, status);
  if (code < 0) return code;
  const snd_seq_real_time_t *time = snd_seq_queue_status_get_real_time(status);
  return (int64_t)time->tv_sec * 1000000000 + time->tv_nsec;
}
