import CSynthALSA
import Glibc
import SynthRealtime

/// The ports of the ALSA sequencer: lists them, tells of their changes, connects and disconnects them.
///
///     let ports = try SequencerPorts()
///     let changes = try SequencerPorts.changes()
///     if let keys = ports.source(named: "Keystation"), let piano = ports.destination(named: "USB MIDI") {
///       try ports.connect(keys.address, to: piano.address)
///     }
///     for await change in changes { print(change) }
public final class SequencerPorts: @unchecked Sendable {
  // Unchecked: the handle is used by who has the lock.

  private let handle: SequencerHandle
  private let lock = CheckedMutex(())

  /// Opens the sequencer.
  ///
  /// - Parameter clientName: the name of its client, which has no ports.
  /// - Throws: `SequencerError`: no sequencer in the kernel, no permission.
  public init(clientName: String = "synth") throws(SequencerError) {
    handle = try SequencerHandle(clientName: clientName, role: .visitor)
  }

  /// Every port that can be a source or a destination, in the order of their addresses. [control thread]
  public func all() -> [SequencerPort] {
    lock.withLock { _ in handle.ports().filter { $0.isSource || $0.isDestination } }
  }

  /// The first source that a wish is for; see `SequencerPort.fulfils`.
  public func source(named wish: String) -> SequencerPort? { all().first { $0.isSource && $0.fulfils(wish) } }

  /// The first destination that a wish is for; see `SequencerPort.fulfils`.
  public func destination(named wish: String) -> SequencerPort? {
    all().first { $0.isDestination && $0.fulfils(wish) }
  }

  /// Connects two ports of any clients, as `aconnect` does. [control thread]
  ///
  /// - Throws: `SequencerError`: a port is gone, they are connected already, or their programs do not allow it.
  public func connect(_ source: SequencerAddress, to destination: SequencerAddress) throws(SequencerError) {
    try subscribe(source, destination, connects: true, "connecting \(source) to \(destination)")
  }

  /// Disconnects two ports. [control thread]
  ///
  /// - Throws: `SequencerError`: they are not connected.
  public func disconnect(_ source: SequencerAddress, from destination: SequencerAddress) throws(SequencerError) {
    try subscribe(source, destination, connects: false, "disconnecting \(source) from \(destination)")
  }

  private func subscribe(
    _ source: SequencerAddress, _ destination: SequencerAddress, connects: Bool, _ operation: String
  ) throws(SequencerError) {
    let code = lock.withLock { _ in
      calsa_subscribe(handle.sequencer, source.address, destination.address, connects)
    }
    // Which of both is gone, alsa-lib does not say; `.absent` would be the sequencer itself.
    try SequencerHandle.check(operation, [-ENOENT, -ENODEV, -ENXIO].contains(code) ? -EINVAL : code)
  }

  /// What a source is connected to. [control thread]
  public func destinations(of source: SequencerAddress) -> [SequencerAddress] {
    lock.withLock { _ in
      var found: [SequencerAddress] = []
      var address = snd_seq_addr_t()
      while calsa_destination(handle.sequencer, source.address, Int32(found.count), &address) >= 0 {
        found.append(SequencerAddress(address))
      }
      return found
    }
  }

  /// Tells from now on of ports that come and go and of connections that are made and broken, until the sequence or its
  /// task ends. For what is there already, ask `all` after it. [any thread]
  ///
  /// - Throws: `SequencerError`: no sequencer in the kernel, no permission, no thread.
  public static func changes() throws(SequencerError) -> AsyncStream<SequencerChange> {
    let (stream, continuation) = AsyncStream<SequencerChange>.makeStream()
    let watch = try SequencerWatch { continuation.yield($0) }
    try watch.start { continuation.finish() }
    continuation.onTermination = { _ in watch.end() }
    return stream
  }
}

/// A change among the ports of the sequencer.
public enum SequencerChange: Sendable, Hashable {
  /// A port has come: a device was plugged in, a program started.
  case appeared(SequencerPort)
  /// A port has gone, and its connections with it.
  case disappeared(SequencerPort)
  /// A source was connected to a destination.
  case connected(SequencerAddress, to: SequencerAddress)
  /// A source was disconnected from a destination.
  case disconnected(SequencerAddress, from: SequencerAddress)
}

extension SequencerAddress {
  var address: snd_seq_addr_t { snd_seq_addr_t(client: client, port: port) }
}
