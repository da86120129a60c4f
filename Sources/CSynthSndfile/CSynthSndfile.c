#include "CSynthSndfile.h"
