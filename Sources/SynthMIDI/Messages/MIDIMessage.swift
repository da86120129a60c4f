/// One MIDI message as the two words of a 64-bit Universal MIDI Packet.
///
/// Channel voice messages are MIDI 2.0 packets (message type 4), so 16-bit velocities, 32-bit controllers and
/// per-note pitch lose nothing on their way; MIDI 1.0 values enter by the constructors labelled `velocity7`, `value7`
/// and `bend14` and come back exactly through the accessors of the same names. System Exclusive has the kind only:
/// its bytes travel beside the message, in `MIDIEvent.payload`.
///
/// Channels are 0–15. Bits of an argument beyond its stated width are ignored. An accessor that does not belong to
/// the message's kind returns bits without meaning, never traps. Every accessor and constructor is plain arithmetic
/// and may be used on the audio thread. Source: MIDI 2.0 UMP and Protocol specification, M2-104-UM, section 7.4.
public struct MIDIMessage: BitwiseCopyable, Hashable, Sendable {
  /// The first word: message type, group, status, channel and two index bytes.
  public let word0: UInt32

  /// The second word: the value.
  public let word1: UInt32

  /// What a message does. Raw values of channel voice messages are the status nibbles of the packet.
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// A registered controller of one note. (M2-104, 7.4.4)
    case registeredPerNoteController = 0x0
    /// An assignable controller of one note. (7.4.4)
    case assignablePerNoteController = 0x1
    /// An RPN as one message. (7.4.7)
    case registeredController = 0x2
    /// An NRPN as one message. (7.4.7)
    case assignableController = 0x3
    /// A change to an RPN. (7.4.8)
    case relativeRegisteredController = 0x4
    /// A change to an NRPN. (7.4.8)
    case relativeAssignableController = 0x5
    /// The pitch bend of one note. (7.4.12)
    case perNotePitchBend = 0x6
    /// A key let go. (7.4.1)
    case noteOff = 0x8
    /// A key struck. (7.4.2)
    case noteOn = 0x9
    /// The pressure of one key. (7.4.3)
    case polyPressure = 0xA
    /// A controller of a channel. (7.4.6)
    case controlChange = 0xB
    /// A program, and if it says so a bank. (7.4.9)
    case programChange = 0xC
    /// The pressure of all keys of a channel. (7.4.10)
    case channelPressure = 0xD
    /// The pitch bend of a channel. (7.4.11)
    case pitchBend = 0xE
    /// Detaches a note's controllers, or resets them. (7.4.5)
    case perNoteManagement = 0xF
    /// A block of bytes that is kept elsewhere.
    case systemExclusive = 0x10
  }

  @inlinable
  init(uncheckedWord0 word0: UInt32, word1: UInt32) {
    self.word0 = word0
    self.word1 = word1
  }

  /// A packet received as words; nil unless it is a defined MIDI 2.0 channel voice message (type 4, any group).
  @inlinable
  public init?(word0: UInt32, word1: UInt32) {
    guard word0 >> 28 == 4, (word0 >> 20) & 0xF != 7 else { return nil }
    self.init(uncheckedWord0: word0, word1: word1)
  }

  /// A channel voice packet in group 0, from its fields.
  @inlinable
  init(_ kind: Kind, channel: UInt8, index: UInt8 = 0, index2: UInt8 = 0, value: UInt32) {
    let status = UInt32(kind.rawValue) << 20 | UInt32(channel & 0xF) << 16
    let indexes = UInt32(index & 0x7F) << 8 | UInt32(index2 & 0x7F)
    self.init(uncheckedWord0: 0x4000_0000 | status | indexes, word1: value)
  }

  /// The message of a System Exclusive event, whose bytes travel beside it (an empty SysEx packet, type 3).
  @inlinable
  public static var systemExclusive: MIDIMessage { MIDIMessage(uncheckedWord0: 0x3000_0000, word1: 0) }
}

// MARK: - Fields

extension MIDIMessage {
  /// What the message does.
  @inlinable
  public var kind: Kind {
    word0 >> 28 == 4 ? Kind(rawValue: UInt8((word0 >> 20) & 0xF)) ?? .systemExclusive : .systemExclusive
  }

  /// The channel, 0–15.
  @inlinable
  public var channel: UInt8 { UInt8((word0 >> 16) & 0xF) }

  /// The same message on another channel, 0–15.
  @inlinable
  public func onChannel(_ channel: UInt8) -> MIDIMessage {
    MIDIMessage(uncheckedWord0: word0 & ~0xF_0000 | UInt32(channel & 0xF) << 16, word1: word1)
  }

  /// The same message for another note, 0–127; for the kinds that have one.
  @inlinable
  public func onNote(_ note: UInt8) -> MIDIMessage {
    MIDIMessage(uncheckedWord0: word0 & ~0x7F00 | UInt32(note & 0x7F) << 8, word1: word1)
  }

  /// Whether it says something of a single note: notes, poly pressure and the per-note kinds.
  @inlinable
  public var concernsOneNote: Bool {
    switch kind {
    case .noteOn, .noteOff, .polyPressure, .perNotePitchBend, .registeredPerNoteController,
      .assignablePerNoteController, .perNoteManagement:
      true
    default: false
    }
  }

  /// The note number, 0–127, of notes, poly pressure and the per-note kinds.
  @inlinable
  public var note: UInt8 { UInt8((word0 >> 8) & 0x7F) }

  /// The velocity of a note on or off, 0–65535.
  @inlinable
  public var velocity16: UInt16 { UInt16(word1 >> 16) }

  /// The velocity of a note on or off, 0–127; a note on never reads 0, which MIDI 1.0 would take for a note off.
  @inlinable
  public var velocity7: UInt8 {
    let velocity = UInt8(word1 >> 25)
    return velocity == 0 && kind == .noteOn ? 1 : velocity
  }

  /// The controller of a control change.
  @inlinable
  public var controller: Controller { Controller(rawValue: UInt8((word0 >> 8) & 0x7F)) }

  /// The number of a registered or assignable controller (RPN, NRPN), 0–16383: bank × 128 + index.
  @inlinable
  public var parameter: UInt16 { UInt16((word0 >> 8) & 0x7F) << 7 | UInt16(word0 & 0x7F) }

  /// The number of a registered or assignable per-note controller, 0–255.
  @inlinable
  public var perNoteController: UInt8 { UInt8(word0 & 0xFF) }

  /// The value of a controller, pressure or bend, over the whole range of 32 bits.
  @inlinable
  public var value32: UInt32 { word1 }

  /// The value of a controller or pressure, 0–127.
  @inlinable
  public var value7: UInt8 { UInt8(word1 >> 25) }

  /// The position of a pitch bend, 0–16383; 8192 is the centre.
  @inlinable
  public var bend14: UInt16 { UInt16(word1 >> 18) }

  /// The program of a program change, 0–127.
  @inlinable
  public var program: UInt8 { UInt8((word1 >> 24) & 0x7F) }

  /// The bank a program change selects, 0–16383 (MSB × 128 + LSB); nil leaves the bank as it is.
  @inlinable
  public var bank: UInt16? {
    word0 & 1 == 0 ? nil : UInt16((word1 >> 8) & 0x7F) << 7 | UInt16(word1 & 0x7F)
  }
}
