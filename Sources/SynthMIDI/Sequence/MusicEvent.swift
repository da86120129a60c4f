/// An event of a `MusicTrack`: what a track of a MIDI file can hold.
public struct MusicEvent: Hashable, Sendable {
  /// Ticks since the start of the track.
  public var tick: UInt32
  /// What happens.
  public var content: Content

  /// An event at a tick.
  public init(tick: UInt32, _ content: Content) { (self.tick, self.content) = (tick, content) }

  /// What an event is.
  public enum Content: Hashable, Sendable {
    /// A channel voice message.
    case message(MIDIMessage)
    /// A whole System Exclusive message, without F0 and F7.
    case systemExclusive([UInt8])
    /// Bytes to be sent as they are (F7 in a file), other than a System Exclusive.
    case escape([UInt8])
    /// A meta event with the bytes of the file: tempo, signatures, texts and the like.
    case meta(MetaType, [UInt8])
  }
}

// Meta events by what they mean.

extension MusicEvent.Content {
  /// A tempo in quarter notes per minute. A file counts whole microseconds per quarter note: 3.58 is the slowest.
  public static func tempo(_ quarterNotesPerMinute: Double) -> Self {
    let microseconds = (60_000_000 / quarterNotesPerMinute).rounded()
    let held = quarterNotesPerMinute > 0 ? UInt32(min(max(microseconds, 1), 0xFF_FFFF)) : 0xFF_FFFF
    return .meta(.tempo, [16, 8, 0].map { UInt8(truncatingIfNeeded: held >> $0) })
  }

  /// A time signature, with a metronome click on each of its beats.
  public static func timeSignature(_ signature: SongInfo.TimeSignature) -> Self {
    let power = signature.denominator.trailingZeroBitCount
    // A quarter note has 24 MIDI clocks.
    let clocks = UInt8(max(96 / signature.denominator, 1))
    return .meta(.timeSignature, [UInt8(signature.numerator), UInt8(power), clocks, 8])
  }

  /// A key signature.
  public static func keySignature(_ key: SongInfo.KeySignature) -> Self {
    .meta(.keySignature, [UInt8(bitPattern: Int8(key.sharps)), key.isMinor ? 1 : 0])
  }

  /// Quarter notes per minute, if it is a tempo.
  public var tempo: Double? { microsecondsPerQuarter.map { 60_000_000 / Double($0) } }

  /// The time signature, if it is one.
  public var timeSignature: SongInfo.TimeSignature? {
    if case .meta(.timeSignature, let bytes) = self { SongInfo.TimeSignature(bytes) } else { nil }
  }

  /// The key signature, if it is one.
  public var keySignature: SongInfo.KeySignature? {
    if case .meta(.keySignature, let bytes) = self { SongInfo.KeySignature(bytes) } else { nil }
  }

  /// Of a tempo that means something.
  var microsecondsPerQuarter: UInt32? {
    guard case .meta(.tempo, let bytes) = self, bytes.count == 3 else { return nil }
    let tempo = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return tempo > 0 ? tempo : nil
  }
}
