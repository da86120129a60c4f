/// What a sampler is made from.
public struct SamplerConfiguration: Sendable {
  /// Paths of soundfonts, stacked: a preset is looked for in the last one first.
  public var soundFonts: [String]
  /// How many voices may sound at once, 1 to 65535.
  public var polyphony: Int {
    didSet { polyphony = Self.clamped(polyphony) }
  }
  /// Linear, 0 to 10; 0.2 is FluidSynth's own and leaves room for a full score.
  public var gain: Double
  /// What is loaded before it plays.
  public var preload: SamplerPreload

  public init(
    soundFonts: [String], polyphony: Int = 256, gain: Double = 0.2, preload: SamplerPreload = .all
  ) {
    self.soundFonts = soundFonts
    self.polyphony = Self.clamped(polyphony)
    self.gain = gain
    self.preload = preload
  }

  private static func clamped(_ polyphony: Int) -> Int { min(max(polyphony, 1), 65535) }
}
