#include "synth_render.h"
