import AudioGraph

extension RackNode {
  static let soundFonts = CreationProperty("sound fonts", kind: .list(of: .text, count: 0...Int.max))
  static let rate = CreationProperty("sample rate", kind: .number(8000...96000, unit: .hertz))
  static let polyphony = CreationProperty("polyphony", kind: .integer(1...65535))
  static let gain = CreationProperty("gain", kind: .number(0...10, unit: .ratio))

  /// What every rack can be made from, whatever its component is called.
  public static let creation = [soundFonts, rate, polyphony, gain]

  /// A rack of values that `creation` names. [control thread]
  public convenience init(
    _ values: CreationValues, assignments: [InstrumentAssignment]
  ) throws(SamplerError) {
    var sampler = SamplerConfiguration(soundFonts: (values[Self.soundFonts]?.list ?? []).compactMap(\.text))
    if let polyphony = values[Self.polyphony]?.integer { sampler.polyphony = polyphony }
    if let gain = values[Self.gain]?.number { sampler.gain = gain }
    let rate = values[Self.rate]?.number ?? 48000
    if assignments.isEmpty {
      try self.init(sampler, sampleRate: rate)
    } else {
      try self.init(RackConfiguration(sampler: sampler, assignments: assignments), sampleRate: rate)
    }
  }

  /// What plays where, and from which soundfonts, which can be set while it plays: that is an exchange.
  public var properties: [Property] {
    [
      Property("instruments", of: self, kind: .list(of: .text, count: 1...Int.max)) { [self] in
        let assignments = configuration.assignments
        let instruments = assignments.isEmpty ? [InstrumentAssignment(.sampler)] : assignments
        return .list(instruments.map { .text($0.description) })
      },
      Property(
        Self.soundFonts.name, of: self, kind: Self.soundFonts.kind,
        read: { [self] in .list(configuration.sampler.soundFonts.map { .text($0) }) },
        write: { [self] value in
          var new = configuration
          let paths = (value.list ?? []).compactMap(\.text)
          guard paths != new.sampler.soundFonts else { return }
          new.sampler.soundFonts = paths
          try exchange(new)
        }),
      Property(Self.rate, of: self) { [sampleRate] in .number(sampleRate) },
      Property(Self.polyphony, of: self) { [self] in .integer(configuration.sampler.polyphony) },
      Property(Self.gain, of: self) { [self] in .number(configuration.sampler.gain) },
      Property("presets", of: self, kind: .list(of: .text, count: 0...Self.channelCount)) { [self] in
        .list(presetRuns.map { .text($0) })
      },
    ]
  }

  /// What the channels play, neighbours that play the same together: "1-9 Piano 1".
  private var presetRuns: [String] {
    let names = (0..<Self.channelCount).map { preset(ofChannel: $0)?.name }
    var runs: [String] = []
    var first = 0
    for channel in names.indices where channel + 1 == names.count || names[channel + 1] != names[channel] {
      let span = first == channel ? "\(channel + 1)" : "\(first + 1)-\(channel + 1)"
      if let name = names[channel] { runs.append("\(span) \(name)") }
      first = channel + 1
    }
    return runs
  }
}
