#define _GNU_SOURCE
#include "CSynthWebSockets.h"

#include <errno.h>
#include <libwebsockets.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "Loading.h"

// Of a client, in memory that libwebsockets clears and frees.
struct peer {
  uint64_t number;
  char *message;
  size_t count;
  bool has_joined;
};

// A connection from outside. One that has not joined gives its place to a newcomer.
struct connection {
  struct lws *wsi;
  struct in6_addr address;
  bool has_joined;
};

struct web_server {
  struct lws_context *context;
  const struct web_settings *settings;
  const struct web_handlers *handlers;
  struct lws_protocols protocols[2];
  int listener;
  // The oldest first.
  struct connection *connections;
  int connection_count;
  uint64_t clients;
  // What is sent, behind the room that libwebsockets wants for itself.
  unsigned char *out;
  size_t room;
};

static const struct lws_protocol_vhost_options no_referrer = {NULL, NULL, "referrer-policy:", "no-referrer"};
static const struct lws_protocol_vhost_options no_frames = {&no_referrer, NULL, "x-frame-options:", "DENY"};
static const struct lws_protocol_vhost_options no_store = {&no_frames, NULL, "cache-control:", "no-store"};
static const struct lws_protocol_vhost_options headers = {&no_store, NULL, "x-content-type-options:", "nosniff"};

static void copy_header(struct lws *wsi, char *text, int room, enum lws_token_indexes token) {
  if (lws_hdr_copy(wsi, text, room, token) < 0) text[0] = 0;
}

// Whether the request may go on; if not, it has been answered.
static bool check(struct web_server *server, struct lws *wsi, const char *path, bool is_web_socket) {
  char host[256] = "", origin[256] = "", protocols[128] = "";
  copy_header(wsi, host, sizeof host, WSI_TOKEN_HOST);
  copy_header(wsi, origin, sizeof origin, WSI_TOKEN_ORIGIN);
  copy_header(wsi, protocols, sizeof protocols, WSI_TOKEN_PROTOCOL);
  struct web_request request = {path, host, origin, protocols, is_web_socket};
  const char *reason = "";
  int status = server->handlers->check(server->handlers->context, &request, &reason);
  if (status == HTTP_STATUS_OK) return true;
  lws_return_http_status(wsi, status, reason);
  return false;
}

static int send_head(struct web_server *server, struct lws *wsi) {
  unsigned char buffer[LWS_PRE + 2048], *start = buffer + LWS_PRE, *p = start, *end = buffer + sizeof buffer - 1;
  const struct web_settings *settings = server->settings;
  if (lws_add_http_common_headers(
        wsi, HTTP_STATUS_OK, "text/html; charset=utf-8", settings->page_size, &p, end)
      || lws_add_http_header_by_name(
        wsi, (const unsigned char *)"content-security-policy:", (const unsigned char *)settings->policy,
        (int)strlen(settings->policy), &p, end)
      || lws_finalize_write_http_header(wsi, start, &p, end))
    return 1;
  lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, settings->header_time);
  lws_callback_on_writable(wsi);
  return 0;
}

static int send_page(struct web_server *server, struct lws *wsi) {
  size_t count = server->settings->page_size;
  unsigned char *copy = malloc(LWS_PRE + count);
  if (!copy) return -1;
  memcpy(copy + LWS_PRE, server->settings->page, count);
  int sent = lws_write(wsi, copy + LWS_PRE, count, LWS_WRITE_HTTP_FINAL);
  free(copy);
  return sent < 0 || lws_http_transaction_completed(wsi) ? -1 : 0;
}

static int answer(struct web_server *server, struct lws *wsi, const char *path) {
  if (!lws_hdr_total_length(wsi, WSI_TOKEN_GET_URI)) {
    lws_return_http_status(wsi, HTTP_STATUS_METHOD_NOT_ALLOWED, "The page is read by GET.");
    return -1;
  }
  if (check(server, wsi, path, false)) return send_head(server, wsi);
  return lws_http_transaction_completed(wsi) ? -1 : 0;
}

// libwebsockets 4.1 calls this also after it has refused an unknown protocol and freed what the callback's `in` points
// to (CVE-2025-11677): the header is asked for instead, and anything but a WebSocket (HTTP/2 too) is hung up on.
static int confirm_upgrade(struct web_server *server, struct lws *wsi) {
  char upgrade[16] = "", path[16] = "";
  copy_header(wsi, upgrade, sizeof upgrade, WSI_TOKEN_UPGRADE);
  copy_header(wsi, path, sizeof path, WSI_TOKEN_GET_URI);
  if (strcasecmp(upgrade, "websocket")) return -1;
  return check(server, wsi, path, true) ? 0 : 1;
}

// A client that is not ready waits: what it sends stays in the kernel, and then in the browser.
static void read_if_ready(struct web_server *server, struct lws *wsi, const struct peer *peer) {
  lws_rx_flow_control(wsi, server->handlers->is_ready(server->handlers->context, peer->number));
}

