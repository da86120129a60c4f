// The two interfaces of MPRIS 2, as tables of sd-bus, whose macros Swift does not see.
#pragma once
#include <systemd/sd-bus.h>

// What answers for a player. Each function gives 0 or more, or a negative errno value, of which sd-bus makes an error;
// -EINVAL is an invalid argument.
struct media_handlers {
  void *context;
  // Appends a property's value.
  int (*get)(void *context, const char *property, sd_bus_message *reply);
  // Reads a property's new value, which has the right type.
  int (*set)(void *context, const char *property, sd_bus_message *value, sd_bus_error *error);
  // Reads a method's arguments, which have the right types; the reply is empty.
  int (*call)(void *context, const char *method, sd_bus_message *call, sd_bus_error *error);
};

// Serves both interfaces on a bus. The handlers must outlive it.
int media_player_serve(sd_bus *bus, struct media_handlers *handlers);
