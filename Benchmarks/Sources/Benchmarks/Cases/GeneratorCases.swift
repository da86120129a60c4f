import AudioGraph
import Glibc
import SynthDSP
import SynthRealtime

extension Case {
  /// The signal generator's waveforms, and beside the sawtooth its Fourier series, added up.
  static func generator() throws -> [Case] {
    let series = SawtoothSeries(frequency: 27.5)
    return [
      try generator("noise", .noise, 440), try generator("sine, 440 Hz", .sine, 440),
      try generator("sawtooth, 8.2 Hz", .sawtooth, 8.1758),
      try generator("sawtooth, 27.5 Hz", .sawtooth, 27.5),
      try generator("sawtooth, 4186 Hz", .sawtooth, 4186),
      Case("Fourier series of a sawtooth, 27.5 Hz", Work(series.run)),
    ]
  }

  private static func generator(_ name: String, _ waveform: Waveform, _ frequency: Float) throws -> Case {
    Case(
      "generator, \(name)",
      try source(SignalGeneratorNode(waveform: waveform, frequency: frequency)),
      without: try source(EmptyNode(inputs: 0)))
  }

  private static func source(_ node: any AudioNode) throws -> Work {
    try Work { graph in
      try graph.attach(node)
      let mixer = MixerNode(inputBusCount: 1)
      mixer.inputs[0].isEnabled.value = 0
      try graph.attach(mixer)
      try graph.connect(node, to: mixer)
      return mixer
    }
  }
}

/// All harmonics of a sawtooth below half the rate, eight frames at a time, each from the two before it: sin kφ is
/// 2 cos φ · sin (k − 1)φ less sin (k − 2)φ. The cheapest way there is to add them up one by one.
private final class SawtoothSeries {
  private let harmonicCount: Int
  private let step: Double
  private let amplitudes: UnsafeMutablePointer<Float>
  private let samples = UnsafeMutablePointer<Float>.allocate(capacity: renderQuantum)
  private var phase = 0.0

  init(frequency: Double) {
    harmonicCount = Int(Work.sampleRate / 2 / frequency)
    step = frequency / Work.sampleRate
    amplitudes = .allocate(capacity: harmonicCount)
    for k in 1...harmonicCount { (amplitudes + k - 1).initialize(to: Float(2 / (.pi * Double(k)))) }
  }

  deinit {
    samples.deallocate()
    amplitudes.deallocate()
  }

  func run(_ quantumCount: Int) {
    let output = UnsafeMutableRawPointer(samples)
    for _ in 0..<quantumCount {
      for frame in stride(from: 0, to: renderQuantum, by: 8) {
        output.storeBytes(of: nextEight(), toByteOffset: frame * 4, as: SIMD8<Float>.self)
      }
    }
  }

  private func nextEight() -> SIMD8<Float> {
    var last = SIMD8<Float>()
    var cosine = SIMD8<Float>()
    for lane in 0..<8 {
      let angle = 2 * Double.pi * phase
      last[lane] = Float(sin(angle))
      cosine[lane] = Float(2 * cos(angle))
      phase += step
      phase -= phase.rounded(.down)
    }
    var beforeLast = SIMD8<Float>()
    var sum = SIMD8<Float>()
    for k in 0..<harmonicCount {
      sum += last * amplitudes[k]
      let next = cosine * last - beforeLast
      beforeLast = last
      last = next
    }
    return sum
  }
}
