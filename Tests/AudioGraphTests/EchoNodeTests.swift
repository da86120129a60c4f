import AudioGraph
@preconcurrency import Glibc
import Testing

@Suite("Echo node")
struct EchoNodeTests {
  let echo = EchoNode()

  /// 1 at a frame, in every channel; else 0.
  private func impulse(at time: Int64 = 0, channels: Int = 1) -> SourceNode {
    SourceNode(format: AudioFormat(sampleRate: 48000, channelCount: channels)) { request in
      request.buffers.silence()
      guard (request.sampleTime..<request.sampleTime + 64).contains(time) else { return }
      request.buffers.isSilent = false
      for channel in 0..<channels { request.buffers[channel][Int(time - request.sampleTime)] = 1 }
    }
  }

  // source ─► echo ─► output
  private func engine(_ source: SourceNode) throws -> AudioEngine {
    let channels = source.format.channelCount
    return try AudioEngine.chain(source, echo, output: try OutputNode(channelCount: channels, sourceCount: channels))
  }

  @Test(
    "an impulse comes again after each time of whole frames, times the feedback, in every channel",
    arguments: [1, 64, 100, 4711], [50, -50] as [Float])
  func repeats(frames: Int, feedback: Float) throws {
    echo.time.value = Float(frames) / 48000
    echo.feedback.value = feedback
    echo.cutoff.value = 20_000
    echo.mix.value = 100
    let samples = try engine(impulse(channels: 3)).render(10_000, channels: 3, sliceSize: 100)
    for channel in samples {
      #expect(
        channel
          == (0..<10_000).map { frame in
            guard frame > 0, frame % frames == 0 else { return 0 }
            let value = Float(pow(Double(feedback) / 100, Double(frame / frames - 1)))
            return value.isNormal ? value : 0  // as denormal numbers are flushed
          })
    }
  }

  @Test("the mix goes from dry to wet in a straight line", arguments: [0, 25, 100] as [Float])
  func mix(percent: Float) throws {
    echo.time.value = 100 / 48000
    echo.mix.value = percent
    let samples = try engine(impulse()).render(150, channels: 1)[0]
    #expect(samples == (0..<150).map { $0 == 0 ? 1 - percent / 100 : $0 == 100 ? percent / 100 : 0 })
  }

  @Test("a time of 0 is a frame")
  func shortest() throws {
    echo.time.value = 0
    echo.mix.value = 100
    echo.feedback.value = 0
    #expect(try engine(impulse()).render(10, channels: 1)[0] == (0..<10).map { $0 == 1 ? 1 : 0 })
  }

  @Test("the second echo has -3 dB at the cutoff, and is the low pass's response", arguments: [100, 1000, 15_000])
  func lowPass(cutoff: Double) throws {
    echo.time.value = 0.25
    echo.cutoff.value = Float(cutoff)
    echo.feedback.value = 99
    echo.mix.value = 100
    let samples = try engine(impulse()).render(36_000, channels: 1)[0][24_000...].map { Double($0) / 0.99 }
    var (real, imaginary) = (0.0, 0.0)
    for (frame, sample) in samples.enumerated() {
      real += sample * cos(2 * .pi * cutoff / 48000 * Double(frame))
      imaginary += sample * sin(2 * .pi * cutoff / 48000 * Double(frame))
    }
    #expect(abs((real * real + imaginary * imaginary) - 0.5) < 1e-4)
    #expect(abs(samples.reduce(0, +) - 1) < 1e-4)
    // A first-order recursion falls by the same factor each frame.
    let y = 1 - cos(2 * .pi * cutoff / 48000)
    let share = sqrt(y * y + 2 * y) - y
    for frame in 0..<20 { #expect(abs(samples[frame] - share * pow(1 - share, Double(frame))) < 1e-5) }
  }

  @Test("a new time is glided to without a step, and is then true to the sample", arguments: [0.1, 0.3] as [Float])
  func glide(time: Float) throws {
    echo.time.value = 0.2
    echo.feedback.value = 0
    echo.mix.value = 100
    let source = SineSource(format: .mono(48000))
    try withExtendedLifetime(source) {
      let engine = try engine(source.node)
      _ = engine.render(19_200, channels: 1)
      echo.time.value = time
      let samples = engine.render(19_200, channels: 1)[0]
      // A sine of 1 kHz has steps of 0.131 at 48 kHz. The glide of 0.1 s in 0.2 s reads half as fast again at most.
      let steps = zip(samples, samples.dropFirst()).map { abs($0 - $1) }
      #expect(steps.allSatisfy { $0 < 0.131 * 1.5 + 0.001 })
      #expect(steps[..<9000].contains { $0 > 0.131 * 1.4 } == (time < 0.2))
      for frame in 9700..<19_200 {
        let source = SineSource.value(at: Double(19_200 + frame - Int(time * 48000 + 0.5)) * (1 / 48000))
        #expect(samples[frame] == source)
      }
    }
  }

  @Test("a scheduled time ends at its frame, whatever the slices' sizes", arguments: [1, 64, 1000])
  func scheduledTime(sliceSize: Int) throws {
    echo.time.value = 100 / 48000
    echo.feedback.value = 0
    echo.mix.value = 100
    let engine = try engine(CountingSource(format: .mono(48000)).node)
    try engine.schedule(echo.time, to: 400 / 48000, at: 1000, over: 600)
    let samples = engine.render(2000, channels: 1, sliceSize: sliceSize)[0]
    // The delay grows by half a frame a frame, and what is read of a straight line lies on it.
    for frame in 100..<1000 { #expect(samples[frame] == Float(frame - 100)) }
    for frame in 1000..<1599 { #expect(abs(samples[frame] - (Float(frame) - 100 - Float(frame - 999) / 2)) < 0.01) }
    for frame in 1599..<2000 { #expect(samples[frame] == Float(frame - 400)) }
  }

  @Test("feedback and mix are scheduled to the frame", arguments: [0, 1])
  func scheduledShares(which: Int) throws {
    echo.time.value = 1 / 48000
    echo.cutoff.value = 20_000
    echo.feedback.value = 0
    echo.mix.value = which == 0 ? 100 : 0
    let engine = try engine(ConstantSource(1, format: .mono(48000)).node)
    let parameter = which == 0 ? echo.feedback : echo.mix
    try engine.schedule(parameter, to: which == 0 ? 50 : 100, at: 1000, over: 0)
    let samples = engine.render(1100, channels: 1)[0]
    #expect(samples[..<1001].dropFirst().allSatisfy { $0 == 1 })
    #expect(samples[1001] == (which == 0 ? 1.5 : 1))
    #expect(abs(samples[1099] - (which == 0 ? 2 : 1)) < 1e-6)
  }

  @Test("once its line is quiet it is silent for what hears it, and sounds again when there is sound")
  func rest() throws {
    echo.time.value = 0.01
    echo.feedback.value = 10
    let calls = Calls()
    let watch = EffectNode(tail: 0) { calls.note($0) }
    let engine = try AudioEngine.chain(
      impulse(at: 300_000), echo, watch, output: try OutputNode(channelCount: 1, sourceCount: 1))
    _ = engine.render(299_000, channels: 1)
    #expect(calls.all.isEmpty)
    let samples = engine.render(300_000, channels: 1)[0]
    #expect(samples[1000] == 0.5 && samples[1480] == 0.5)
    // Ten echoes, and once through the 2¹⁸ frames of the line.
    #expect(calls.all.count * 64 > 262_144 && calls.all.count * 64 < 270_000)
  }

  @Test("what is no number does not stay in the loop")
  func notANumber() throws {
    echo.time.value = 0.001
    let source = SourceNode(format: .mono(48000)) { request in
      request.buffers[0].update(repeating: request.sampleTime == 0 ? .nan : 0.5, count: 64)
    }
    #expect(try engine(source).render(1000, channels: 1)[0][64...].allSatisfy(\.isFinite))
  }

  @Test("channels that do not fit its memory are refused in a line")
  func memory() throws {
    let format = AudioFormat(sampleRate: 192_000, channelCount: 200)
    let error = #expect(throws: GraphError.self) {
      try AudioEngine.chain(ConstantSource(1, format: format).node, echo, output: try OutputNode(channelCount: 2))
    }
    #expect(
      "\(error!)".contains("5.0 s of 192000 Hz 200 channels do not fit the echo's memory; give it fewer channels"))
  }
}
