import AudioGraph

extension Case {
  static func converter() throws -> [Case] {
    [
      Case("converter, 44.1 to 48 kHz, stereo", try convert(ConverterNode(), 44100), without: try convert(EmptyNode())),
      Case("converter, 96 to 48 kHz, stereo", try convert(ConverterNode(), 96000), without: try convert(EmptyNode())),
      Case(
        "converter, stereo to mono",
        try convert(ConverterNode(channels: .automatic(channelCount: 1))), without: try convert(EmptyNode())),
      Case("delay of a second", try convert(try DelayNode(delay: 1)), without: try convert(EmptyNode())),
    ]
  }

  /// noise ─ node ─ output
  private static func convert(_ node: any AudioNode, _ rate: Double = Work.sampleRate) throws -> Work {
    try Work { graph in
      let source = noise(sampleRate: rate)
      try graph.attach(source)
      try graph.attach(node)
      try graph.connect(source, to: node)
      return node
    }
  }
}
