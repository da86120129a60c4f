import CSynthALSA
import Glibc
import SynthRealtime

/// What a client of the sequencer shows to others.
enum SequencerRole {
  /// A port of a name that others send to.
  case input(String)
  /// A port of a name that others receive from.
  case output(String)
  /// Nothing; it is told of what comes and goes.
  case observer
  /// Nothing; it asks and connects.
  case visitor
}

/// An open sequencer client with its ports and its queue, closed at the end of its life.
struct SequencerHandle: ~Copyable, @unchecked Sendable {
  // Unchecked: the owner of the handle uses it on one thread at a time.

  /// The corresponding C type is `snd_seq_t`.
  let sequencer: OpaquePointer
  /// The port of its role; of a visitor, port 0, which it has not.
  let port: SequencerAddress
  let queue: Int32

  private static let announcements = SequencerAddress(
    client: UInt8(SND_SEQ_CLIENT_SYSTEM), port: UInt8(SND_SEQ_PORT_SYSTEM_ANNOUNCE))
  /// Events the kernel keeps for us while the thread does not run, and until their time has come: two seconds of a MIDI
  /// cable's densest stream.
  private static let poolSize = 2000

  /// Opens the sequencer and makes the ports and the queue. The corresponding C function is `snd_seq_open`.
  init(clientName: String, role: SequencerRole) throws(SequencerError) {
    ALSALibrary.prepare()
    var opened: OpaquePointer?
    // The queue is started by an event that is sent, so reading alone would not do.
    let code = snd_seq_open(&opened, "default", SND_SEQ_OPEN_DUPLEX, Int32(SND_SEQ_NONBLOCK))
    guard code >= 0, let opened else { throw SequencerError("opening the MIDI sequencer", code: code) }
    let made: (queue: Int32, port: SequencerAddress)
    do throws(SequencerError) {
      made = try Self.setUp(opened, clientName: clientName, role: role)
    } catch {
      snd_seq_close(opened)
      throw error
    }
    (queue, port) = made
    sequencer = opened
  }

  deinit { snd_seq_close(sequencer) }

  private static func setUp(
    _ sequencer: OpaquePointer, clientName: String, role: SequencerRole
  ) throws(SequencerError) -> (queue: Int32, port: SequencerAddress) {
    let operation = "setting up the MIDI sequencer"
    try check(operation, snd_seq_set_client_name(sequencer, clientName))
    try check(operation, snd_seq_set_client_pool_input(sequencer, poolSize))
    // The kernel hands out a System Exclusive message only whole: with a buffer too small for the largest, which fills
    // the pool, it would wait forever.
    let size = (poolSize + 1) * MemoryLayout<snd_seq_event_t>.stride
    try check(operation, snd_seq_set_input_buffer_size(sequencer, size))
    let queue = try check(operation, snd_seq_alloc_queue(sequencer))
    try check(operation, calsa_start_queue(sequencer, queue))
    let client = UInt8(truncatingIfNeeded: snd_seq_client_id(sequencer))
    func address(_ port: Int32) -> SequencerAddress {
      SequencerAddress(client: client, port: UInt8(truncatingIfNeeded: port))
    }
    switch role {
    case .input(let name):
      let sends = SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_SUBS_WRITE
      let port = try makePort(on: sequencer, named: name, sends, stampedBy: queue)
      _ = try listen(on: sequencer)
      return (queue, address(port))
    case .output(let name):
      let reads = SND_SEQ_PORT_CAP_READ | SND_SEQ_PORT_CAP_SUBS_READ
      try check(operation, snd_seq_set_client_pool_output(sequencer, poolSize))
      return (queue, address(try makePort(on: sequencer, named: name, reads, stampedBy: queue)))
    case .observer: return (queue, address(try listen(on: sequencer)))
    case .visitor: return (queue, address(0))
    }
  }

  /// Makes a hidden port that the kernel's announcements come to.
  private static func listen(on sequencer: OpaquePointer) throws(SequencerError) -> Int32 {
    let operation = "setting up the MIDI sequencer"
    let hidden = UInt32(SND_SEQ_PORT_CAP_WRITE | SND_SEQ_PORT_CAP_NO_EXPORT)
    let type = UInt32(SND_SEQ_PORT_TYPE_APPLICATION)
    let announced = try check(operation, snd_seq_create_simple_port(sequencer, "announcements", hidden, type))
    let (client, announcer) = (Int32(announcements.client), Int32(announcements.port))
    try check(operation, snd_seq_connect_from(sequencer, announced, client, announcer))
    return announced
  }

