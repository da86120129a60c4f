#pragma once
#include <stdbool.h>

// False where libwebsockets is not installed, or has not all of the functions.
bool websockets_load(void);
