// A bare write loop, the least that any program does that plays: waits for room, takes the time rendering would take,
// and writes a period of silence. What it cannot hold, no program can.
//
// usage: write-loop DEVICE PERIOD PERIODS MICROSECONDS, the last of them for a period's rendering
#include <alsa/asoundlib.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static int configure(snd_pcm_t *pcm, snd_pcm_uframes_t period, snd_pcm_uframes_t buffer) {
  snd_pcm_hw_params_t *hardware;
  snd_pcm_hw_params_alloca(&hardware);
  snd_pcm_hw_params_any(pcm, hardware);
  int failures = snd_pcm_hw_params_set_access(pcm, hardware, SND_PCM_ACCESS_RW_INTERLEAVED) < 0;
  failures += snd_pcm_hw_params_set_format(pcm, hardware, SND_PCM_FORMAT_S16_LE) < 0;
  failures += snd_pcm_hw_params_set_channels(pcm, hardware, 2) < 0;
  failures += snd_pcm_hw_params_set_rate(pcm, hardware, 48000, 0) < 0;
  failures += snd_pcm_hw_params_set_period_size(pcm, hardware, period, 0) < 0;
  failures += snd_pcm_hw_params_set_buffer_size(pcm, hardware, buffer) < 0;
  failures += snd_pcm_hw_params(pcm, hardware) < 0;
  snd_pcm_sw_params_t *software;
  snd_pcm_sw_params_alloca(&software);
  snd_pcm_sw_params_current(pcm, software);
  failures += snd_pcm_sw_params_set_start_threshold(pcm, software, buffer) < 0;
  failures += snd_pcm_sw_params_set_avail_min(pcm, software, period) < 0;
  return failures + (snd_pcm_sw_params(pcm, software) < 0);
}

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000 + time.tv_nsec;
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  const snd_pcm_uframes_t period = strtoul(arguments[2], NULL, 10);
  snd_pcm_t *pcm;
  if (snd_pcm_open(&pcm, arguments[1], SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK) < 0) return 1;
  if (configure(pcm, period, period * strtoul(arguments[3], NULL, 10))) return 1;
  // As the program under test has it.
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &(struct sched_param){.sched_priority = 40});
  void *silence = calloc(period, 4);
  const long work = strtol(arguments[4], NULL, 10) * 1000;
  while (1) {
    snd_pcm_wait(pcm, 100);
    for (const long start = now(); now() - start < work;) continue;
    snd_pcm_sframes_t written = snd_pcm_writei(pcm, silence, period);
    while (written == -EAGAIN && snd_pcm_wait(pcm, 100) >= 0) written = snd_pcm_writei(pcm, silence, period);
    if (written == -EPIPE) snd_pcm_prepare(pcm);
  }
}
