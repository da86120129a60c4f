import CALSA
import Glibc

/// The sequencer thread's side: waits for events, tells of them, and joins what arrives.
final class SequencerLoop {
  /// Whom to tell; set while no thread runs.
  var handler: (SequencerEvent) -> Void = { _ in }

  /// Readable once the thread is to end. (eventfd)
  let stopSignal: Int32

  private let handle: SequencerHandle
  private let decoder: EventDecoder
  private var selection: SourceSelection
  private var joined: [SequencerAddress: SequencerPort] = [:]
  /// Those that send to us without being connected.
  private var strangers: Set<SequencerAddress> = []
  private var sensing = ActiveSensing()

  init(_ handle: consuming SequencerHandle, _ selection: SourceSelection) throws(SequencerError) {
    self.handle = handle
    self.selection = selection
    decoder = try EventDecoder()
    stopSignal = eventfd(0, Int32(EFD_CLOEXEC))
    guard stopSignal >= 0 else { throw SequencerError("opening the MIDI sequencer", code: -errno) }
  }

  deinit { close(stopSignal) }

  var input: SequencerAddress { handle.input }

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
      for source in sensing.takeSilent(at: HostClock.now) { handler(.fellSilent(source)) }
    }
    handler(.eventsLost)
  }

  /// Milliseconds to the end of the first source's patience; -1, for ever, if none senses.
  private var timeout: Int32 {
    guard let deadline = sensing.deadline else { return -1 }
    let now = HostClock.now
    return deadline <= now ? 0 : Int32(clamping: (deadline - now) / 1_000_000 + 1)
  }

  /// Takes what is there; false if the sequencer has failed.
  private func readEvents() -> Bool {
    let moment = handle.moment()
    while true {
      var event: UnsafeMutablePointer<snd_seq_event_t>?
      let code = snd_seq_event_input(handle.sequencer, &event)
      if code == -ENOSPC {
        handler(.eventsLost)
        lookAround()
      } else if code >= 0, let event {
        receive(event, moment)
      } else {
        return code == -EAGAIN
      }
    }
  }

  /// After announcements may have been lost: takes leave of what has gone, and joins what has come.
  private func lookAround() {
    for (address, port) in joined where handle.port(at: address) != port { remove(address) }
    for port in joinPresent() { handler(.joined(port)) }
  }

  private func receive(_ event: UnsafePointer<snd_seq_event_t>, _ moment: (queue: Int64, host: Int64)?) {
    let source = SequencerAddress(event.pointee.source)
    guard source.client != UInt8(SND_SEQ_CLIENT_SYSTEM) else { return receiveNews(event.pointee) }
    if joined[source] == nil { strangers.insert(source) }
    let now = HostClock.now
    let isSensing = event.pointee.type == SND_SEQ_EVENT_SENSING.rawValue
    sensing.heard(source, isSensing: isSensing, at: now)
    guard !isSensing else { return }
    let time = hostTime(stamp: calsa_event_time(event), moment, now: now)
    decoder.withBytes(of: event) { bytes in
      guard !bytes.isEmpty else { return }
      handler(.bytes(bytes, from: source, hostTime: time))
    }
  }

  /// When the kernel had an event that the queue has stamped; at most a second ago, and not to come.
  ///
  /// The queue is no clock of its own that could drift away: only the event's age, some microseconds, is read off it.
  private func hostTime(stamp: Int64, _ moment: (queue: Int64, host: Int64)?, now: UInt64) -> UInt64 {
    guard let moment, stamp >= 0 else { return now }
    let time = UInt64(max(0, moment.host &- (moment.queue &- stamp)))
    return min(max(time, now &- 1_000_000_000), now)
  }

  /// What the kernel announces: ports that come and go, and connections of our own.
  private func receiveNews(_ event: snd_seq_event_t) {
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_PORT_START:
      let address = SequencerAddress(event.data.addr)
      guard address.client != input.client, let port = handle.port(at: address), join(port) else { return }
      handler(.joined(port))
    case SND_SEQ_EVENT_PORT_SUBSCRIBED where SequencerAddress(event.data.connect.dest) == input:
      let source = SequencerAddress(event.data.connect.sender)
      guard joined[source] == nil, let port = handle.port(at: source) else { return }
      add(port)
      handler(.joined(port))
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
    strangers.remove(port.address)
    selection.remember(port)
  }

  private func remove(_ source: SequencerAddress) {
    guard let port = joined.removeValue(forKey: source) else { return }
    // A port that was merely disconnected is still there, and so by somebody's wish.
    if handle.port(at: source) == port { selection.forget(port) }
    sensing.forget(source)
    handler(.departed(port))
  }

  private func removeStrangers(where isGone: (SequencerAddress) -> Bool) {
    for source in strangers.filter(isGone) {
      strangers.remove(source)
      sensing.forget(source)
      handler(.fellSilent(source))
    }
  }
}