  /// A port whose events the kernel stamps with the queue's time, also those that have a stamp already.
  private static func makePort(
    on sequencer: OpaquePointer, named name: String, _ capabilities: Int32, stampedBy queue: Int32
  ) throws(SequencerError) -> Int32 {
    var allocated: OpaquePointer?
    guard snd_seq_port_info_malloc(&allocated) >= 0, let info = allocated else {
      throw SequencerError("making a MIDI port", code: -ENOMEM)
    }
    defer { snd_seq_port_info_free(info) }
    snd_seq_port_info_set_name(info, name)
    snd_seq_port_info_set_capability(info, UInt32(capabilities))
    let type = SND_SEQ_PORT_TYPE_MIDI_GENERIC | SND_SEQ_PORT_TYPE_SYNTHESIZER | SND_SEQ_PORT_TYPE_APPLICATION
    snd_seq_port_info_set_type(info, UInt32(type))
    snd_seq_port_info_set_midi_channels(info, 16)
    snd_seq_port_info_set_timestamping(info, 1)
    snd_seq_port_info_set_timestamp_real(info, 1)
    snd_seq_port_info_set_timestamp_queue(info, queue)
    try check("making a MIDI port", snd_seq_create_port(sequencer, info))
    return snd_seq_port_info_get_port(info)
  }

  @discardableResult
  static func check(_ operation: String, _ code: Int32) throws(SequencerError) -> Int32 {
    if code < 0 { throw SequencerError(operation, code: code) }
    return code
  }

  /// Connects a port to the input: 0, or a negative errno value; -EBUSY if it is connected already.
  func connect(_ source: SequencerAddress) -> Int32 {
    snd_seq_connect_from(sequencer, Int32(port.port), Int32(source.client), Int32(source.port))
  }

  /// A moment on both clocks, in nanoseconds; nil if the queue does not answer.
  func moment() -> (queue: Int64, host: Int64)? {
    let queue = calsa_queue_time(sequencer, queue)
    return queue < 0 ? nil : (queue, Int64(truncatingIfNeeded: HostClock.now))
  }
}

extension SequencerHandle {
  /// Every port of every client, our own included. The C functions are `snd_seq_query_next_client` and `…_port`.
  func ports() -> [SequencerPort] {
    var found: [SequencerPort] = []
    withInfos { client, port in
      snd_seq_client_info_set_client(client, -1)
      while snd_seq_query_next_client(sequencer, client) >= 0 {
        snd_seq_port_info_set_client(port, snd_seq_client_info_get_client(client))
        snd_seq_port_info_set_port(port, -1)
        while snd_seq_query_next_port(sequencer, port) >= 0 { found.append(SequencerPort(client, port)) }
      }
    }
    return found
  }

  /// The port at an address; nil where no port is any more.
  func port(at address: SequencerAddress) -> SequencerPort? {
    var found: SequencerPort?
    withInfos { client, port in
      guard snd_seq_get_any_client_info(sequencer, Int32(address.client), client) >= 0,
        snd_seq_get_any_port_info(sequencer, Int32(address.client), Int32(address.port), port) >= 0
      else { return }
      found = SequencerPort(client, port)
    }
    return found
  }

  private func withInfos(_ body: (_ client: OpaquePointer, _ port: OpaquePointer) -> Void) {
    var client: OpaquePointer?
    var port: OpaquePointer?
    snd_seq_client_info_malloc(&client)
    snd_seq_port_info_malloc(&port)
    defer {
      snd_seq_client_info_free(client)
      snd_seq_port_info_free(port)
    }
    if let client, let port { body(client, port) }
  }
}

extension SequencerPort {
  fileprivate init(_ client: OpaquePointer, _ port: OpaquePointer) {
    self.init(
      address: SequencerAddress(
        client: UInt8(truncatingIfNeeded: snd_seq_port_info_get_client(port)),
        port: UInt8(truncatingIfNeeded: snd_seq_port_info_get_port(port))),
      clientName: String(cString: snd_seq_client_info_get_name(client)),
      portName: String(cString: snd_seq_port_info_get_name(port)),
      capabilities: snd_seq_port_info_get_capability(port))
  }
}
