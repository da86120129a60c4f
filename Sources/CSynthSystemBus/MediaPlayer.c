// Source: MPRIS D-Bus Interface Specification 2.2.
#include "MediaPlayer.h"

static int get(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *reply,
               void *data, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface, (void)error;
  const struct media_handlers *handlers = data;
  return handlers->get(handlers->context, property, reply);
}

static int set(sd_bus *bus, const char *path, const char *interface, const char *property, sd_bus_message *value,
               void *data, sd_bus_error *error) {
  (void)bus, (void)path, (void)interface;
  const struct media_handlers *handlers = data;
  return handlers->set(handlers->context, property, value, error);
}

static int call(sd_bus_message *message, void *data, sd_bus_error *error) {
  const struct media_handlers *handlers = data;
  const int code = handlers->call(handlers->context, sd_bus_message_get_member(message), message, error);
  return code < 0 ? code : sd_bus_reply_method_return(message, NULL);
}

#define METHOD(name, types) SD_BUS_METHOD(name, types, "", call, SD_BUS_VTABLE_UNPRIVILEGED)
#define CONSTANT(name, type) SD_BUS_PROPERTY(name, type, get, 0, SD_BUS_VTABLE_PROPERTY_CONST)
#define PROPERTY(name, type) SD_BUS_PROPERTY(name, type, get, 0, SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE)
#define SETTING(name, type)                           \
  SD_BUS_WRITABLE_PROPERTY(name, type, get, set, 0,   \
                           SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE | SD_BUS_VTABLE_UNPRIVILEGED)

static const sd_bus_vtable root[] = {
    SD_BUS_VTABLE_START(0),
    METHOD("Raise", ""),
    METHOD("Quit", ""),
    CONSTANT("CanQuit", "b"),
    CONSTANT("CanRaise", "b"),
    CONSTANT("HasTrackList", "b"),
    CONSTANT("Identity", "s"),
    CONSTANT("SupportedUriSchemes", "as"),
    CONSTANT("SupportedMimeTypes", "as"),
    SD_BUS_VTABLE_END,
};

static const sd_bus_vtable player[] = {
    SD_BUS_VTABLE_START(0),
    METHOD("Next", ""),
    METHOD("Previous", ""),
    METHOD("Pause", ""),
    METHOD("PlayPause", ""),
    METHOD("Stop", ""),
    METHOD("Play", ""),
    METHOD("Seek", "x"),
    METHOD("SetPosition", "ox"),
    METHOD("OpenUri", "s"),
    SD_BUS_SIGNAL("Seeked", "x", 0),
    PROPERTY("PlaybackStatus", "s"),
    SETTING("LoopStatus", "s"),
    SETTING("Rate", "d"),
    SETTING("Shuffle", "b"),
    PROPERTY("Metadata", "a{sv}"),
    SETTING("Volume", "d"),
    SD_BUS_PROPERTY("Position", "x", get, 0, 0),
    CONSTANT("MinimumRate", "d"),
    CONSTANT("MaximumRate", "d"),
    PROPERTY("CanGoNext", "b"),
    PROPERTY("CanGoPrevious", "b"),
    CONSTANT("CanPlay", "b"),
    CONSTANT("CanPause", "b"),
    CONSTANT("CanSeek", "b"),
    CONSTANT("CanControl", "b"),
    SD_BUS_VTABLE_END,
};

int media_player_serve(sd_bus *bus, struct media_handlers *handlers) {
  static const char path[] = "/org/mpris/MediaPlayer2";
  const int code = sd_bus_add_object_vtable(bus, NULL, path, "org.mpris.MediaPlayer2", root, handlers);
  if (code < 0) return code;
  return sd_bus_add_object_vtable(bus, NULL, path, "org.mpris.MediaPlayer2.Player", player, handlers);
}
