// Loads libsystemd, and libgcrypt and three compressors with it, when a bus is first opened.
#include "Loading.h"

#include <errno.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>

#include "CSynthLoading.h"

#define FUNCTIONS(F)                                                                                                   \
  F(sd_bus_add_object_vtable) F(sd_bus_call_method) F(sd_bus_close_unref) F(sd_bus_emit_properties_changed_strv)       \
  F(sd_bus_error_set) F(sd_bus_flush) F(sd_bus_flush_close_unref) F(sd_bus_get_fd) F(sd_bus_get_property_string)       \
  F(sd_bus_get_property_trivial) F(sd_bus_is_ready) F(sd_bus_message_append) F(sd_bus_message_append_basic)            \
  F(sd_bus_message_close_container) F(sd_bus_message_get_bus) F(sd_bus_message_get_member)                             \
  F(sd_bus_message_is_method_error) F(sd_bus_message_new_signal) F(sd_bus_message_open_container)                      \
  F(sd_bus_message_read) F(sd_bus_message_read_basic) F(sd_bus_message_unref) F(sd_bus_new) F(sd_bus_open_system)      \
  F(sd_bus_open_user) F(sd_bus_process) F(sd_bus_release_name) F(sd_bus_release_name_async)                            \
  F(sd_bus_reply_method_return) F(sd_bus_request_name) F(sd_bus_request_name_async) F(sd_bus_send)                     \
  F(sd_bus_set_address) F(sd_bus_set_bus_client) F(sd_bus_set_method_call_timeout) F(sd_bus_start) F(sd_bus_wait)      \
  F(sd_notify) F(sd_watchdog_enabled)

LOADED_LIBRARY(library, "libsystemd.so.0", "libsystemd0", FUNCTIONS);

// Tables of methods name it so that no older library is linked; the library does not read it.
__attribute__((visibility("hidden"))) const unsigned sd_bus_object_vtable_format = 0;

int system_bus_load(void) { return library_load(&library) ? -ELIBACC : 0; }
