// The whole of libfluidsynth, for tests that hear the font through it.
#include <fluidsynth.h>
