#include "CLO.h"
