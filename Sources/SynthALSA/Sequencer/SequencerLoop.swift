import CSynthALSA
import Glibc
import SynthMIDI
import SynthRealtime

/// The sequencer thread's side: waits for events, delivers them, and joins ports that arrive.
final class SequencerLoop {
  /// Where events are delivered; set while no thread runs.
  var receive: (MIDISourceEvent) -> Void = { _ in }

  /// Readable once the thread is to end. (eventfd)
  let stopSignal: Int32

  private let handle: SequencerHandle
  private var selection: SourceSelection
  private var joined: [SequencerAddress: SequencerPort] = [:]
  /// The ports that are joined, and those that send without being connected.
  private var senders: [SequencerAddress: Sender] = [:]
  private var sensing = ActiveSensing()

  init(_ handle: consuming SequencerHandle, _ selection: SourceSelection) throws(SequencerError) {
    self.handle = handle
    self.selection = selection
    stopSignal = eventfd(0, Int32(EFD_CLOEXEC))
    guard stopSignal >= 0 else { throw SequencerError("opening the MIDI sequencer", code: -errno) }
  }

  deinit { close(stopSignal) }

  var input: SequencerAddress { handle.port }

  /// Joins what is there and wanted: the ports joined, in the order of their addresses.
  func joinPresent() -> [SequencerPort] { handle.ports().filter { $0.address.client != input.client && join($0) } }

  /// Serves until `stopSignal` becomes readable, or the sequencer fails: what follows is then lost.
  func run() {
    let count = snd_seq_poll_descriptors_count(handle.sequencer, Int16(POLLIN))
    var descriptors = Array(repeating: pollfd(), count: Int(count) + 1)
    snd_seq_poll_descriptors(handle.sequencer, &descriptors, UInt32(count), Int16(POLLIN))
    descriptors[Int(count)] = pollfd(fd: stopSignal, events: Int16(POLLIN), revents: 0)
    while true {
      let ready = poll(&descriptors, nfds_t(descriptors.count), timeout)
      if ready < 0 && errno != EINTR { break }
      if descriptors[Int(count)].revents != 0 { return }
      guard readEvents() else { break }
      for source in sensing.takeSilent(at: HostClock.now) { fallSilent(source) }
    }
    loseEvents()
  }

  /// Milliseconds to the end of the first source's patience; -1, for ever, if none senses.
  private var timeout: Int32 {
    guard let deadline = sensing.deadline else { return -1 }
    let now = HostClock.now
    return deadline <= now ? 0 : Int32(clamping: (deadline - now) / 1_000_000 + 1)
  }

  /// Reads the events that wait; false if the sequencer has failed.
  private func readEvents() -> Bool {
    let moment = handle.moment()
    while true {
      var event: UnsafeMutablePointer<snd_seq_event_t>?
      let code = snd_seq_event_input(handle.sequencer, &event)
      if code == -ENOSPC {
        loseEvents()
        lookAround()
      } else if code >= 0, let event {
        take(event, moment)
      } else {
        return code == -EAGAIN
      }
    }
  }

  /// After announcements may have been lost: lets go of ports that have gone, and joins those that have come.
  private func lookAround() {
    for (address, port) in joined where handle.port(at: address) != port { remove(address) }
    for port in joinPresent() { receive(.joined(MIDIPort(port))) }
  }

  private func loseEvents() {
    for source in senders.keys { senders[source]?.reader = MIDIByteReader() }
    receive(.eventsLost)
  }

  private func take(_ event: UnsafePointer<snd_seq_event_t>, _ moment: (queue: Int64, host: Int64)?) {
    let source = SequencerAddress(event.pointee.source)
    guard source.client != UInt8(SND_SEQ_CLIENT_SYSTEM) else { return takeAnnouncement(event.pointee) }
    let now = HostClock.now
    let isSensing = event.pointee.type == SND_SEQ_EVENT_SENSING.rawValue
    sensing.heard(source, isSensing: isSensing, at: now)
    let time = hostTime(stamp: calsa_event_time(event), moment, now: now)
    senders[source, default: stranger(at: source)].deliver(event, hostTime: time, to: receive)
  }

  private func stranger(at address: SequencerAddress) -> Sender {
    Sender(port: handle.port(at: address).map { MIDIPort($0) } ?? MIDIPort(address))
  }

  /// When the kernel had an event that the queue has stamped; at most a second ago, and not to come.
  ///
  /// Only the event's age, some microseconds, is taken from the queue, so its clock cannot drift away from the host's.
  private func hostTime(stamp: Int64, _ moment: (queue: Int64, host: Int64)?, now: UInt64) -> UInt64 {
    guard let moment, stamp >= 0 else { return now }
    let time = UInt64(max(0, moment.host &- (moment.queue &- stamp)))
    return min(max(time, now &- 1_000_000_000), now)
  }

