// Loads libjack when a server is first looked for.
#include "CSynthJACK.h"

#include "CSynthLoading.h"

#define FUNCTIONS(F)                                                                                                   \
  F(jack_activate) F(jack_client_close) F(jack_client_open) F(jack_connect) F(jack_free) F(jack_get_buffer_size)       \
  F(jack_get_client_name) F(jack_get_cycle_times) F(jack_get_ports) F(jack_get_sample_rate) F(jack_get_time)           \
  F(jack_is_realtime) F(jack_midi_event_get) F(jack_midi_get_event_count) F(jack_on_shutdown) F(jack_port_get_buffer)  \
  F(jack_port_get_latency_range) F(jack_port_name) F(jack_port_register) F(jack_port_set_latency_range)                \
  F(jack_recompute_total_latencies) F(jack_set_buffer_size_callback) F(jack_set_error_function)                        \
  F(jack_set_freewheel_callback) F(jack_set_info_function) F(jack_set_latency_callback) F(jack_set_process_callback)   \
  F(jack_set_sync_callback) F(jack_set_thread_init_callback) F(jack_set_xrun_callback) F(jack_transport_locate)        \
  F(jack_transport_query) F(jack_transport_start) F(jack_transport_stop)

LOADED_LIBRARY(library, "libjack.so.0", "libjack-jackd2-0", FUNCTIONS);

static void ignore(const char *message) { (void)message; }

const char *cjack_load_library(void) {
  const char *problem = library_load(&library);
  if (problem) return problem;
  // It would write to stderr; what is wrong is in the status of each call.
  jack_set_error_function(ignore);
  jack_set_info_function(ignore);
  return NULL;
}

jack_client *cjack_open(const char *name, const char *server, uint32_t *status) {
  if (!server) return jack_client_open(name, CJACK_NO_START_SERVER, status);
  return jack_client_open(name, CJACK_NO_START_SERVER | CJACK_SERVER_NAME, status, server);
}
