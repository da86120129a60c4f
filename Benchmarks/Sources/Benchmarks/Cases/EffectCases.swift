import AudioGraph

extension Case {
  static func effects() throws -> [Case] {
    [
      try effect("reverb", ReverbNode()) { noise() },
      try effect("reverb, silence", ReverbNode(), silence),
      try effect("chorus", ChorusNode()) { noise() },
      try effect("chorus, silence", ChorusNode(), silence),
      try effect("limiter, below the threshold", LimiterNode()) { noise() },
      try effect("limiter, at work", LimiterNode()) { noise(loud: true) },
      try effect("limiter, silence", LimiterNode(), silence),
      try effect("echo", EchoNode()) { noise() },
    ]
  }

  /// source ─ node ─ output
  private static func effect(_ name: String, _ node: any AudioNode, _ source: () -> SourceNode) throws -> Case {
    func work(_ node: any AudioNode) throws -> Work {
      let source = source()
      return try Work { graph in
        try graph.attach(source)
        try graph.attach(node)
        try graph.connect(source, to: node)
        return node
      }
    }
    return Case(name, try work(node), without: try work(EmptyNode()))
  }
}
