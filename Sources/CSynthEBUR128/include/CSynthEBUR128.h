// libebur128 as Swift sees it.
#pragma once
#include <ebur128.h>
