// The interface by which programs of a session agree on who opens a sound card's devices.
#pragma once
#include <stdint.h>
#include <systemd/sd-bus.h>

// What answers for a card that is held.
struct reservation_handlers {
  void *context;
  // Whether the card is given to somebody of this priority; it is not in use any more then.
  int (*release)(void *context, int32_t priority);
  int32_t priority;
  // Of the bus.
  const char *name;
  const char *application;
  const char *device;
};

// Serves the interface on a bus. The handlers must outlive it.
int reservation_serve(sd_bus *bus, const char *path, struct reservation_handlers *handlers);

// Asks the owner of a name to give its card away: 1 if it has, 0 if it refuses, or a negative errno value.
int reservation_ask(sd_bus *bus, const char *name, const char *path, int32_t priority);
