#include "CFluidSynth.h"