  /// What the kernel announces: ports that come and go, and connections of our own.
  private func takeAnnouncement(_ event: snd_seq_event_t) {
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_PORT_START:
      let address = SequencerAddress(event.data.addr)
      guard address.client != input.client, let port = handle.port(at: address), join(port) else { return }
      receive(.joined(MIDIPort(port)))
    case SND_SEQ_EVENT_PORT_SUBSCRIBED where SequencerAddress(event.data.connect.dest) == input:
      let source = SequencerAddress(event.data.connect.sender)
      guard joined[source] == nil, let port = handle.port(at: source) else { return }
      add(port)
      receive(.joined(MIDIPort(port)))
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED where SequencerAddress(event.data.connect.dest) == input:
      remove(SequencerAddress(event.data.connect.sender))
    case SND_SEQ_EVENT_PORT_EXIT:
      let address = SequencerAddress(event.data.addr)
      removeStrangers { $0 == address }
    case SND_SEQ_EVENT_CLIENT_EXIT:
      let client = event.data.addr.client
      removeStrangers { $0.client == client }
    default: break
    }
  }

  /// Connects a port that is wanted and not yet connected; whether it is connected now.
  private func join(_ port: SequencerPort) -> Bool {
    guard joined[port.address] == nil, selection.includes(port), handle.connect(port.address) >= 0 else { return false }
    add(port)
    return true
  }

  private func add(_ port: SequencerPort) {
    joined[port.address] = port
    senders[port.address] = Sender(port: MIDIPort(port))
    selection.remember(port)
  }

  private func remove(_ source: SequencerAddress) {
    guard let port = joined.removeValue(forKey: source) else { return }
    // A port that was merely disconnected is still there: someone wishes it to stay disconnected.
    if handle.port(at: source) == port { selection.forget(port) }
    sensing.forget(source)
    senders[source] = nil
    receive(.departed(MIDIPort(port)))
  }

  private func removeStrangers(where isGone: (SequencerAddress) -> Bool) {
    for source in senders.keys where joined[source] == nil && isGone(source) {
      sensing.forget(source)
      fallSilent(source)
      senders[source] = nil
    }
  }

  private func fallSilent(_ source: SequencerAddress) {
    guard let port = senders[source]?.port else { return }
    senders[source] = Sender(port: port)
    receive(.fellSilent(port))
  }
}

/// A port as its events are read.
private struct Sender {
  let port: MIDIPort
  /// Collects the pieces of System Exclusive messages.
  var reader = MIDIByteReader()

  /// Delivers what an event says or completes.
  mutating func deliver(
    _ event: UnsafePointer<snd_seq_event_t>, hostTime: UInt64, to receive: (MIDISourceEvent) -> Void
  ) {
    switch event.pointee.type {
    case snd_seq_event_type_t(SND_SEQ_EVENT_SYSEX.rawValue):
      var count: UInt32 = 0
      let bytes = UnsafeBufferPointer(start: calsa_event_bytes(event, &count), count: Int(count))
      reader.read(bytes) { receive(.received($0, from: port, hostTime: hostTime)) }
    case snd_seq_event_type_t(SND_SEQ_EVENT_RESET.rawValue):
      reader = MIDIByteReader()
      receive(.received(.reset, from: port, hostTime: hostTime))
    default:
      // Another message breaks off a System Exclusive message.
      if !EventMapping.isRealTime(event.pointee) { reader = MIDIByteReader() }
      if let clock = EventMapping.clock(of: event.pointee) {
        receive(.received(.clock(clock), from: port, hostTime: hostTime))
      }
      EventMapping.forEachMessage(of: event.pointee) {
        receive(.received(.message($0), from: port, hostTime: hostTime))
      }
    }
  }
}

/// Watches the sources that send Active Sensing messages, at least every 300 ms, and finds those that fell silent.
/// Source: MIDI 1.0, "Active Sensing".
package struct ActiveSensing {
  /// The standard has the sender wait 300 ms at most; a tenth more covers its clock and the way here. In nanoseconds.
  package static let patience: UInt64 = 330_000_000

  private var lastHeard: [SequencerAddress: UInt64] = [:]

  package init() {}

  /// A source has sent something; the first Active Sensing message is its promise.
  package mutating func heard(_ source: SequencerAddress, isSensing: Bool, at time: UInt64) {
    if isSensing || lastHeard[source] != nil { lastHeard[source] = time }
  }

  /// A source has left by itself.
  package mutating func forget(_ source: SequencerAddress) { lastHeard[source] = nil }

  /// When the next source will have fallen silent, if it does not send before.
  package var deadline: UInt64? { lastHeard.values.min().map { $0 + Self.patience } }

  /// The sources that have fallen silent by now; they are not waited for again until their next Active Sensing message.
  package mutating func takeSilent(at time: UInt64) -> [SequencerAddress] {
    let silent = lastHeard.filter { $0.value + Self.patience <= time }.keys
    for source in silent { lastHeard[source] = nil }
    return Array(silent)
  }
}
