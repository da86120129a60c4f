import AudioGraph

extension Case {
  /// The shortest graph there is, whole: engine, source, channel map, delivery into the device's buffers.
  static func output() throws -> [Case] {
    try [2, 8].map { channelCount in
      Case(
        "source and output, \(channelCount) channels",
        try Work(channelCount: channelCount) { graph in
          let source = noise()
          try graph.attach(source)
          return source
        })
    }
  }
}
