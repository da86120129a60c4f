#include "CMySofa.h"
