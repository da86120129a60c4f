// Loads libwebsockets when a page is first served. Linked, it would bring OpenSSL into every start of the program,
// which then takes 2.5 ms longer.
#include "Loading.h"

#include <libwebsockets.h>

#include "CSynthLoading.h"

#if LWS_LIBRARY_VERSION_MAJOR == 4 && LWS_LIBRARY_VERSION_MINOR == 1
#define LIBRARY "libwebsockets.so.17"
#define PACKAGE "libwebsockets17"
#elif LWS_LIBRARY_VERSION_MAJOR == 4 && LWS_LIBRARY_VERSION_MINOR == 3
#define LIBRARY "libwebsockets.so.19"
#define PACKAGE "libwebsockets19t64"
#else
#error "name the library that goes with this header"
#endif

#define FUNCTIONS(F)                                                                                                   \
  F(lws_add_http_common_headers) F(lws_add_http_header_by_name) F(lws_adopt_descriptor_vhost)                          \
  F(lws_adopt_socket_vhost) F(lws_callback_on_writable) F(lws_callback_on_writable_all_protocol)                       \
  F(lws_cancel_service) F(lws_close_reason) F(lws_context_destroy) F(lws_context_user) F(lws_create_context)           \
  F(lws_finalize_write_http_header) F(lws_frame_is_binary) F(lws_get_context) F(lws_get_vhost)                         \
  F(lws_get_vhost_by_name) F(lws_hdr_copy) F(lws_hdr_total_length) F(lws_http_transaction_completed)                   \
  F(lws_is_final_fragment) F(lws_is_first_fragment) F(lws_remaining_packet_payload) F(lws_return_http_status)          \
  F(lws_rx_flow_control) F(lws_service) F(lws_set_log_level) F(lws_set_timeout) F(lws_write)

LOADED_LIBRARY(library, LIBRARY, PACKAGE, FUNCTIONS);

bool websockets_load(void) { return !library_load(&library); }
