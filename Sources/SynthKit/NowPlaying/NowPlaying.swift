import CSynthSystemBus
import Glibc
import SynthRealtime

/// Puts a transport on the session's D-Bus as MPRIS has it, so that desktops show what plays and media keys steer it.
///
///     try session.play(song)
///     let nowPlaying = NowPlaying(session, name: "player", identity: "Player")
///     let loop = ControlLoop()
///     if let nowPlaying { loop.add(nowPlaying) }
///     try loop.run { session.isPlaying }
///
/// It has no thread: `turn` does what has been asked for since the last call, and tells what has changed. Nothing waits
/// for the bus. The player is gone from the bus with the object. Source: MPRIS D-Bus Interface Specification 2.2.
public final class NowPlaying {
  /// As many messages are answered in a turn; others wait for the next one.
  private static let messagesPerTurn = 100
  /// A position that is further off than this from where it should have come to has been sought, in seconds.
  private static let jump = 0.3

  private let transport: any MediaTransport
  private let identity: String
  private let name: String
  /// Nil when the connection is lost.
  private var bus: OpaquePointer?
  private let handlers: UnsafeMutablePointer<media_handlers>
  private var told: MediaState
  private var tellTime = HostClock.now
  private var hasSought = false

  /// Connects to the bus, without waiting for its answer. Nil where the session has none, and
  /// where libsystemd (Debian's package libsystemd0) cannot be loaded. [control thread]
  ///
  /// - Parameters:
  ///   - name: the last part of the bus name, of letters, digits and underscores; where another player has it,
  ///     `.instance` and the process's number follow.
  ///   - identity: what the player is called for people.
  ///   - address: of another bus than the session's.
  public init?(_ transport: any MediaTransport, name: String, identity: String, address: String? = nil) {
    self.transport = transport
    self.identity = identity
    self.name = "org.mpris.MediaPlayer2.\(name)"
    told = transport.mediaState
    handlers = .allocate(capacity: 1)
    handlers.initialize(to: media_handlers())
    guard session_bus_open(&bus, address) >= 0 else { return nil }
    let context = Unmanaged.passUnretained(self).toOpaque()
    handlers.pointee = media_handlers(
      context: context,
      get: { NowPlaying.of($0).append($1, to: $2) },
      set: { NowPlaying.of($0).set($1, $2, $3) },
      call: { NowPlaying.of($0).call($1, $2, $3) })
    guard media_player_serve(bus, handlers) >= 0, request(self.name, orElse: true) else { return nil }
  }

  deinit {
    if let bus { sd_bus_close_unref(bus) }
    handlers.deallocate()
  }

  /// Whether the bus is there, as far as is known. [control thread]
  public var isConnected: Bool { bus != nil }

  /// Answers what was asked, and tells what has changed. To be called some ten times a second. [control thread]
  public func turn() {
    process()
    guard let bus, sd_bus_is_ready(bus) > 0 else { return }
    let state = transport.mediaState
    let now = HostClock.now
    defer { (told, tellTime, hasSought) = (state, now, false) }
    let changes = MediaState.changes.filter { $0.differ(told, state) }.map(\.name)
    if !changes.isEmpty { tell(changes, on: bus) }
    let elapsed = told.status == .playing ? Double(now - tellTime) / 1e9 * told.rate : 0
    let expected = state.track?.number == told.track?.number ? told.position + elapsed : 0
    if hasSought || abs(state.position - expected) > Self.jump { tellPosition(state.position, on: bus) }
    process()
  }

  private func process() {
    var count = 0
    while let bus, count < Self.messagesPerTurn {
      let code = sd_bus_process(bus, nil)
      if code == 0 { return }
      if code < 0 { self.bus = sd_bus_close_unref(bus) }
      count += 1
    }
  }

  // MARK: - What is told

  private func tell(_ properties: [String], on bus: OpaquePointer) {
    var names = properties.map { strdup($0) } + [nil]
    sd_bus_emit_properties_changed_strv(bus, Self.path, Self.interface, &names)
    for name in names { free(name) }
  }

  private func tellPosition(_ seconds: Double, on bus: OpaquePointer) {
    var message: OpaquePointer?
    guard sd_bus_message_new_signal(bus, &message, Self.path, Self.interface, "Seeked") >= 0, let message else {
      return
    }
    if MediaMessage(message: message).append(microseconds(seconds)) >= 0 { sd_bus_send(bus, message, nil) }
    sd_bus_message_unref(message)
  }

  private static let path = "/org/mpris/MediaPlayer2"
  private static let interface = "org.mpris.MediaPlayer2.Player"

