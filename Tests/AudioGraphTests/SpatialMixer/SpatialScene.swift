import AudioGraph
import SynthDSP

/// A spatial mixer with a signal on each input, whose output is rendered by hand.
///
///     signal ─► mixer ─► output
struct TestScene {
  let mixer: SpatialMixerNode
  let engine: AudioEngine

  /// Past every ramp: 20 ms are 960 frames at 48 kHz.
  static let settled = 4096

  /// The samples of an input, by sample time.
  typealias Signal = @Sendable (Int64) -> Float

  init(layout: SpeakerLayout = .stereo, sampleRate: Double = 48000, _ signal: @escaping Signal) throws {
    try self.init(layout: layout, sampleRate: sampleRate, [signal])
  }

  init(layout: SpeakerLayout = .stereo, sampleRate: Double = 48000, _ signals: [Signal]) throws {
    mixer = try SpatialMixerNode(inputBusCount: signals.count, layout: layout)
    engine = AudioEngine(sampleRate: sampleRate)
    let output = try OutputNode(channelCount: layout.channelCount, sourceCount: layout.channelCount)
    try engine.edit { [mixer] graph in
      try graph.attach(mixer)
      try graph.attach(output)
      try graph.connect(mixer, to: output)
      for (bus, signal) in signals.enumerated() {
        let source = SourceNode(name: "signal \(bus)", format: .mono(sampleRate)) { request in
          var isSilent = true
          for frame in 0..<request.frameCount {
            let sample = signal(request.sampleTime + Int64(frame))
            request.buffers[0][frame] = sample
            if sample != 0 { isSilent = false }
          }
          if isSilent { request.buffers.silence() }
        }
        try graph.attach(source)
        try graph.connect(source, to: mixer, toBus: bus)
      }
    }
  }

  func render(_ frameCount: Int) -> [[Float]] { engine.render(frameCount, channels: mixer.layout.channelCount) }

  /// The last frame of each channel, once everything has come to rest.
  func settle() -> [Float] { render(Self.settled).map { $0[Self.settled - 1] } }
}

/// Noise that a frame's time decides.
func noise(_ time: Int64) -> Float {
  let mixed = UInt64(bitPattern: time &+ 1) &* 0x9E37_79B9_7F4A_7C15
  return Float(Int32(truncatingIfNeeded: (mixed ^ mixed >> 29) &* 0xBF58_476D_1CE4_E5B9 >> 32)) / 0x8000_0000
}
