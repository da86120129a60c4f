// A sine of 100 Hz at 48 kHz as stereo float samples, for tests that are too long for a script to look at each sample.
//
// usage: tone play SECONDS     writes it to standard output
//        tone check SECONDS    reads it from its first sound on; fails if it bends, or ends, within that time
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { rate = 48000, cycle = rate / 100, fade = rate / 10 };

static int play(long cycles) {
  float frames[cycle][2];
  for (int frame = 0; frame < cycle; frame++) frames[frame][0] = frames[frame][1] = 0.5 * sin(2 * M_PI * frame / cycle);
  while (cycles-- > 0)
    if (fwrite(frames, sizeof frames, 1, stdout) != 1) return 1;
  return 0;
}

// A lost or doubled frame bends the sine by its steepness, 0.0065; the sine itself bends by 0.000086.
static int check(long count) {
  float frames[1024][2];
  float last = 0, before = 0, worst = 0;
  long heard = 0;
  for (size_t read; heard < count && (read = fread(frames, sizeof *frames, 1024, stdin)) > 0;) {
    for (size_t frame = 0; frame < read && heard < count; frame++) {
      const float sample = frames[frame][0], bend = fabsf(sample - 2 * last + before);
      before = last;
      last = sample;
      if (heard == 0 && fabsf(sample) < 0.1) continue;
      // In the beginning it is faded in.
      if (heard++ > fade && bend > worst) worst = bend;
    }
  }
  printf("%.1f s, bent by %.6f at most\n", (double)heard / rate, worst);
  return heard < count || worst < 0.00005 || worst > 0.0003;
}

int main(int count, char **arguments) {
  if (count != 3) return 2;
  const long seconds = strtol(arguments[2], NULL, 10);
  return strcmp(arguments[1], "play") == 0 ? play(seconds * 100) : check(seconds * rate);
}
