// Constructors of channel voice messages, each from MIDI 1.0 values and from MIDI 2.0 ones.

extension MIDIMessage {
  /// A note on; velocity 1–127. Velocity 0 gives a note off, as MIDI 1.0 has it.
  @inlinable
  public static func noteOn(channel: UInt8, note: UInt8, velocity7: UInt8) -> MIDIMessage {
    guard velocity7 & 0x7F != 0 else { return noteOff(channel: channel, note: note, velocity7: 64) }
    return noteOn(channel: channel, note: note, velocity16: widened16(velocity7))
  }

  /// A note on; velocity 0–65535, where 0 is the softest note and not a note off.
  @inlinable
  public static func noteOn(channel: UInt8, note: UInt8, velocity16: UInt16) -> MIDIMessage {
    MIDIMessage(.noteOn, channel: channel, index: note, value: UInt32(velocity16) << 16)
  }

  /// A note off; release velocity 0–127, where 64 is the standard's value for "not measured".
  @inlinable
  public static func noteOff(channel: UInt8, note: UInt8, velocity7: UInt8 = 64) -> MIDIMessage {
    noteOff(channel: channel, note: note, velocity16: widened16(velocity7))
  }

  /// A note off; release velocity 0–65535.
  @inlinable
  public static func noteOff(channel: UInt8, note: UInt8, velocity16: UInt16) -> MIDIMessage {
    MIDIMessage(.noteOff, channel: channel, index: note, value: UInt32(velocity16) << 16)
  }

  /// Pressure on one key, 0–127.
  @inlinable
  public static func polyPressure(channel: UInt8, note: UInt8, value7: UInt8) -> MIDIMessage {
    polyPressure(channel: channel, note: note, value32: widened32(value7))
  }

  /// Pressure on one key, 32 bits.
  @inlinable
  public static func polyPressure(channel: UInt8, note: UInt8, value32: UInt32) -> MIDIMessage {
    MIDIMessage(.polyPressure, channel: channel, index: note, value: value32)
  }

  /// A control change, 0–127.
  @inlinable
  public static func controlChange(channel: UInt8, _ controller: Controller, value7: UInt8) -> MIDIMessage {
    controlChange(channel: channel, controller, value32: widened32(value7))
  }

  /// A control change, 32 bits.
  @inlinable
  public static func controlChange(channel: UInt8, _ controller: Controller, value32: UInt32) -> MIDIMessage {
    MIDIMessage(.controlChange, channel: channel, index: controller.rawValue, value: value32)
  }

  /// A program change, 0–127; `bank` 0–16383 (MSB × 128 + LSB), nil leaves the bank as it is.
  @inlinable
  public static func programChange(channel: UInt8, program: UInt8, bank: UInt16? = nil) -> MIDIMessage {
    let program = UInt32(program & 0x7F) << 24
    guard let bank else { return MIDIMessage(.programChange, channel: channel, value: program) }
    let bankBits = UInt32((bank >> 7) & 0x7F) << 8 | UInt32(bank & 0x7F)
    return MIDIMessage(.programChange, channel: channel, index2: 1, value: program | bankBits)
  }

  /// Pressure on all keys of a channel, 0–127.
  @inlinable
  public static func channelPressure(channel: UInt8, value7: UInt8) -> MIDIMessage {
    channelPressure(channel: channel, value32: widened32(value7))
  }

  /// Pressure on all keys of a channel, 32 bits.
  @inlinable
  public static func channelPressure(channel: UInt8, value32: UInt32) -> MIDIMessage {
    MIDIMessage(.channelPressure, channel: channel, value: value32)
  }

  /// A pitch bend, 0–16383; 8192 is the centre.
  @inlinable
  public static func pitchBend(channel: UInt8, bend14: UInt16) -> MIDIMessage {
    pitchBend(channel: channel, value32: upscaled(UInt32(bend14 & 0x3FFF), from: 14, to: 32))
  }

