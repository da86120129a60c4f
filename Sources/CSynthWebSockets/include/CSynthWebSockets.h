// libwebsockets as Swift sees it: a server on one address that answers GET / with a page and carries text messages over
// WebSockets. Its headers are left to the C file, because they bring those of OpenSSL and libuv with them.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What a browser says of itself; empty where it says nothing, or more than there is room for.
struct web_request {
  const char *path;
  const char *host;
  const char *origin;
  // The offered subprotocols, as one list with commas.
  const char *protocols;
  bool is_web_socket;
};

// What answers. Called on the thread that is in web_server_turn; texts are valid during the call.
struct web_handlers {
  void *context;
  // 200, or the HTTP status of a refusal, of which `reason` gives a line in plain ASCII.
  int (*check)(void *context, const struct web_request *request, const char **reason);
  // A client has joined; clients have numbers that are not used again. False sends it away.
  bool (*joined)(void *context, uint64_t client);
  void (*departed)(void *context, uint64_t client);
  // A whole text message.
  void (*received)(void *context, uint64_t client, const char *text, size_t count);
  // Whether more may be read of a client; asked after each message in either direction.
  bool (*is_ready)(void *context, uint64_t client);
  // Copies the next message for a client if there is room for it: its length; -1 if there is none, -2 to close the
  // connection. A message longer than `room` is asked for again with that much room.
  int64_t (*next)(void *context, uint64_t client, char *text, size_t room);
};

struct web_settings {
  // An IPv4 or IPv6 address in digits.
  const char *address;
  // 0 is any free one.
  uint16_t port;
  // The subprotocol that clients have to offer.
  const char *protocol;
  const void *page;
  size_t page_size;
  // The value of the header Content-Security-Policy.
  const char *policy;
  // Of a message that comes in, in bytes.
  size_t message_limit;
  // How many connections there may be, and how many of one address. For one more, the oldest of those that have not
  // joined is closed; where all have, the new one.
  int connection_limit;
  int address_limit;
  // Seconds in which headers have to be complete.
  int header_time;
};

struct web_server;

// Listens on the address: the server, or NULL and a negative errno value in `error`, which is -ELIBACC without
// libwebsockets. What `handlers` and `settings` point to must outlive it.
struct web_server *web_server_create(
  const struct web_settings *settings, const struct web_handlers *handlers, int *error);

// The port that it listens on.
uint16_t web_server_port(const struct web_server *server);

// Waits until there is something to do, and does it.
void web_server_turn(struct web_server *server);

// From any thread: lets `next` be called for all clients.
void web_server_wake(struct web_server *server);

// Closes all connections; `departed` is called for each client.
void web_server_destroy(struct web_server *server);
