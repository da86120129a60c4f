import AudioGraph
@preconcurrency import Glibc

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
      try effect("compressor", CompressorNode()) { noise() },
      try effect("echo", EchoNode()) { noise() },
      try effect("convolver, 3 s in stereo", ConvolverNode(response: decay(seconds: 3))) { noise() },
      try effect("tap delay", TapDelayNode(type: .panRepeat)) { noise() },
      try effect("distortion, soft", DistortionNode()) { noise() },
      try effect("parametric equalizer, 10 peaks of 6 dB", peaks()) { noise() },
      try effect("parametric equalizer, 10 bands of 0 dB", ParametricEqualizerNode(bandCount: 10)) { noise() },
    ]
  }

  /// Noise that decays by 60 dB, as rooms answer.
  private static func decay(seconds: Double) -> AudioBuffer {
    let count = Int(seconds * Work.sampleRate)
    var state: UInt32 = 1
    let channels = (0..<2).map { _ in
      (0..<count).map { frame in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Float(Int32(bitPattern: state)) / 0x1p31 * Float(pow(10, -3 * Double(frame) / Double(count)))
      }
    }
    return AudioBuffer(channels, sampleRate: Work.sampleRate)
  }

  private static func peaks() throws -> ParametricEqualizerNode {
    let node = try ParametricEqualizerNode(bandCount: 10)
    for band in node.bands { band.gain.value = 6 }
    return node
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
