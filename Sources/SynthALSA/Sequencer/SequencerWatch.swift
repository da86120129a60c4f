import CSynthALSA
import Glibc
import SynthRealtime

/// The thread behind `SequencerPorts.changes`.
final class SequencerWatch: @unchecked Sendable {
  // Unchecked: the handle and the ports belong to the thread once it runs, `thread` guards itself.

  private let handle: SequencerHandle
  private let report: (SequencerChange) -> Void
  private var known: [SequencerAddress: SequencerPort] = [:]
  /// Readable once the thread is to end. (eventfd)
  private let stopSignal: Int32
  private let thread = CheckedMutex<WorkerThread?>(nil)

  init(_ report: @escaping @Sendable (SequencerChange) -> Void) throws(SequencerError) {
    handle = try SequencerHandle(clientName: "synth", role: .observer)
    self.report = report
    stopSignal = eventfd(0, Int32(EFD_CLOEXEC))
    guard stopSignal >= 0 else { throw SequencerError("watching the MIDI ports", code: -errno) }
    known = present()
  }

  deinit { if stopSignal >= 0 { close(stopSignal) } }

  private func present() -> [SequencerAddress: SequencerPort] {
    let ports = handle.ports().filter { $0.isSource || $0.isDestination }
    return Dictionary(uniqueKeysWithValues: ports.map { ($0.address, $0) })
  }

  /// - Parameter finish: called where the sequencer fails.
  func start(_ finish: @escaping @Sendable () -> Void) throws(SequencerError) {
    try thread.withLock { thread throws(SequencerError) in
      do throws(WorkerThreadError) {
        thread = try WorkerThread(named: "midi ports", stackSize: WorkerThread.smallStack) { [self] in
          if !run() { finish() }
        }
      } catch {
        throw SequencerError("starting the MIDI thread", code: -error.code)
      }
    }
  }

  func end() {
    eventfd_write(stopSignal, 1)
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let running else { return }
    if running.isCurrent { running.detach() } else { running.join() }
  }

  /// False where the sequencer has failed.
  private func run() -> Bool {
    let count = snd_seq_poll_descriptors_count(handle.sequencer, Int16(POLLIN))
    var descriptors = Array(repeating: pollfd(), count: Int(count) + 1)
    snd_seq_poll_descriptors(handle.sequencer, &descriptors, UInt32(count), Int16(POLLIN))
    descriptors[Int(count)] = pollfd(fd: stopSignal, events: Int16(POLLIN), revents: 0)
    while true {
      if poll(&descriptors, nfds_t(descriptors.count), -1) < 0 && errno != EINTR { return false }
      if descriptors[Int(count)].revents != 0 { return true }
      guard readEvents() else { return false }
    }
  }

  private func readEvents() -> Bool {
    while true {
      var event: UnsafeMutablePointer<snd_seq_event_t>?
      let code = snd_seq_event_input(handle.sequencer, &event)
      if code == -ENOSPC {
        lookAround()
      } else if code >= 0, let event {
        take(event.pointee)
      } else {
        return code == -EAGAIN
      }
    }
  }

  /// After announcements were lost.
  private func lookAround() {
    let ports = present()
    remove { known[$0] != ports[$0] }
    for port in ports.values.sorted(by: { $0.address < $1.address }) where known[port.address] == nil { add(port) }
  }

  private func take(_ event: snd_seq_event_t) {
    switch snd_seq_event_type(UInt32(event.type)) {
    case SND_SEQ_EVENT_PORT_START:
      guard let port = handle.port(at: SequencerAddress(event.data.addr)) else { return }
      if port.isSource || port.isDestination { add(port) }
    case SND_SEQ_EVENT_PORT_EXIT:
      let address = SequencerAddress(event.data.addr)
      remove { $0 == address }
    case SND_SEQ_EVENT_CLIENT_EXIT:
      let client = event.data.addr.client
      remove { $0.client == client }
    case SND_SEQ_EVENT_PORT_SUBSCRIBED:
      let (source, destination) = ends(event)
      if isForPeople(source, destination) { report(.connected(source, to: destination)) }
    case SND_SEQ_EVENT_PORT_UNSUBSCRIBED:
      let (source, destination) = ends(event)
      if isForPeople(source, destination) { report(.disconnected(source, from: destination)) }
    default: break
    }
  }

  private func ends(_ event: snd_seq_event_t) -> (source: SequencerAddress, destination: SequencerAddress) {
    (SequencerAddress(event.data.connect.sender), SequencerAddress(event.data.connect.dest))
  }

  /// Those who listen to announcements, this one among them, are not told of.
  private func isForPeople(_ source: SequencerAddress, _ destination: SequencerAddress) -> Bool {
    source.client != UInt8(SND_SEQ_CLIENT_SYSTEM) && destination.client != UInt8(SND_SEQ_CLIENT_SYSTEM)
  }

  private func add(_ port: SequencerPort) {
    known[port.address] = port
    report(.appeared(port))
  }

  private func remove(where isGone: (SequencerAddress) -> Bool) {
    for address in known.keys.filter(isGone).sorted() {
      if let port = known.removeValue(forKey: address) { report(.disappeared(port)) }
    }
  }
}
