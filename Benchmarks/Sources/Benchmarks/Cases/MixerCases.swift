import AudioGraph

extension Case {
  static func mixer() throws -> [Case] {
    try [
      mixer("16 stereo buses", count: 16) { noise() },
      mixer("16 silent buses", count: 16, silence),
      mixer("16 buses beyond full scale", count: 16) { noise(loud: true) },
      mixer("64 stereo buses", count: 64) { noise() },
      mixer("64 silent buses", count: 64, silence),
      matrix("16 stereo inputs, every channel to 1 output", outputs: 2),
      matrix("and with 480 silent crosspoints beside those 32", outputs: 16),
    ]
  }

  private static func mixer(_ name: String, count: Int, _ source: () -> SourceNode) throws -> Case {
    Case(
      "mixer, \(name)", try mix(MixerNode(inputBusCount: count), source),
      without: try mix(EmptyNode(inputs: count), source))
  }

  private static func matrix(_ name: String, outputs: Int) throws -> Case {
    let node = try MatrixMixerNode(
      inputChannelCounts: Array(repeating: 2, count: 16), outputChannelCount: outputs)
    return Case("matrix mixer, \(name)", try mix(node) { noise() }, without: try mix(EmptyNode(inputs: 16)) { noise() })
  }

  ///     source ─┐
  ///        …    ├─ node ─ output
  ///     source ─┘
  private static func mix(_ node: any AudioNode, _ source: () -> SourceNode) throws -> Work {
    try Work { graph in
      try graph.attach(node)
      for bus in 0..<node.inputBusCount {
        let source = source()
        try graph.attach(source)
        try graph.connect(source, to: node, toBus: bus)
      }
      return node
    }
  }
}
