/// What a tick of a MIDI file is: a part of a quarter note, or a part of a video frame.
public enum Division: Hashable, Sendable {
  /// Metrical time: ticks per quarter note, 1–32767; the tempo says how long a quarter note is.
  case ticksPerQuarter(UInt16)

  /// SMPTE time, independent of the tempo: whole frames counted per second, 1–128, and ticks per frame, 1–255.
  /// A count of 29 is 30-frame drop code, whose frames come at 30000/1001 per second.
  case smpte(framesPerSecond: UInt8, ticksPerFrame: UInt8)
}

extension Division: CustomStringConvertible {
  public var description: String {
    switch self {
    case .ticksPerQuarter(let ticks): "\(ticks) ticks per quarter note"
    case .smpte(29, let ticks): "29.97 frames per second, \(ticks) ticks each"
    case .smpte(let frames, let ticks): "\(frames) frames per second, \(ticks) ticks each"
    }
  }
}