static int receive(struct web_server *server, struct lws *wsi, struct peer *peer, const char *in, size_t length) {
  const struct web_handlers *handlers = server->handlers;
  if (lws_is_first_fragment(wsi)) peer->count = 0;
  if (lws_frame_is_binary(wsi)) {
    lws_close_reason(wsi, LWS_CLOSE_STATUS_UNACCEPTABLE_OPCODE, NULL, 0);
    return -1;
  }
  size_t limit = server->settings->message_limit;
  if (length > limit - peer->count || lws_remaining_packet_payload(wsi) > limit - peer->count - length) {
    lws_close_reason(wsi, LWS_CLOSE_STATUS_MESSAGE_TOO_LARGE, NULL, 0);
    return -1;
  }
  if (!peer->message && !(peer->message = malloc(limit))) return -1;
  memcpy(peer->message + peer->count, in, length);
  peer->count += length;
  if (!lws_is_final_fragment(wsi)) return 0;
  handlers->received(handlers->context, peer->number, peer->message, peer->count);
  read_if_ready(server, wsi, peer);
  return 0;
}

static int send_next(struct web_server *server, struct lws *wsi, struct peer *peer) {
  for (;;) {
    const struct web_handlers *handlers = server->handlers;
    char *text = (char *)server->out + LWS_PRE;
    int64_t count = handlers->next(handlers->context, peer->number, text, server->room);
    if (count < 0) return count == -1 ? 0 : -1;
    if ((size_t)count > server->room) {
      unsigned char *larger = realloc(server->out, LWS_PRE + count);
      if (!larger) return -1;
      server->out = larger;
      server->room = count;
      continue;
    }
    if (lws_write(wsi, server->out + LWS_PRE, count, LWS_WRITE_TEXT) < 0) return -1;
    read_if_ready(server, wsi, peer);
    lws_callback_on_writable(wsi);
    return 0;
  }
}

static void forget(struct web_server *server, const struct lws *wsi) {
  struct connection *all = server->connections;
  for (int i = 0; i < server->connection_count; i++) {
    if (all[i].wsi != wsi) continue;
    memmove(all + i, all + i + 1, sizeof *all * --server->connection_count - sizeof *all * i);
    return;
  }
}

static void set_joined(struct web_server *server, const struct lws *wsi) {
  for (int i = 0; i < server->connection_count; i++)
    if (server->connections[i].wsi == wsi) server->connections[i].has_joined = true;
}

static int count(const struct web_server *server, const struct in6_addr *address, bool joined_too) {
  int count = 0;
  for (int i = 0; i < server->connection_count; i++) {
    const struct connection *one = server->connections + i;
    count += (joined_too || !one->has_joined) && !memcmp(&one->address, address, sizeof *address);
  }
  return count;
}

// Closes the oldest connection that has not joined, of one address or, with NULL, of the address that has most of them:
// one that holds many does not shut out others.
static bool drop_waiting(struct web_server *server, const struct in6_addr *address) {
  struct connection *dropped = NULL;
  int most = 0;
  for (int i = 0; i < server->connection_count; i++) {
    struct connection *one = server->connections + i;
    if (one->has_joined || (address && memcmp(&one->address, address, sizeof *address))) continue;
    int waiting = count(server, &one->address, false);
    if (waiting > most) {
      most = waiting;
      dropped = one;
    }
  }
  if (!dropped) return false;
  struct lws *wsi = dropped->wsi;
  forget(server, wsi);
  lws_set_timeout(wsi, PENDING_TIMEOUT_HTTP_CONTENT, LWS_TO_KILL_SYNC);
  return true;
}

static struct in6_addr address_of(const struct sockaddr_storage *from) {
  if (from->ss_family == AF_INET6) return ((const struct sockaddr_in6 *)from)->sin6_addr;
  struct in6_addr address = {0};
  memcpy(&address, &((const struct sockaddr_in *)from)->sin_addr, sizeof(struct in_addr));
  return address;
}

