import AudioGraph

extension Component {
  /// The kinds of node of this module.
  public static var instruments: [Component] { [sampler] }

  private static let sampler = Component(
    .instrument, "samp", name: "sampler", summary: "plays soundfonts: 16 MIDI channels, each a stereo output",
    creation: [SamplerNode.soundFonts, SamplerNode.sampleRate, SamplerNode.polyphony, SamplerNode.gain]
  ) { values in
    var configuration = SamplerConfiguration(
      soundFonts: (values[SamplerNode.soundFonts]?.list ?? []).compactMap(\.text))
    if let polyphony = values[SamplerNode.polyphony]?.integer { configuration.polyphony = polyphony }
    if let gain = values[SamplerNode.gain]?.number { configuration.gain = gain }
    return try SamplerNode(configuration, sampleRate: values[SamplerNode.sampleRate]?.number ?? 48000)
  }
}

extension SamplerNode {
  static let soundFonts = CreationProperty("sound fonts", kind: .list(of: .text, count: 1...Int.max), isRequired: true)
  static let sampleRate = CreationProperty("sample rate", kind: .number(8000...96000, unit: .hertz))
  static let polyphony = CreationProperty("polyphony", kind: .integer(1...65535))
  static let gain = CreationProperty("gain", kind: .number(0...10, unit: .ratio))
}
