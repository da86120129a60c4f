// libfluidsynth as Swift sees it.
#pragma once
#include <fluidsynth.h>
