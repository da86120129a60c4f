/// What a rack is made from.
public struct RackConfiguration: Sendable {
  /// Used where a channel plays the sampler; its gain is also that of the oscillator voices.
  public var sampler: SamplerConfiguration
  /// Left empty, all channels play the sampler.
  public var assignments: [InstrumentAssignment]
  /// How many oscillator voices may sound at once, 1 to 8192.
  public var polyphony: Int {
    didSet { polyphony = Self.clamped(polyphony) }
  }

  public init(
    sampler: SamplerConfiguration = SamplerConfiguration(soundFonts: []), assignments: [InstrumentAssignment] = [],
    polyphony: Int = 256
  ) {
    self.sampler = sampler
    self.assignments = assignments
    self.polyphony = Self.clamped(polyphony)
  }

  private static func clamped(_ polyphony: Int) -> Int { min(max(polyphony, 1), 8192) }
}
