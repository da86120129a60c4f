import SynthRealtime

/// A MIDI source that the program's own code plays: for applications and for tests. It has one port, of the same name.
///
///     let keys = VirtualSource("screen keyboard")
///     keys.send(.noteOn(channel: 0, note: 60, velocity7: 100))
public final class VirtualSource: MIDISource {
  public var name: String { port.name }
  /// The port everything comes from.
  public let port: MIDIPort
  private let receiver = CheckedMutex(Receiver())

  /// A source with a name for people.
  public init(_ name: String) { port = MIDIPort(id: 0, name: name) }

  public func start(_ receive: @escaping @Sendable (MIDISourceEvent) -> Void) {
    receiver.withLock { $0.receive = receive }
  }

  public func stop() { receiver.withLock { $0.receive = nil } }

  /// Plays a channel message; locks, so not for the audio thread. [any thread]
  ///
  /// - Parameter hostTime: when it was played, in nanoseconds of the monotonic clock; 0 stands for now.
  public func send(_ message: MIDIMessage, at hostTime: UInt64 = 0) {
    deliver(.received(.message(message), from: port, hostTime: hostTime))
  }

  /// Plays a System Exclusive message, given without F0 and F7; locks. [any thread]
  public func send(systemExclusive payload: [UInt8], at hostTime: UInt64 = 0) {
    deliver(.received(.systemExclusive(payload), from: port, hostTime: hostTime))
  }

  /// Delivers any event, also one of another port: for sources made of code. Where the source is not started, the event
  /// is dropped; locks. [any thread]
  public func deliver(_ event: MIDISourceEvent) { receiver.withLock { $0.receive?(event) } }
}

/// In a structure, because a closure that is a lock's whole value is wrapped in another one each time it is locked.
private struct Receiver {
  var receive: (@Sendable (MIDISourceEvent) -> Void)?
}
