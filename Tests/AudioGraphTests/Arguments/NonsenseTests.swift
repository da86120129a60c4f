import AudioGraph
import SynthDSP
import SynthRealtime
import Testing

/// Numbers that no sensible caller gives.
private let doubles = [Double.nan, .infinity, -Double.infinity, -1, 0, 1e300, -1e300, .leastNonzeroMagnitude]
private let integers = [Int.min, -1, 0, .max]

@Suite("Arguments that make no sense")
struct NonsenseTests {
  private let engine = AudioEngine(sampleRate: 48000)

  @Test("an engine that cannot run at its rate refuses every edit, and a format equals itself", arguments: doubles)
  func rates(_ rate: Double) {
    let engine = AudioEngine(sampleRate: rate)
    #expect(throws: GraphError.self) { try engine.edit { try $0.attach(SinkNode { _ in }) } }
    #expect(engine.sampleTime(after: .seconds(1)) >= -1 << 60)
    let format = AudioFormat.stereo(rate)
    #expect(format == format)
    #expect(AudioBuffer(format: format, frameCount: 1).format == format)
    let error = EngineError.sampleRate(engine: rate, player: "x", rate: rate)
    #expect(error.description.contains("x plays"))
  }

  @Test("beats at any tempo are a duration that an engine's time goes on by", arguments: doubles)
  func beats(_ number: Double) {
    for duration in [Duration.beats(number, tempo: 120), .beats(4, tempo: number), .beats(number, tempo: number)] {
      #expect(abs(engine.sampleTime(after: duration)) <= 1 << 60)
    }
    #expect(Duration.beats(4, tempo: 0) == .seconds(0x1p60) && Duration.beats(.nan, tempo: 120) == .zero)
    #expect(Duration.beats(0, tempo: 0) == .zero && Duration.beats(4, tempo: 120) == .seconds(2))
  }

  @Test("an output without a device clamps its rate, period and channels, and plays", arguments: doubles)
  func pacedOutput(_ number: Double) throws {
    let integer = Int(exactly: number) ?? (number > 0 ? .max : .min)
    let output = PacedOutput(sampleRate: number, channelCount: integer, period: integer)
    #expect((1...1_000_000).contains(output.sampleRate))
    #expect((1...1024).contains(output.channelCount) && (1...65536).contains(output.latency.period))
    let small = PacedOutput(sampleRate: number, channelCount: 1, period: 0)
    try small.start(
      { _, slice in slice.assumingMemoryBound(to: RenderSlice.self).pointee.frameCount = 0 }, context: unused)
    small.stop()
    #expect((1...1_000_000).contains(VirtualInput(sampleRate: number).sampleRate))
    VirtualInput(sampleRate: number, channelCount: 1).deliver([[0, 1]])
    _ = try InputNode(format: AudioFormat(sampleRate: number, channelCount: 1))
  }

  @Test("seconds are nanoseconds of 0 to 30 years", arguments: doubles)
  func nanoseconds(_ number: Double) {
    #expect(HostClock.nanoseconds(number) == (number > 1 ? 1_000_000_000_000_000_000 : 0))
    #expect(HostClock.nanoseconds(0.5) == 500_000_000)
  }

  @Test("a parameter's default and values are finite and in its range", arguments: doubles.map { Float($0) })
  func parameters(_ number: Float) {
    let parameter = Parameter("p", unit: .decibels, range: -120...24, default: number, rampDuration: Double(number))
    #expect(parameter.range.contains(parameter.defaultValue) && parameter.isDefault)
    #expect((0...3600).contains(parameter.rampDuration))
    parameter.value = -6
    parameter.value = number
    #expect(parameter.range.contains(parameter.value))
    if number.isNaN { #expect(parameter.value == -6) }
    parameter.writer.set(number)
    #expect(parameter.value.isFinite)
    let endless = Parameter("e", unit: .decibels, range: -Float.infinity...Float.infinity, default: number)
    endless.value = number
    #expect(endless.value.isFinite && endless.reader.renderValue.isFinite)
  }

  @Test("no value is scheduled that is not finite; any time and length is", arguments: integers)
  func schedule(_ number: Int) throws {
    let mixer = MixerNode(inputBusCount: 1)
    let engine = try AudioEngine.chain(ConstantSource(0.5).node, mixer, output: try OutputNode(channelCount: 2))
    let gain = mixer.outputGain
    #expect(throws: ParameterError.notANumber(parameter: gain.name)) {
      try engine.schedule(gain, to: .nan, at: Int64(number))
    }
    try engine.schedule(gain, to: .infinity, at: Int64(number), over: number)
    try engine.cancelSchedule(of: gain, from: Int64(number))
    _ = engine.hostTime(atSampleTime: Int64(number))
    #expect(engine.render(640).joined().allSatisfy { $0.isFinite })
  }

  @Test("a parameter is scheduled by the engine that has it, or whose node's engine has it, and by no other")
  func foreign() throws {
    let mixer = MixerNode(inputBusCount: 1)
    let inner = try AudioEngine.chain(ConstantSource(0.5).node, mixer, output: try OutputNode(channelCount: 2))
    let outer = try AudioEngine.chain(try GraphNode(inner), output: try OutputNode(channelCount: 2))
    for engine in [inner, outer] { try engine.schedule(mixer.outputGain, to: -6, at: 0) }
    let refusal = ParameterError.notInGraph(parameter: mixer.outputGain.name)
    #expect(throws: refusal) { try engine.schedule(mixer.outputGain, to: -6, at: 0) }
    #expect(throws: refusal) { try engine.cancelSchedule(of: mixer.outputGain, from: 0) }
  }

  @Test("a buffer is converted to a format that can be, or not at all", arguments: doubles)
  func conversion(_ number: Double) {
    let second = AudioBuffer(format: .stereo(48000), frameCount: 48)
    for channels in [0, 1, 1025, .max, -1, .min] {
      _ = try? second.converted(to: AudioFormat(sampleRate: number, channelCount: channels))
    }
    #expect(throws: AudioBufferError.self) { try second.converted(to: .stereo(number)) }
    #expect(throws: AudioBufferError.self) {
      try second.converted(to: AudioFormat(sampleRate: 48000, channelCount: 1025))
    }
  }

  @Test("a limiter's ceiling is clamped", arguments: doubles)
  func ceiling(_ number: Double) { #expect((-60...0).contains(LimiterNode(ceiling: Decibels(number)).ceiling)) }
}

private nonisolated(unsafe) let unused = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
