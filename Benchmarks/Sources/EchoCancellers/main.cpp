// Echo cancellers beside each other: libspeexdsp and webrtc-audio-processing hear the same far end through the same
// simulated room. The speech is that of alsa-utils, so that everybody gets the same figures.
#include <dlfcn.h>
#include <pthread.h>
#include <speex/speex_echo.h>
#include <speex/speex_preprocess.h>
#include <sys/resource.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "webrtc/modules/audio_processing/include/audio_processing.h"

using Samples = std::vector<float>;

// What the libraries do that an audio thread must not: both are linked dynamically, so their calls come here first.
static std::atomic<long> allocations{0}, locks{0};

template <typename F> static F *next(const char *name) { return reinterpret_cast<F *>(dlsym(RTLD_NEXT, name)); }

extern "C" void *malloc(size_t size) {
  static auto *real = next<void *(size_t)>("malloc");
  allocations++;
  return real(size);
}
extern "C" int pthread_mutex_lock(pthread_mutex_t *mutex) noexcept {
  static auto *real = next<int(pthread_mutex_t *)>("pthread_mutex_lock");
  locks++;
  return real(mutex);
}

// Speech and room.

static Samples wav(const char *name, int rate) {
  std::string path = std::string("/usr/share/sounds/alsa/") + name + ".wav";
  std::string command = "sox -D " + path + " -r " + std::to_string(rate) + " -e float -b 32 -t raw -";
  FILE *pipe = popen(command.c_str(), "r");
  Samples result;
  float value;
  while (pipe && fread(&value, sizeof value, 1, pipe) == 1) result.push_back(value);
  if (pipe) pclose(pipe);
  if (result.empty()) {
    fprintf(stderr, "reading %s: no samples; install alsa-utils and sox\n", path.c_str());
    exit(1);
  }
  return result;
}

static double power(const Samples &x, size_t from, size_t to) {
  double sum = 1e-12;
  for (size_t i = from; i < to; i++) sum += double(x[i]) * x[i];
  return sum / double(to - from);
}

static double decibels(double ratio) { return 10 * log10(ratio); }

// Words in a circle, at a level, for so many seconds.
static Samples speech(std::vector<const char *> words, int rate, double seconds, double level) {
  Samples all, result;
  for (auto *word : words) {
    Samples samples = wav(word, rate);
    all.insert(all.end(), samples.begin(), samples.end());
  }
  double gain = pow(10, level / 20) / sqrt(power(all, 0, all.size()));
  for (size_t i = 0; i < size_t(seconds * rate); i++) result.push_back(float(all[i % all.size()] * gain));
  return result;
}

// A room of 5 by 4 by 2.8 m as mirror images of the loudspeaker (Allen and Berkley, 1979); walls keep 0.75.
static Samples room(int rate, double seconds, double delay) {
  const double size[3] = {5, 4, 2.8}, speaker[3] = {1.2, 1.5, 0.9}, microphone[3] = {1.9, 1.9, 1.1};
  Samples response(size_t(seconds * rate));
  const int order = 12;
  for (int x = -order; x <= order; x++)
    for (int y = -order; y <= order; y++)
      for (int z = -order; z <= order; z++) {
        const int image[3] = {x, y, z};
        double distance = 0;
        for (int axis = 0; axis < 3; axis++) {
          bool mirrored = image[axis] & 1;
          double at = image[axis] * size[axis] + (mirrored ? size[axis] - speaker[axis] : speaker[axis]);
          distance += (at - microphone[axis]) * (at - microphone[axis]);
        }
        distance = sqrt(distance);
        size_t frame = size_t(lround((distance / 343 + delay) * rate));
        if (frame < response.size())
          response[frame] += float(pow(0.75, abs(x) + abs(y) + abs(z)) / distance);
      }
  return response;
}

