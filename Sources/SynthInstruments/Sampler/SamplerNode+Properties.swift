import AudioGraph

extension SamplerNode {
  static let font = CreationProperty("sound font", kind: .text)
  static let outputs = CreationProperty("outputs", kind: .choice(Outputs.allCases.map(\.rawValue)))

  static func creation(engines: [SamplerEngine]) -> [CreationProperty] {
    [font, outputs, RackNode.rate, RackNode.engine(of: engines)]
  }

  /// A sampler from the values of `creation`. [control thread]
  convenience init(_ values: CreationValues, engines: [SamplerEngine]) throws {
    try self.init(
      sampleRate: values[RackNode.rate]?.number ?? 48000,
      outputs: values[Self.outputs]?.text.flatMap(Outputs.init) ?? .stereo,
      engine: engines.named(values[RackNode.engine(of: engines)]) ?? .native)
    if let path = values[Self.font]?.text, !path.isEmpty { try load(path) }
  }

  /// What is loaded, which can be set, and how it was made.
  public var properties: [Property] {
    [
      Property(
        Self.font.name, of: self, kind: Self.font.kind, read: { [self] in .text(path ?? "") },
        write: { [self] value in try value.text.map { try load($0) } }),
      Property(Self.outputs, of: self) { [outputBusCount] in
        .text((outputBusCount == 1 ? Outputs.stereo : .channels).rawValue)
      },
      Property(RackNode.rate, of: self) { [sampleRate] in .number(sampleRate) },
      Property(RackNode.engine(of: rack.engines), of: self) { [engine] in .text(engine.rawValue) },
    ]
  }
}

extension Component {
  static func stereoSampler(_ engines: [SamplerEngine]) -> Component {
    Component(
      .instrument, "ssmp", name: "stereo sampler",
      summary: "plays a soundfont, or audio files by their keys, into one stereo output",
      creation: SamplerNode.creation(engines: engines)
    ) { try SamplerNode($0, engines: engines) }
  }
}
