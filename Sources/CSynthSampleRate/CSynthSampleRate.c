#include "CSynthSampleRate.h"