  // MARK: - The name

  private func request(_ name: String, orElse hasOther: Bool) -> Bool {
    let context = Unmanaged.passUnretained(self).toOpaque()
    // The name may be another's; the second one holds the process's number.
    let answer: sd_bus_message_handler_t = { reply, context, _ in
      if let reply, !NowPlaying.isGranted(reply) { NowPlaying.of(context).requestOther() }
      return 0
    }
    return sd_bus_request_name_async(bus, nil, name, 0, hasOther ? answer : { _, _, _ in 0 }, context) >= 0
  }

  private func requestOther() { _ = request("\(name).instance\(getpid())", orElse: false) }

  private static func isGranted(_ reply: OpaquePointer) -> Bool {
    var result: UInt32 = 0
    guard sd_bus_message_is_method_error(reply, nil) == 0 else { return false }
    // 1 is the owner, 4 the owner already (D-Bus Specification, RequestName).
    return sd_bus_message_read_basic(reply, CChar(UInt8(ascii: "u")), &result) > 0 && (result == 1 || result == 4)
  }

  // MARK: - What is asked

  private static func of(_ context: UnsafeMutableRawPointer?) -> NowPlaying {
    // The object outlives the connection, which alone calls.
    Unmanaged<NowPlaying>.fromOpaque(context!).takeUnretainedValue()
  }

  private func append(_ property: UnsafePointer<CChar>?, to message: OpaquePointer?) -> Int32 {
    guard let property, let message else { return -EINVAL }
    return transport.mediaState.append(
      String(cString: property), identity: identity, to: MediaMessage(message: message))
  }

  private func set(
    _ property: UnsafePointer<CChar>?, _ message: OpaquePointer?, _ error: UnsafeMutablePointer<sd_bus_error>?
  ) -> Int32 {
    guard let property, let message else { return -EINVAL }
    let value = MediaMessage(message: message)
    let command: MediaCommand? =
      switch String(cString: property) {
      case "LoopStatus": value.readText().flatMap(MediaState.Loop.init(rawValue:)).map { .loop($0) }
      case "Shuffle": value.readBool().map { .shuffle($0) }
      case "Volume": value.readDouble().flatMap { $0.isFinite ? .volume(max($0, 0)) : nil }
      case "Rate":
        value.readDouble().flatMap { rate in
          guard rate.isFinite else { return nil }
          let rates = MediaState.rates
          return rate == 0 ? .pause : .rate(min(max(rate, rates.lowerBound), rates.upperBound))
        }
      default: nil
      }
    guard let command else { return -EINVAL }
    return perform(command, error)
  }

  private func call(
    _ method: UnsafePointer<CChar>?, _ message: OpaquePointer?, _ error: UnsafeMutablePointer<sd_bus_error>?
  ) -> Int32 {
    guard let method, let message else { return -EINVAL }
    let (arguments, state) = (MediaMessage(message: message), transport.mediaState)
    switch String(cString: method) {
    case "Play": return perform(.play, error)
    case "Pause": return perform(.pause, error)
    case "PlayPause": return perform(state.status == .playing ? .pause : .play, error)
    case "Stop": return perform(.stop, error)
    case "Quit": return perform(.quit, error)
    case "Next": return state.hasNext ? perform(.next, error) : 0
    case "Previous": return state.hasPrevious ? perform(.previous, error) : 0
    case "Seek":
      guard let offset = arguments.readInteger() else { return -EINVAL }
      guard let track = state.track else { return 0 }
      let place = max(state.position + Double(offset) / 1e6, 0)
      if place > track.duration, state.hasNext { return perform(.next, error) }
      return seek(to: min(place, track.duration), error)
    case "SetPosition":
      guard let path = arguments.readText("o"), let place = arguments.readInteger() else { return -EINVAL }
      guard let track = state.track, path == state.trackPath, place >= 0, place <= microseconds(track.duration) else {
        return 0
      }
      return seek(to: min(Double(place) / 1e6, track.duration), error)
    case "Raise": return 0
    default: return -EOPNOTSUPP
    }
  }

  private func seek(to place: Double, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    hasSought = true
    return perform(.seek(to: place), error)
  }

  private func perform(_ command: MediaCommand, _ error: UnsafeMutablePointer<sd_bus_error>?) -> Int32 {
    do {
      try transport.perform(command)
      return 0
    } catch let refusal {
      return sd_bus_error_set(error, "org.freedesktop.DBus.Error.Failed", "\(refusal)")
    }
  }
}
