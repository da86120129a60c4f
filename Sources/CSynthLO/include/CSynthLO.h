// liblo as Swift sees it: OSC messages from bytes and to bytes. Its servers listen on all of a machine's addresses, so
// the UDP socket is our own.
#pragma once
#include <stdarg.h>
#include <lo/lo_types.h>
#include <lo/lo_lowlevel.h>
