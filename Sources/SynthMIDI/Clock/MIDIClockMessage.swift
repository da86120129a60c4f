/// The clock and the transport of MIDI 1.0, which keep sequencers and drum machines together. Source: MIDI 1.0, "System
/// Common Messages" and "System Real Time Messages".
public enum MIDIClockMessage: Hashable, Sendable {
  /// A 24th of a quarter note has passed (F8).
  case clock
  /// Plays from the beginning, which is at the next clock (FA).
  case start
  /// Plays from where the song stands, which is at the next clock (FB).
  case `continue`
  /// Stops playing (FC).
  case stop
  /// Where the song stands, in sixteenth notes from its beginning, 0 to 16383 (F2).
  case songPosition(UInt16)

  /// How many clocks a quarter note has.
  public static let clocksPerBeat = 24
  /// How many clocks a step of a song position has.
  static let clocksPerPosition = 6

  /// As it goes through a cable.
  public var bytes: [UInt8] {
    switch self {
    case .clock: [0xF8]
    case .start: [0xFA]
    case .continue: [0xFB]
    case .stop: [0xFC]
    case .songPosition(let position): [0xF2, UInt8(position & 0x7F), UInt8(position >> 7 & 0x7F)]
    }
  }

  /// The message of a single byte; nil for all others.
  init?(realTime byte: UInt8) {
    switch byte {
    case 0xF8: self = .clock
    case 0xFA: self = .start
    case 0xFB: self = .continue
    case 0xFC: self = .stop
    default: return nil
    }
  }
}
