#include "CSynthEBUR128.h"