  /// A pitch bend, 32 bits; 0x8000_0000 is the centre.
  @inlinable
  public static func pitchBend(channel: UInt8, value32: UInt32) -> MIDIMessage {
    MIDIMessage(.pitchBend, channel: channel, value: value32)
  }

  /// A registered controller (RPN) set to a value; `parameter` 0–16383, bank × 128 + index.
  @inlinable
  public static func registeredController(channel: UInt8, parameter: UInt16, value32: UInt32) -> MIDIMessage {
    MIDIMessage(.registeredController, channel: channel, parameter: parameter, value: value32)
  }

  /// An assignable controller (NRPN) set to a value; `parameter` 0–16383, bank × 128 + index.
  @inlinable
  public static func assignableController(channel: UInt8, parameter: UInt16, value32: UInt32) -> MIDIMessage {
    MIDIMessage(.assignableController, channel: channel, parameter: parameter, value: value32)
  }

  /// A pitch bend of one note, 32 bits; 0x8000_0000 is the centre.
  @inlinable
  public static func perNotePitchBend(channel: UInt8, note: UInt8, value32: UInt32) -> MIDIMessage {
    MIDIMessage(.perNotePitchBend, channel: channel, index: note, value: value32)
  }

  @inlinable
  init(_ kind: Kind, channel: UInt8, parameter: UInt16, value: UInt32) {
    let bank = UInt8((parameter >> 7) & 0x7F)
    self.init(kind, channel: channel, index: bank, index2: UInt8(parameter & 0x7F), value: value)
  }

  @inlinable
  static func widened16(_ value7: UInt8) -> UInt16 {
    UInt16(truncatingIfNeeded: upscaled(UInt32(value7 & 0x7F), from: 7, to: 16))
  }

  @inlinable
  static func widened32(_ value7: UInt8) -> UInt32 { upscaled(UInt32(value7 & 0x7F), from: 7, to: 32) }
}

// MARK: - MIDI 1.0 bytes

extension MIDIMessage {
  /// The channel message of a MIDI 1.0 status byte (0x80–0xEF) and its data bytes; nil for any other status.
  ///
  /// `data2` is ignored by program change and channel pressure.
  @inlinable
  public init?(status: UInt8, data1: UInt8, data2: UInt8) {
    let channel = status & 0xF
    switch status >> 4 {
    case 0x8: self = .noteOff(channel: channel, note: data1, velocity7: data2)
    case 0x9: self = .noteOn(channel: channel, note: data1, velocity7: data2)
    case 0xA: self = .polyPressure(channel: channel, note: data1, value7: data2)
    case 0xB: self = .controlChange(channel: channel, Controller(rawValue: data1), value7: data2)
    case 0xC: self = .programChange(channel: channel, program: data1)
    case 0xD: self = .channelPressure(channel: channel, value7: data1)
    case 0xE: self = .pitchBend(channel: channel, bend14: UInt16(data2 & 0x7F) << 7 | UInt16(data1 & 0x7F))
    default: return nil
    }
  }
}

// Min-center-max upscaling of MIDI 1.0 values to MIDI 2.0 widths.

/// `value`, of `sourceBits` bits, widened to `targetBits` so that minimum, centre and maximum map onto each other.
///
/// Up to the centre the bits are shifted; above it the lower bits are repeated into the new ones. A shift back down
/// returns the value unchanged. Source: M2-115-U, "Min-Center-Max scaling".
@inlinable
func upscaled(_ value: UInt32, from sourceBits: UInt32, to targetBits: UInt32) -> UInt32 {
  var result = value &<< (targetBits &- sourceBits)
  guard value > 1 &<< (sourceBits &- 1) else { return result }
  let repeatBits = sourceBits &- 1
  // The repeated bits, flush with the top of the target below its first bit, then moved down past the source's own.
  var repeated = (value & ((1 &<< repeatBits) &- 1)) &<< (targetBits &- sourceBits)
  while repeated != 0 {
    repeated >>= repeatBits
    result |= repeated
  }
  return result
}
