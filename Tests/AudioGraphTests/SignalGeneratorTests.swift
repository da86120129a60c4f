import AudioGraph
import Glibc
import SynthDSP
import Testing

@Suite("The signal generator")
struct SignalGeneratorTests {
  /// A generator that feeds the output, and its first 4800 frames: 100 ms.
  private func started(
    _ waveform: Waveform = .sine, frequency: Float = 440, level: Float = 0, channelCount: Int = 1
  ) throws -> (generator: SignalGeneratorNode, engine: AudioEngine, frames: [Float]) {
    let generator = SignalGeneratorNode(
      waveform: waveform, frequency: frequency, level: level, channelCount: channelCount)
    let engine = try AudioEngine.chain(generator, output: try OutputNode(channelCount: 1, sourceCount: channelCount))
    return (generator, engine, engine.render(4800, channels: 1)[0])
  }

  /// How much a signal bends at most: the greatest second difference, of which a click has a great one.
  private func bend(_ samples: [Float]) -> Float {
    zip(zip(samples, samples.dropFirst()), samples.dropFirst(2)).map { abs($0.0 - 2 * $0.1 + $1) }.max() ?? 0
  }

  /// That of a sine at full scale.
  private func bend(ofSineAt frequency: Double) -> Float { Float(pow(2 * .pi * frequency / 48000, 2)) }

  @Test("plays a sine that begins at zero and is exact to the last bits")
  func exactSine() throws {
    let samples = try started(frequency: 1000).frames
    for (frame, sample) in samples.enumerated() {
      #expect(abs(Double(sample) - sin(2 * .pi * 1000 * Double(frame) / 48000)) < 3e-7)
    }
  }

  @Test("plays the same in every channel")
  func channels() throws {
    let generator = SignalGeneratorNode(waveform: .noise, channelCount: 3)
    let engine = try AudioEngine.chain(generator, output: try OutputNode(channelCount: 3, sourceCount: 3))
    let samples = engine.render(100, channels: 3)
    #expect(samples[0].contains { $0 != 0 })
    #expect(samples[1] == samples[0] && samples[2] == samples[0])
  }

  @Test("goes to another frequency in a straight line of 100 ms, without a bend of its own")
  func frequencyRamp() throws {
    let (generator, engine, before) = try started(frequency: 480)
    generator.frequency.value = 960
    let during = engine.render(4800, channels: 1)[0]
    let after = engine.render(4800, channels: 1)[0]
    #expect(bend(before + during + after) < 1.01 * bend(ofSineAt: 960))
    // 100 ms at the mean of both are 72 periods, and half a frame's difference of the two, 0.03 of a radian.
    for (frame, sample) in after.enumerated() {
      #expect(abs(Double(sample) - sin(2 * .pi * 960 * Double(frame) / 48000)) < 0.04)
    }
  }

  @Test("changes its level in a straight line as long as it is told, and is silence at -120 dB")
  func levelRamp() throws {
    let (generator, engine, _) = try started(.square, frequency: 1)
    generator.rampDuration = 0.2
    generator.level.value = -120
    let fall = engine.render(9600, channels: 1)[0]
    #expect(abs(fall[4799] / fall[0] - 0.5) < 0.001)
    #expect(fall[9599] == 0)
  }

  @Test("says that it is silent when it is, and again that it is not")
  func silence() throws {
    let generator = SignalGeneratorNode(level: -120)
    let watcher = SilenceWatcher()
    let engine = try AudioEngine.chain(generator, watcher, output: try OutputNode(channelCount: 1, sourceCount: 1))
    _ = engine.render(64, channels: 1)
    #expect(watcher.wasSilent)
    generator.level.value = 0
    _ = engine.render(64, channels: 1)
    #expect(!watcher.wasSilent)
  }

  @Test("fades from one waveform to another without a bend beyond what the two have", arguments: [0.1, 0.01])
  func waveformFade(duration: Double) throws {
    let (generator, engine, before) = try started()
    generator.rampDuration = duration
    generator.waveform = .triangle
    let during = engine.render(4800, channels: 1)[0]
    let triangle = try AudioEngine.chain(
      SignalGeneratorNode(waveform: .triangle, level: 0), output: try OutputNode(channelCount: 1, sourceCount: 1)
    ).render(14_400, channels: 1)[0]
    #expect(bend(before + during) < bend(triangle) + bend(ofSineAt: 440))
    #expect(engine.render(4800, channels: 1)[0] == triangle.suffix(4800))
  }

  @Test("plays on without a seam when the graph around it is edited")
  func edits() throws {
    let (_, engine, before) = try started()
    try engine.edit { graph in try graph.attach(MixerNode(inputBusCount: 1)) }
    let after = engine.render(4800, channels: 1)[0]
    #expect(bend(before + after) < 1.01 * bend(ofSineAt: 440))
  }

  @Test("gives the same whatever the slice size, also while everything changes", arguments: [1, 100, 512])
  func sliceSizes(sliceSize: Int) throws {
    func render(_ sliceSize: Int) throws -> [Float] {
      let (generator, engine, _) = try started(.sawtooth)
      generator.frequency.value = 3000
      generator.waveform = .square
      generator.level.value = -6
      return engine.render(9600, channels: 1, sliceSize: sliceSize)[0]
    }
    #expect(try render(sliceSize) == render(64))
  }
}

/// Passes nothing on, but remembers whether its input was silent.
private final class SilenceWatcher: AudioNode, @unchecked Sendable {
  let name = "silence watcher"
  let inputBusCount = 1
  let outputBusCount = 1
  private let flag: UnsafeMutablePointer<Bool>

  init() {
    flag = .allocate(capacity: 1)
    flag.initialize(to: false)
  }

  deinit { flag.deallocate() }

  var wasSilent: Bool { flag.pointee }

  func outputFormats(inputs: [AudioFormat?], sampleRate: Double) -> [AudioFormat] { [.mono(sampleRate)] }

  func kernel(for formats: BusFormats) -> Kernel {
    Kernel(flag, retaining: [self]) { flag, context in
      let context = context.assumingMemoryBound(to: RenderContext.self).pointee
      flag.assumingMemoryBound(to: UnsafeMutablePointer<Bool>.self).pointee.pointee = context.input(0).isSilent
      context.output(0).silence()
    }
  }
}
