// Source: A simple device reservation protocol for D-Bus (org.freedesktop.ReserveDevice1).
#include "DeviceReservation.h"

#include <stdbool.h>
#include <string.h>

static const char interface[] = "org.freedesktop.ReserveDevice1";

static int release(sd_bus_message *message, void *data, sd_bus_error *error) {
  (void)error;
  const struct reservation_handlers *handlers = data;
  int32_t priority = 0;
  const int code = sd_bus_message_read(message, "i", &priority);
  if (code < 0) return code;
  const int is_given = handlers->release(handlers->context, priority);
  const int reply = sd_bus_reply_method_return(message, "b", is_given);
  if (reply >= 0 && is_given) {
    // Not awaited: the caller may take the name at once.
    sd_bus_release_name_async(sd_bus_message_get_bus(message), NULL, handlers->name, NULL, NULL);
  }
  return reply;
}

static int get(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
               void *data, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)error;
  const struct reservation_handlers *handlers = data;
  if (strcmp(property, "Priority") == 0) return sd_bus_message_append(reply, "i", handlers->priority);
  const bool is_application = strcmp(property, "ApplicationName") == 0;
  return sd_bus_message_append(reply, "s", is_application ? handlers->application : handlers->device);
}

static const sd_bus_vtable reservation[] = {
    SD_BUS_VTABLE_START(0),
    SD_BUS_METHOD("RequestRelease", "i", "b", release, SD_BUS_VTABLE_UNPRIVILEGED),
    SD_BUS_PROPERTY("Priority", "i", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("ApplicationName", "s", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_PROPERTY("ApplicationDeviceName", "s", get, 0, SD_BUS_VTABLE_PROPERTY_CONST),
    SD_BUS_VTABLE_END,
};

int reservation_serve(sd_bus *bus, const char *path, struct reservation_handlers *handlers) {
  return sd_bus_add_object_vtable(bus, NULL, path, interface, reservation, handlers);
}

int reservation_ask(sd_bus *bus, const char *name, const char *path, int32_t priority) {
  sd_bus_message *reply = NULL;
  int is_given = 0;
  int code = sd_bus_call_method(bus, name, path, interface, "RequestRelease", NULL, &reply, "i", priority);
  if (code >= 0) code = sd_bus_message_read(reply, "b", &is_given);
  sd_bus_message_unref(reply);
  return code < 0 ? code : is_given;
}
