#include "CEBUR128.h"
