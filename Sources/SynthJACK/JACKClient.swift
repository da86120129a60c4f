import CSynthJACK
import CSynthRealtime
import Synchronization
import SynthRealtime

/// A client of a JACK server with its ports, from its opening to its end. [control thread]
final class JACKClient: @unchecked Sendable {
  // Unchecked: libjack's functions may be called by any thread, and the handle is constant.

  static let midiName = "midi"

  let handle: OpaquePointer
  let name: String
  let sampleRate: Int
  private let audioPorts: [OpaquePointer]
  private let midiPort: OpaquePointer?
  private let isClosed = Atomic(false)

  /// Opens the client and makes its ports; nothing is asked for yet.
  init(_ request: JACKRequest) throws(JACKError) {
    if let problem = cjack_load_library() {
      throw JACKError("opening", request.clientName, .libraryMissing(String(cString: problem)))
    }
    var status: UInt32 = 0
    guard let handle = cjack_open(request.clientName, request.serverName, &status) else {
      throw JACKError("opening", request.clientName, Self.cause(status))
    }
    do throws(JACKError) {
      audioPorts = try request.portNames.map { name throws(JACKError) in
        try Self.register(handle, name, CJACK_AUDIO, UInt(CJACK_OUTPUT), request)
      }
      midiPort =
        request.hasMIDI ? try Self.register(handle, Self.midiName, CJACK_MIDI, UInt(CJACK_INPUT), request) : nil
    } catch {
      jack_client_close(handle)
      throw error
    }
    self.handle = handle
    name = String(cString: jack_get_client_name(handle))
    sampleRate = Int(jack_get_sample_rate(handle))
  }

  deinit { close() }

  /// Ends the cycles; the client is of no use afterwards.
  func close() {
    if !isClosed.exchange(true, ordering: .relaxed) { jack_client_close(handle) }
  }

  private static func cause(_ status: UInt32) -> JACKError.Cause {
    if status & UInt32(CJACK_SERVER_FAILED) != 0 { return .serverAbsent }
    if status & UInt32(CJACK_VERSION_ERROR) != 0 { return .refused("the server has another version than libjack") }
    return .refused("the server refuses it (status 0x\(String(status, radix: 16))) — look at the server's messages")
  }

  private static func register(
    _ handle: OpaquePointer, _ name: String, _ type: String, _ flags: UInt, _ request: JACKRequest
  ) throws(JACKError) -> OpaquePointer {
    guard let port = jack_port_register(handle, name, type, flags, 0) else {
      throw JACKError("opening", request.clientName, .refused("the server has no room for the port \(name)"))
    }
    return port
  }

  /// Begins the cycles, and connects the ports.
  func begin(_ core: JACKCore) throws(JACKError) {
    core.cycle.pointer.pointee.attach(
      handle, audioPorts, midi: midiPort, sampleRate: sampleRate, clockOffset: Self.clockOffset)
    core.exchange.pointer.pointee.period.store(Int(jack_get_buffer_size(handle)), ordering: .relaxed)
    JACKNotices.join(handle, core)
    guard jack_activate(handle) == 0 else {
      throw JACKError("opening", name, .refused("the server does not activate it — look at the server's messages"))
    }
    if core.request.connects { connect() }
    measureLatency(core.exchange.pointer)
  }

  /// What is to be added to JACK's clock to have the host's: nothing, unless the server uses another one.
  private static var clockOffset: Int64 {
    let offset = Int64(HostClock.now) - Int64(jack_get_time()) * 1000
    return abs(offset) < 1_000_000 ? 0 : offset
  }

  /// Channels to the physical playback ports, in order; a single one to the first two.
  private func connect() {
    let names = physicalPorts
    let sources = audioPorts.count == 1 ? [audioPorts[0], audioPorts[0]] : audioPorts
    for (port, name) in zip(sources, names) { jack_connect(handle, jack_port_name(port), name) }
  }

  private var physicalPorts: [String] {
    guard let list = jack_get_ports(handle, nil, CJACK_AUDIO, UInt(CJACK_PHYSICAL | CJACK_INPUT)) else { return [] }
    defer { jack_free(list) }
    var names: [String] = []
    while let name = list[names.count] { names.append(String(cString: name)) }
    return names
  }

  /// Notes how late the graph plays what is rendered.
  func measureLatency(_ exchange: UnsafePointer<JACKExchange>) {
    var longest: UInt32 = 0
    for port in audioPorts {
      var range = jack_latency_range()
      jack_port_get_latency_range(port, Int32(CJACK_PLAYBACK_LATENCY), &range)
      longest = max(longest, range.max)
    }
    exchange.pointee.playbackLatency.store(Int(longest), ordering: .relaxed)
  }

  func recomputeLatencies() { jack_recompute_total_latencies(handle) }

  /// Tells the graph how late this client answers: what comes to its MIDI port leaves its audio ports later.
  func tellLatency(_ mode: Int32, _ exchange: UnsafePointer<JACKExchange>) {
    let own = UInt32(clamping: exchange.pointee.ownLatency.load(ordering: .relaxed))
    if mode == CJACK_PLAYBACK_LATENCY {
      measureLatency(exchange)
      let longest = UInt32(clamping: exchange.pointee.playbackLatency.load(ordering: .relaxed))
      if let midiPort { Self.set(midiPort, mode, longest &+ own) }
    } else {
      var range = jack_latency_range()
      if let midiPort { jack_port_get_latency_range(midiPort, mode, &range) }
      for port in audioPorts { Self.set(port, mode, range.max &+ own) }
    }
  }

  private static func set(_ port: OpaquePointer, _ mode: Int32, _ frames: UInt32) {
    var range = jack_latency_range(min: frames, max: frames)
    jack_port_set_latency_range(port, mode, &range)
  }
}
