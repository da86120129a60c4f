/// A preset in flat memory, which notes find their zones in. [any thread]
public struct PlayablePreset: BitwiseCopyable {
  /// 128 for drums.
  public let bank: UInt16
  /// 0 to 127.
  public let program: UInt16
  /// In the order in which FluidSynth starts their voices.
  public let zones: UnsafePointer<PlayableZone>
  /// How many `zones` has.
  public let zoneCount: Int
}

/// One zone of an instrument within one of a preset: what one voice of a note plays.
public struct PlayableZone: BitwiseCopyable {
  /// A key from 0 to 127, as the other three: those that both the preset's and the instrument's zone have.
  public let lowestKey: UInt8
  /// See `lowestKey`.
  public let highestKey: UInt8
  /// See `lowestKey`.
  public let lowestVelocity: UInt8
  /// See `lowestKey`.
  public let highestVelocity: UInt8
  /// By their numbers: the standard's values, replaced by the instrument's, plus the preset's. They are not clamped,
  /// because modulators add to them first; the attenuation has been multiplied by 0.4.
  public let generators: InlineArray<61, Float>
  /// The defaults with the amounts of the instrument's identical ones, the instrument's others, and the preset's, whose
  /// amounts are added to those of identical ones. At most 64 beside those of the sound controllers.
  public let modulators: UnsafePointer<ZoneModulator>
  /// How many `modulators` has.
  public let modulatorCount: Int
  /// The generators that modulators move, a bit each: those of the sound controllers
  /// (`ZoneModulator.controllerPlaces`), and all others.
  package let modulated: (always: UInt64, byControllers: UInt64)
  /// What the zone plays.
  public let sample: PlayableSample

  /// Whether a note belongs to it.
  @inlinable public func contains(key: UInt8, velocity: UInt8) -> Bool {
    key >= lowestKey && key <= highestKey && velocity >= lowestVelocity && velocity <= highestVelocity
  }

  /// The value of a generator, in the standard's units.
  @inlinable public subscript(_ generator: Generator) -> Float { generators[Int(generator.rawValue)] }
}

/// A wave in memory. Numbers count words from `words` on. [any thread]
public struct PlayableSample: BitwiseCopyable {
  /// The sample chunk of the file, or what was decoded; all of `wordCount` can be read.
  public let words: UnsafePointer<Int16>
  /// For 24 bits: the eight bits below those of each word.
  public let lowBytes: UnsafePointer<UInt8>?
  /// How many `words` has.
  public let wordCount: Int
  /// 0 to `end` − 2.
  public let start: Int
  /// Behind the last word, at most `wordCount`.
  public let end: Int
  /// Of the file, at least `start` and at most `wordCount`; a loop may be empty or lie behind `end`, because a zone's
  /// offsets may move it. `span` has what is played.
  public let loopStart: Int
  /// Behind the loop's last word; at least `loopStart`.
  public let loopEnd: Int
  /// The largest magnitude in the loop, above 0 and up to 1; 1 for a loop of more than 16,384 words.
  public let loopPeak: Float
  /// Words per second; 0 where the file has no rate: FluidSynth then plays a word a frame, whatever the key.
  public let sampleRate: Float
  /// 0 to 127.
  public let rootKey: UInt8
  /// In cents, added to the pitch.
  public let correction: Int8
  /// The bits of `SoundFontSampleHeader.type`.
  public let type: UInt16
}
