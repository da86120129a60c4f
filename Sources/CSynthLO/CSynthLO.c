#include "CSynthLO.h"
