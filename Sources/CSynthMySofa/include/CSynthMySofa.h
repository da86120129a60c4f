// libmysofa as Swift sees it.
#pragma once
#include <mysofa.h>