static void accept_connection(struct web_server *server, struct lws *wsi) {
  const struct web_settings *settings = server->settings;
  struct sockaddr_storage from = {0};
  socklen_t size = sizeof from;
  int socket = accept4(server->listener, (struct sockaddr *)&from, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (socket < 0) return;
  struct in6_addr address = address_of(&from);
  bool is_full = count(server, &address, true) >= settings->address_limit && !drop_waiting(server, &address);
  if (is_full || (server->connection_count >= settings->connection_limit && !drop_waiting(server, NULL))) {
    close(socket);
    return;
  }
  struct lws *adopted = lws_adopt_socket_vhost(lws_get_vhost(wsi), socket);
  if (!adopted) return;
  server->connections[server->connection_count++] = (struct connection){.wsi = adopted, .address = address};
}

static int handle(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length) {
  struct web_server *server = lws_context_user(lws_get_context(wsi));
  const struct web_handlers *handlers = server->handlers;
  struct peer *peer = user;
  switch (reason) {
  case LWS_CALLBACK_RAW_RX_FILE: accept_connection(server, wsi); return 0;
  // Every connection, also one that never becomes HTTP.
  case LWS_CALLBACK_WSI_DESTROY: forget(server, wsi); return 0;
  case LWS_CALLBACK_HTTP: return answer(server, wsi, in);
  case LWS_CALLBACK_HTTP_WRITEABLE: return send_page(server, wsi);
  case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE: return confirm_upgrade(server, wsi);
  // CONNECT turns a connection into one without a protocol.
  case LWS_CALLBACK_RAW_ADOPT: return -1;
  case LWS_CALLBACK_ESTABLISHED:
    peer->number = ++server->clients;
    peer->has_joined = handlers->joined(handlers->context, peer->number);
    if (!peer->has_joined) return -1;
    set_joined(server, wsi);
    lws_callback_on_writable(wsi);
    return 0;
  case LWS_CALLBACK_RECEIVE: return receive(server, wsi, peer, in, length);
  case LWS_CALLBACK_SERVER_WRITEABLE: return send_next(server, wsi, peer);
  case LWS_CALLBACK_CLOSED:
    free(peer->message);
    peer->message = NULL;
    if (peer->has_joined) handlers->departed(handlers->context, peer->number);
    return 0;
  case LWS_CALLBACK_EVENT_WAIT_CANCELLED:
    lws_callback_on_writable_all_protocol(server->context, &server->protocols[0]);
    return 0;
  default: return 0;
  }
}

// A listening socket, or a negative errno value.
static int listen_on(const struct web_settings *settings) {
  char port[8];
  snprintf(port, sizeof port, "%u", settings->port);
  struct addrinfo wish = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE};
  struct addrinfo *found = NULL;
  if (getaddrinfo(settings->address, port, &wish, &found)) return -EADDRNOTAVAIL;
  int on = 1, error = 0;
  int listener = socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener < 0
      || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on)
      || bind(listener, found->ai_addr, found->ai_addrlen)
      || listen(listener, 16))
    error = errno;
  freeaddrinfo(found);
  if (!error) return listener;
  if (listener >= 0) close(listener);
  return -error;
}

static bool start(struct web_server *server) {
  server->protocols[0] = (struct lws_protocols){
    .name = server->settings->protocol,
    .callback = handle,
    .per_session_data_size = sizeof(struct peer),
    .rx_buffer_size = 4096,
  };
  static const lws_retry_bo_t pings = {.secs_since_valid_ping = 20, .secs_since_valid_hangup = 30};
  struct lws_context_creation_info info = {
    .port = CONTEXT_PORT_NO_LISTEN_SERVER,
    .protocols = server->protocols,
    .headers = &headers,
    .server_string = "synth",
    .max_http_header_data = 4096,
    .max_http_header_pool = server->settings->connection_limit,
    .timeout_secs = server->settings->header_time,
    .timeout_secs_ah_idle = server->settings->header_time,
    .fd_limit_per_thread = server->settings->connection_limit + 16,
    .retry_and_idle_policy = &pings,
    .options = LWS_SERVER_OPTION_VALIDATE_UTF8,
    .uid = -1,
    .gid = -1,
    .user = server,
  };
  lws_set_log_level(0, NULL);
  server->context = lws_create_context(&info);
  if (!server->context) return false;
  lws_sock_file_fd_type listener = {.filefd = server->listener};
  struct lws_vhost *host = lws_get_vhost_by_name(server->context, "default");
  struct lws *adopted =
    lws_adopt_descriptor_vhost(host, LWS_ADOPT_RAW_FILE_DESC, listener, server->settings->protocol, NULL);
  return adopted != NULL;
}

struct web_server *web_server_create(
  const struct web_settings *settings, const struct web_handlers *handlers, int *error) {
  *error = -ELIBACC;
  if (!websockets_load()) return NULL;
  struct web_server *server = calloc(1, sizeof *server);
  *error = -ENOMEM;
  if (!server) return NULL;
  server->settings = settings;
  server->handlers = handlers;
  server->room = 4096;
  server->out = malloc(LWS_PRE + server->room);
  server->connections = calloc(settings->connection_limit, sizeof *server->connections);
  int listener = listen_on(settings);
  server->listener = listener;
  if (listener < 0) *error = listener;
  if (listener >= 0 && server->out && server->connections && start(server)) return server;
  if (listener >= 0 && !server->context) close(listener);
  web_server_destroy(server);
  return NULL;
}

uint16_t web_server_port(const struct web_server *server) {
  struct sockaddr_storage address = {0};
  socklen_t size = sizeof address;
  if (getsockname(server->listener, (struct sockaddr *)&address, &size)) return 0;
  return ntohs(
    address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                  : ((struct sockaddr_in *)&address)->sin_port);
}

void web_server_turn(struct web_server *server) { lws_service(server->context, 0); }

void web_server_wake(struct web_server *server) { lws_cancel_service(server->context); }

void web_server_destroy(struct web_server *server) {
  if (server->context) lws_context_destroy(server->context);
  free(server->connections);
  free(server->out);
  free(server);
}