static Samples convolve(const Samples &x, const Samples &h) {
  Samples y(x.size());
  for (size_t k = 0; k < h.size(); k++)
    if (h[k] != 0)
      for (size_t i = k; i < x.size(); i++) y[i] += h[k] * x[i - k];
  return y;
}

// The cancellers: each takes 10 ms of both, and gives as much.

struct Canceller {
  virtual ~Canceller() {}
  virtual void process(const float *microphone, const float *farEnd, float *output) = 0;
};

struct Speex : Canceller {
  int count;
  SpeexEchoState *echo;
  SpeexPreprocessState *preprocess = nullptr;
  std::vector<spx_int16_t> near, far, clean;
  Speex(int rate, double tail, bool suppresses) : count(rate / 100), near(count), far(count), clean(count) {
    echo = speex_echo_state_init(count, int(tail * rate));
    speex_echo_ctl(echo, SPEEX_ECHO_SET_SAMPLING_RATE, &rate);
    if (!suppresses) return;
    preprocess = speex_preprocess_state_init(count, rate);
    int off = 0;
    speex_preprocess_ctl(preprocess, SPEEX_PREPROCESS_SET_NOISE_SUPPRESS, &off);
    speex_preprocess_ctl(preprocess, SPEEX_PREPROCESS_SET_ECHO_STATE, echo);
  }
  ~Speex() {
    speex_echo_state_destroy(echo);
    if (preprocess) speex_preprocess_state_destroy(preprocess);
  }
  static spx_int16_t word(float x) { return spx_int16_t(lrintf(std::clamp(x, -1.f, 0.9999f) * 32768)); }
  void process(const float *microphone, const float *farEnd, float *output) override {
    std::transform(microphone, microphone + count, near.begin(), word);
    std::transform(farEnd, farEnd + count, far.begin(), word);
    speex_echo_cancellation(echo, near.data(), far.data(), clean.data());
    if (preprocess) speex_preprocess_run(preprocess, clean.data());
    std::transform(clean.begin(), clean.end(), output, [](spx_int16_t x) { return float(x) / 32768; });
  }
};

struct WebRTC : Canceller {
  std::unique_ptr<webrtc::AudioProcessing> processing;
  webrtc::StreamConfig stream;
  int delay;
  Samples ignored;
  WebRTC(int rate, webrtc::EchoCancellation::SuppressionLevel level, int delay)
      : stream(rate, 1), delay(delay), ignored(size_t(rate / 100)) {
    webrtc::Config config;
    config.Set<webrtc::ExtendedFilter>(new webrtc::ExtendedFilter(true));
    config.Set<webrtc::DelayAgnostic>(new webrtc::DelayAgnostic(true));
    processing.reset(webrtc::AudioProcessing::Create(config));
    processing->Initialize(rate, rate, rate, webrtc::AudioProcessing::kMono, webrtc::AudioProcessing::kMono,
                           webrtc::AudioProcessing::kMono);
    processing->echo_cancellation()->set_suppression_level(level);
    processing->echo_cancellation()->Enable(true);
  }
  void process(const float *microphone, const float *farEnd, float *output) override {
    float *rest = ignored.data();
    processing->ProcessReverseStream(&farEnd, stream, stream, &rest);
    processing->set_stream_delay_ms(delay);
    processing->ProcessStream(&microphone, stream, stream, &output);
  }
};

// Measuring.

static double processorTime() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

// The delay at which the output resembles the near end most, up to 60 ms, in frames.
static size_t lag(const Samples &near, const Samples &output, size_t from, size_t to, int rate) {
  size_t best = 0;
  double most = 0;
  for (size_t shift = 0; shift < size_t(rate * 6 / 100); shift++) {
    double sum = 0;
    for (size_t i = from; i < to; i++) sum += double(near[i - shift]) * output[i];
    if (sum > most) most = sum, best = shift;
  }
  return best;
}

