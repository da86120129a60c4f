#include "CSynthMySofa.h"
