// libmysofa as Swift sees it.
#pragma once
#include <mysofa.h>

// Loads libmysofa, with which every use begins: NULL, or what is wrong and what to install. [control thread]
const char *_Nullable mysofa_load_library(void);