static void measure(const char *name, int rate, const std::function<std::unique_ptr<Canceller>()> &make) {
  const double seconds = 24;
  auto second = [&](double time) { return size_t(time * rate); };
  Samples far = speech({"Front_Center", "Rear_Left", "Front_Right", "Rear_Center", "Front_Left"}, rate, seconds, -20);
  Samples near = speech({"Side_Left", "Side_Right", "Rear_Right"}, rate, seconds, -26);
  std::fill(near.begin(), near.begin() + long(second(10)), 0.f);
  std::fill(near.begin() + long(second(18)), near.end(), 0.f);
  Samples echo = convolve(far, room(rate, 0.3, 0.02));
  float gain = float(pow(10, -26.0 / 20) / sqrt(power(echo, 0, echo.size())));
  Samples microphone(far.size()), output(far.size());
  unsigned noise = 1;
  for (size_t i = 0; i < far.size(); i++) {
    noise = noise * 1664525 + 1013904223;
    float hiss = (float(noise >> 8) / 8388608 - 1) * 0.0003f;
    microphone[i] = echo[i] * gain + near[i] + hiss;
  }
  auto canceller = make();
  size_t count = size_t(rate / 100);
  long allocated = 0, locked = 0;
  double begin = processorTime();
  for (size_t i = 0; i + count <= far.size(); i += count) {
    if (i == 100 * count) allocated = allocations, locked = locks;
    canceller->process(&microphone[i], &far[i], &output[i]);
  }
  double cost = (processorTime() - begin) / seconds;
  allocated = allocations - allocated, locked = locks - locked;
  auto enhancement = [&](double from, double to) {
    return decibels(power(microphone, second(from), second(to)) / power(output, second(from), second(to)));
  };
  size_t from = second(11), to = second(17), shift = lag(near, output, from, to, rate);
  double both = 0, nearPower = 0, outputPower = 0;
  for (size_t i = from; i < to; i++) {
    both += double(near[i - shift]) * output[i];
    nearPower += double(near[i - shift]) * near[i - shift];
    outputPower += double(output[i]) * output[i];
  }
  double kept = both * both / nearPower;
  printf("%-34s %5d %7.1f %7.1f %7.1f %7.1f %7.1f %7.1f %7.2f %8.1f %7.1f\n", name, rate, enhancement(1, 3),
         enhancement(5, 10), enhancement(19, 24), decibels(kept / nearPower), decibels(kept / (outputPower - kept)),
         double(shift) * 1000 / rate, cost * 1000, double(allocated) / (seconds - 1), double(locked) / (seconds - 1));
}

int main() {
  printf("%-34s %5s %7s %7s %7s %7s %7s %7s %7s %8s %7s\n", "", "", "ERLE", "ERLE", "ERLE", "kept", "near/", "later",
         "CPU", "malloc", "lock");
  printf("%-34s %5s %7s %7s %7s %7s %7s %7s %7s %8s %7s\n", "", "Hz", "1-3 s", "5-10 s", "after", "dB", "rest dB", "ms",
         "ms/s", "/s", "/s");
  using Level = webrtc::EchoCancellation;
  for (int rate : {16000, 48000}) {
    for (double tail : {0.1, 0.2, 0.4}) {
      std::string name = "speex, " + std::to_string(int(tail * 1000)) + " ms";
      measure(name.c_str(), rate, [&] { return std::make_unique<Speex>(rate, tail, false); });
      measure((name + ", suppressor").c_str(), rate, [&] { return std::make_unique<Speex>(rate, tail, true); });
    }
    measure("webrtc, low", rate, [&] { return std::make_unique<WebRTC>(rate, Level::kLowSuppression, 20); });
    measure("webrtc, moderate", rate, [&] { return std::make_unique<WebRTC>(rate, Level::kModerateSuppression, 20); });
    measure("webrtc, high", rate, [&] { return std::make_unique<WebRTC>(rate, Level::kHighSuppression, 20); });
  }
}
