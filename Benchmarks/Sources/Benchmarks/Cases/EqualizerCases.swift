import AudioGraph
import SynthDSP
import SynthKit
import SynthRealtime

extension Case {
  static func equalizer() throws -> [Case] {
    let library = EqualizerPresetLibrary.standard()
    let (pop, rock) = (try library.preset("pop").curve, try library.preset("rock").curve)
    let fade = try FadingEqualizer(from: pop, to: rock)
    return [
      try equalizer("flat", .flat, { noise(loud: $0) }),
      try equalizer("pop", pop, { noise(loud: $0) }),
      Case("equalizer, pop to rock in a fade", Work(fade.run)),
      try equalizer("pop, silence", pop, { _ in silence() }),
    ]
  }

  private static func equalizer(
    _ name: String, _ curve: EqualizerCurve, _ source: (_ loud: Bool) -> SourceNode
  ) throws -> Case {
    Case(
      "equalizer, \(name)", try filter(EqualizerNode(curve: curve), source(false)),
      without: try filter(EmptyNode(), source(false)))
  }

  /// source ─ node ─ output
  private static func filter(_ node: any AudioNode, _ source: SourceNode) throws -> Work {
    try Work { graph in
      try graph.attach(source)
      try graph.attach(node)
      try graph.connect(source, to: node)
      return node
    }
  }
}

/// An equalizer in a fade that outlasts the benchmark; the node's own takes 75 quanta, too few to measure.
private final class FadingEqualizer {
  /// The old one and the new one.
  private let settings = UnsafeMutablePointer<EqualizerCoefficients>.allocate(capacity: 2)
  private let processor = UnsafeMutablePointer<EqualizerProcessor>.allocate(capacity: 1)
  private var buffer = AudioBuffer(
    format: AudioFormat(sampleRate: Work.sampleRate, channelCount: 4), frameCount: renderQuantum
  ) { channel, _ in channel < 2 ? .random(in: -0.5...0.5) : 0 }

  init(from old: EqualizerCurve, to new: EqualizerCurve) throws {
    for (index, curve) in [old, new].enumerated() {
      (settings + index).initialize(to: try EqualizerDesign(curve: curve, sampleRate: Work.sampleRate).coefficients)
    }
    processor.initialize(
      to: EqualizerProcessor(setting: settings, sampleRate: Work.sampleRate, fadeDuration: 10_000))
    processor.pointee.set(settings + 1)
  }

  deinit {
    processor.deinitialize(count: 1)
    processor.deallocate()
    settings.deallocate()
  }

  func run(_ quantumCount: Int) {
    buffer.withRenderSlice { slice in
      for _ in 0..<quantumCount {
        _ = processor.pointee.process(
          left: slice.channels[0], right: slice.channels[1], leftOutput: slice.channels[2],
          rightOutput: slice.channels[3], frameCount: renderQuantum, inputIsSilent: false)
      }
    }
  }
}
