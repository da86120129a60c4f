import CSynthSystemBus
import Glibc
import SynthFiles
import SynthInstruments

// The properties of MPRIS, as they are written into messages.

extension MediaState {
  /// The properties of `Player` that tell of their changes, and whether two states differ in them.
  static let changes: [(name: String, differ: @Sendable (MediaState, MediaState) -> Bool)] = [
    ("PlaybackStatus", { $0.status != $1.status }), ("LoopStatus", { $0.loop != $1.loop }),
    ("Rate", { $0.rate != $1.rate }), ("Shuffle", { $0.isShuffled != $1.isShuffled }),
    ("Metadata", { $0.track != $1.track }), ("Volume", { $0.volume != $1.volume }),
    ("CanGoNext", { $0.hasNext != $1.hasNext }), ("CanGoPrevious", { $0.hasPrevious != $1.hasPrevious }),
  ]

  static let rates = EventInput.tempoRange

  /// The object path of the present track.
  var trackPath: String { track.map { "/synth/track/\($0.number)" } ?? "/org/mpris/MediaPlayer2/TrackList/NoTrack" }

  /// Appends a property: a negative errno value if that fails.
  func append(_ property: String, identity: String, to message: MediaMessage) -> Int32 {
    switch property {
    case "CanQuit", "CanPlay", "CanPause", "CanSeek", "CanControl": message.append(true)
    case "CanRaise", "HasTrackList": message.append(false)
    case "Identity": message.append(identity)
    case "SupportedUriSchemes", "SupportedMimeTypes": message.append([])
    case "PlaybackStatus": message.append(status.rawValue)
    case "LoopStatus": message.append(loop.rawValue)
    case "Rate": message.append(rate)
    case "Shuffle": message.append(isShuffled)
    case "Volume": message.append(volume)
    case "Position": message.append(microseconds(position))
    case "MinimumRate": message.append(Self.rates.lowerBound)
    case "MaximumRate": message.append(Self.rates.upperBound)
    case "CanGoNext": message.append(hasNext)
    case "CanGoPrevious": message.append(hasPrevious)
    case "Metadata": appendMetadata(to: message)
    default: -ENOENT
    }
  }

  private func appendMetadata(to message: MediaMessage) -> Int32 {
    message.container("a", "{sv}") {
      var code = entry("mpris:trackid", "o", message) { $0.append(path: trackPath) }
      guard let track else { return code }
      func add(_ key: String, _ type: String, _ append: (MediaMessage) -> Int32) {
        if code >= 0 { code = entry(key, type, message, append) }
      }
      add("mpris:length", "x") { $0.append(microseconds(track.duration)) }
      add("xesam:title", "s") { $0.append(track.title) }
      if let artist = track.artist { add("xesam:artist", "as") { $0.append([artist]) } }
      if let album = track.album { add("xesam:album", "s") { $0.append(album) } }
      if let genre = track.genre { add("xesam:genre", "as") { $0.append([genre]) } }
      if let comment = track.comment { add("xesam:comment", "as") { $0.append([comment]) } }
      if let path = track.path { add("xesam:url", "s") { $0.append(fileAddress(path)) } }
      return code
    }
  }

  private func entry(_ key: String, _ type: String, _ message: MediaMessage, _ append: (MediaMessage) -> Int32) -> Int32
  {
    message.container("e", "sv") {
      let code = message.append(key)
      return code < 0 ? code : message.container("v", type) { append(message) }
    }
  }
}

/// A time as MPRIS has it.
func microseconds(_ seconds: Double) -> Int64 { Int64(exactly: (seconds * 1e6).rounded()) ?? 0 }

/// "file:///a%20b" (RFC 8089).
private func fileAddress(_ path: String) -> String {
  let digits = Array("0123456789ABCDEF")
  return path.pathBytes.reduce(into: "file://") { address, byte in
    let isPlain = byte < 0x80 && (Character(UnicodeScalar(byte)).isLetter || Character(UnicodeScalar(byte)).isNumber)
    if isPlain || "/-._~".utf8.contains(byte) {
      address.unicodeScalars.append(UnicodeScalar(byte))
    } else {
      address += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }
  }
}

/// A message of sd-bus that is written or read. What fails gives a negative errno value, or nil.
struct MediaMessage {
  let message: OpaquePointer

  private func append<Value>(_ type: Character, _ value: Value) -> Int32 {
    withUnsafePointer(to: value) { sd_bus_message_append_basic(message, code(of: type), $0) }
  }

  func append(_ value: Bool) -> Int32 { append("b", value ? 1 as Int32 : 0) }
  func append(_ value: Double) -> Int32 { append("d", value) }
  func append(_ value: Int64) -> Int32 { append("x", value) }
  // A text of D-Bus has no NUL.
  func append(_ value: String) -> Int32 {
    value.withCString { sd_bus_message_append_basic(message, code(of: "s"), $0) }
  }
  func append(path: String) -> Int32 { path.withCString { sd_bus_message_append_basic(message, code(of: "o"), $0) } }

  func append(_ values: [String]) -> Int32 {
    container("a", "s") { values.reduce(0) { $0 < 0 ? $0 : append($1) } }
  }

  func container(_ type: Character, _ contents: String, _ fill: () -> Int32) -> Int32 {
    var result = sd_bus_message_open_container(message, code(of: type), contents)
    if result >= 0 { result = fill() }
    return result < 0 ? result : sd_bus_message_close_container(message)
  }

  func readBool() -> Bool? { read("b", 0 as Int32).map { $0 != 0 } }
  func readDouble() -> Double? { read("d", 0) }
  func readInteger() -> Int64? { read("x", 0) }

  /// - Parameter type: "s" or "o".
  func readText(_ type: Character = "s") -> String? {
    read(type, UnsafePointer<CChar>(bitPattern: 0)).flatMap { $0 }.map { String(cString: $0) }
  }

  private func read<Value>(_ type: Character, _ none: Value) -> Value? {
    var value = none
    return withUnsafeMutablePointer(to: &value) { sd_bus_message_read_basic(message, code(of: type), $0) } > 0
      ? value : nil
  }

  private func code(of type: Character) -> CChar { CChar(type.asciiValue ?? 0) }
}
