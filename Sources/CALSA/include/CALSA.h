// The ALSA library as Swift sees it.
#pragma once
#include <alsa/asoundlib.h>
