/// Something MIDI comes from: the sequencer with its keyboards, a network, a file of bytes, the program's own code.
///
/// `SequencerSource` (ALSA) and `VirtualSource` are two; any number may play into one synthesizer at once.
public protocol MIDISource: AnyObject, Sendable {
  /// As it is shown to people: "ALSA sequencer".
  var name: String { get }

  /// Begins to deliver what arrives, on any thread, one call at a time, until `stop` has returned. [control thread]
  ///
  /// `receive` returns soon, does not call the source, and is forgotten by `stop`. A source has one receiver: it is
  /// started again only after `stop`. Where it has no more to deliver, it says so by `.departed` for each of its ports.
  ///
  /// - Throws: what keeps the source from delivering; it is then as if `start` had not been called.
  func start(_ receive: @escaping @Sendable (MIDISourceEvent) -> Void) throws

  /// Ends the delivery, and waits for a call that is under way. The receiver releases what the source's ports hold; the
  /// source may be started again. Without effect where it does not deliver. [control thread]
  func stop()
}

/// Something that takes what a source delivers: a synthesizer, a recorder, a monitor.
public protocol MIDISink: AnyObject, Sendable {
  /// Takes an event, and returns soon; sources on several threads may call at once. [any thread]
  func receive(_ event: MIDISourceEvent)
}

/// What a MIDI source delivers.
public enum MIDISourceEvent: Hashable, Sendable {
  /// What a port has sent.
  public enum Content: Hashable, Sendable {
    /// A channel message.
    case message(MIDIMessage)
    /// A whole System Exclusive message, without F0 and F7.
    case systemExclusive([UInt8])
    /// System Reset (FF): the receiver returns to its state at power-up.
    case reset
    /// Clock and transport of another machine.
    case clock(MIDIClockMessage)
  }

  /// A port has sent something. `hostTime` is when, in nanoseconds of the monotonic clock; 0 stands for now.
  case received(Content, from: MIDIPort, hostTime: UInt64)
  /// A port was connected after the start; those that were connected before are not told of.
  case joined(MIDIPort)
  /// A port was disconnected: what it holds is released.
  case departed(MIDIPort)
  /// A port that promised to send Active Sensing messages has stopped: what it holds is released.
  case fellSilent(MIDIPort)
  /// Events of any of the ports were lost, perhaps note offs: what the source holds is released.
  case eventsLost
}

extension MIDISourceEvent.Content {
  /// As it goes through a cable, with every status byte; nil for a message that MIDI 1.0 has not. `MIDIByteReader`
  /// reads it.
  public var bytes: [UInt8]? {
    switch self {
    case .message(let message): message.bytes
    case .systemExclusive(let payload): [0xF0] + payload + [0xF7]
    case .reset: [0xFF]
    case .clock(let message): message.bytes
    }
  }

  /// Whether it is clock or transport, which nothing that only sounds takes.
  package var isClock: Bool { if case .clock = self { true } else { false } }
}

extension MIDISourceEvent {
  /// General MIDI System On without F0 and F7: what stands for a System Reset where only System Exclusive is known.
  public static var systemOn: [UInt8] { [0x7E, 0x7F, 0x09, 0x01] }
}

/// One of the ports of a source: a keyboard, a program, a cable.
public struct MIDIPort: Hashable, Sendable, CustomStringConvertible {
  /// Tells the ports of one source apart. A port that leaves and returns may have another one.
  public let id: UInt32
  /// As it is shown to people: "Test Keyboard 49 MIDI 1 (24:0)".
  public let name: String

  /// A port of a source that numbers its ports itself.
  public init(id: UInt32, name: String) { (self.id, self.name) = (id, name) }

  /// The name.
  public var description: String { name }
}
