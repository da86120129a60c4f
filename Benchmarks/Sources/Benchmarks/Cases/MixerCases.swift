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

  static func spatialMixer() throws -> [Case] {
    try [
      spatial("8 inputs, equal power", .equalPower, inputs: 8),
      spatial("1 input, HRTF", .hrtf),
      spatial("1 input, HRTF, circling", .hrtf, isCircling: true),
      spatial("8 inputs, HRTF", .hrtf, inputs: 8),
    ]
  }

  private static func spatial(
    _ name: String, _ algorithm: SpatialAlgorithm, inputs: Int = 1, isCircling: Bool = false
  ) throws -> Case {
    let node = try SpatialMixerNode(inputBusCount: inputs)
    for (bus, input) in node.inputs.enumerated() {
      input.render(by: algorithm)
      input.azimuth.value = Float(bus * 31)
    }
    let still = try mix(node) { noise(channelCount: 1) }
    // A circle in a second.
    let circling = Work { quantumCount in
      for _ in 0..<quantumCount {
        let azimuth = node.inputs[0].azimuth.value + 0.48
        node.inputs[0].azimuth.value = azimuth < 360 ? azimuth : 0
        still.run(1)
      }
    }
    return Case(
      "spatial mixer, \(name)", isCircling ? circling : still,
      without: try mix(EmptyNode(inputs: inputs)) { noise(channelCount: 1) })
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
