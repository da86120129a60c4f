#include "CSynthSpeexDSP.h"
