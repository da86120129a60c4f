import AudioGraph
import SynthMIDI

extension RackNode {
  static let soundFonts = CreationProperty("sound fonts", kind: .list(of: .text, count: 0...Int.max))
  static let rate = CreationProperty("sample rate", kind: .number(sampleRates, unit: .hertz))
  static let polyphony = CreationProperty("polyphony", kind: .integer(1...65535))
  static let gain = CreationProperty("gain", kind: .number(0...10, unit: .ratio))

  static func engine(of engines: [SamplerEngine]) -> CreationProperty {
    CreationProperty("sampler engine", kind: .choice(engines.map(\.rawValue)))
  }

  /// The properties that every component with a rack is created from.
  public static let creation = creation(engines: [.native])

  /// The same, where soundfonts are played by one of several engines.
  package static func creation(engines: [SamplerEngine]) -> [CreationProperty] {
    [soundFonts, rate, polyphony, gain, engine(of: engines)]
  }

  /// A rack from the values of `creation`. [control thread]
  public convenience init(_ values: CreationValues, assignments: [InstrumentAssignment]) throws(InstrumentError) {
    try self.init(values, assignments: assignments, engines: [.native])
  }

  /// A rack from the values of `creation(engines:)`. [control thread]
  package convenience init(
    _ values: CreationValues, assignments: [InstrumentAssignment], engines: [SamplerEngine]
  ) throws(InstrumentError) {
    var sampler = SamplerConfiguration(soundFonts: (values[Self.soundFonts]?.list ?? []).compactMap(\.text))
    if let polyphony = values[Self.polyphony]?.integer { sampler.polyphony = polyphony }
    if let gain = values[Self.gain]?.number { sampler.linearGain = gain }
    if let engine = engines.named(values[Self.engine(of: engines)]) { sampler.engine = engine }
    try self.init(
      RackConfiguration(sampler: sampler, assignments: assignments), sampleRate: values[Self.rate]?.number ?? 48000,
      engines: engines, name: assignments.isEmpty ? "sampler" : "instruments")
  }

  /// The instruments, soundfonts and the sampler's settings. Setting one is an exchange, also while it plays.
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
        write: { [self] value in try set(\.soundFonts, (value.list ?? []).compactMap(\.text)) }),
      Property(Self.rate, of: self) { [sampleRate] in .number(sampleRate) },
      Property(
        Self.polyphony.name, of: self, kind: Self.polyphony.kind,
        read: { [self] in .integer(configuration.sampler.polyphony) },
        write: { [self] value in try value.integer.map { try set(\.polyphony, $0) } }),
      Property(
        Self.gain.name, of: self, kind: Self.gain.kind,
        read: { [self] in .number(configuration.sampler.linearGain) },
        write: { [self] value in try value.number.map { try set(\.linearGain, $0) } }),
      Property(
        Self.engine(of: engines).name, of: self, kind: Self.engine(of: engines).kind,
        read: { [self] in .text(configuration.sampler.engine.rawValue) },
        write: { [self] value in try engines.named(value).map { try set(\.engine, $0) } }),
      Property("presets", of: self, kind: .list(of: .text, count: 0...MIDIPorts.channelCount)) { [self] in
        .list(presetRuns.map { .text($0) })
      },
    ]
  }

  private func set<Value: Equatable>(
    _ path: WritableKeyPath<SamplerConfiguration, Value>, _ value: Value
  ) throws(InstrumentError) {
    var new = configuration
    guard value != new.sampler[keyPath: path] else { return }
    new.sampler[keyPath: path] = value
    try exchange(new)
  }

  /// The presets of the channels; neighbours with the same one are joined: "1-9 Piano 1".
  private var presetRuns: [String] {
    let names = (0..<outputBusCount).map { preset(ofChannel: $0)?.name }
    var runs: [String] = []
    var first = 0
    for channel in names.indices where (channel + 1) % 16 == 0 || names[channel + 1] != names[channel] {
      let (start, end) = (ChannelName.text(first), ChannelName.text(channel))
      let span = first == channel ? start : "\(start)-\(end)"
      if let name = names[channel] { runs.append("\(span) \(name)") }
      first = channel + 1
    }
    return runs
  }
}

extension [SamplerEngine] {
  /// The one that a value of a property names.
  func named(_ value: PropertyValue?) -> SamplerEngine? { first { $0.rawValue == value?.text } }
}

extension Component {
  /// The components of this module.
  public static var instruments: [Component] { instruments(engines: [.native]) }

  /// The same, whose samplers play soundfonts by one of several engines.
  package static func instruments(engines: [SamplerEngine]) -> [Component] {
    [sampler(engines), stereoSampler(engines), metronome]
  }

  private static let metronome = Component(
    .effect, "metr", name: "metronome", summary: "clicks on the beats of songs, or at a tempo"
  ) { _ in MetronomeNode() }

  private static func sampler(_ engines: [SamplerEngine]) -> Component {
    let fonts = CreationProperty(RackNode.soundFonts.name, kind: .list(of: .text, count: 1...Int.max), isRequired: true)
    return Component(
      .instrument, "samp", name: "sampler", summary: "plays soundfonts: 16 MIDI channels, each a stereo output",
      creation: [fonts] + RackNode.creation(engines: engines).filter { $0.name != fonts.name }
    ) { try RackNode($0, assignments: [], engines: engines) }
  }
}
