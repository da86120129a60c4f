import AudioGraph

extension Case {
  static func mixer() throws -> [Case] {
    try [
      mixer("16 stereo buses", count: 16) { noise() },
      mixer("16 silent buses", count: 16, silence),
      mixer("16 buses beyond full scale", count: 16) { noise(loud: true) },
      mixer("64 stereo buses", count: 64) { noise() },
      mixer("64 silent buses", count: 64, silence),
    ]
  }

  private static func mixer(_ name: String, count: Int, _ source: () -> SourceNode) throws -> Case {
    Case(
      "mixer, \(name)", try mix(MixerNode(inputBusCount: count), source),
      without: try mix(EmptyNode(inputs: count), source))
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
