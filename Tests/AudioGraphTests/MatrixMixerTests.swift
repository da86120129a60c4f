import AudioGraph
import SynthDSP
import Testing

@Suite("Matrix mixer")
struct MatrixMixerTests {
  /// A constant for each channel.
  private func source(_ values: [Float]) -> SourceNode {
    SourceNode(format: AudioFormat(sampleRate: 48000, channelCount: values.count)) { request in
      for (channel, value) in values.enumerated() {
        request.buffers[channel].update(repeating: value, count: request.frameCount)
      }
    }
  }

  // each source ─► mixer ─► output
  private func engine(_ mixer: MatrixMixerNode, _ sources: [SourceNode]) throws -> AudioEngine {
    let engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: mixer.outputChannelCount, sourceCount: mixer.outputChannelCount)
    try engine.edit { graph in
      try graph.attach(mixer)
      try graph.attach(output)
      try graph.connect(mixer, to: output)
      for (bus, source) in sources.enumerated() {
        try graph.attach(source)
        try graph.connect(source, to: mixer, toBus: bus)
      }
    }
    return engine
  }

  /// Renders past every ramp (20 ms are 960 frames at 48 kHz) and gives the last frame.
  private func settled(_ engine: AudioEngine, _ channels: Int) -> [Float] {
    engine.render(2048, channels: channels).map { $0[2047] }
  }

  @Test("two players on two pairs of four channels both sound in full, from the first frame on")
  func pairs() throws {
    let mixer = try MatrixMixerNode(inputChannelCounts: [2, 2], outputChannelCount: 4)
    mixer.route(input: 1, toOutputsFrom: 2)
    let engine = try engine(mixer, [source([0.1, 0.2]), source([0.3, 0.6])])
    let samples = engine.render(200, channels: 4)
    #expect(samples == [0.1, 0.2, 0.3, 0.6].map { [Float](repeating: $0, count: 200) })
  }

  @Test("at first channel n goes to channel n")
  func initial() throws {
    let mixer = try MatrixMixerNode(inputChannelCounts: [1, 2, 3], outputChannelCount: 2)
    #expect(settled(try engine(mixer, [source([1]), source([2, 3]), source([4, 5, 6])]), 2) == [7, 8])
  }

  @Test("the output is the product of the matrix and the inputs, in decibels")
  func product() throws {
    let mixer = try MatrixMixerNode(inputChannelCounts: [1, 3], outputChannelCount: 3)
    let inputs: [[Float]] = [[0.5], [1, -2, 4]]
    let engine = try engine(mixer, inputs.map(source))
    var expected = [Double](repeating: 0, count: 3)
    for (input, values) in inputs.enumerated() {
      mixer.inputGains[input].value = Float(-3 * input - 1)
      for (channel, value) in values.enumerated() {
        for output in 0..<3 {
          let gain = Float(5 * output - 7 * channel - input)
          let crosspoint = mixer.crosspoint(input: input, channel: channel, to: output)
          crosspoint.value = gain
          #expect(crosspoint.name == "input \(input) channel \(channel) to \(output)")
          let sum = Double(gain) - Double(3 * input) - 1 + Double(output)
          expected[output] += Double(value) * Decibels(sum).amplitude
        }
      }
    }
    for output in 0..<3 { mixer.outputGains[output].value = Float(output) }
    for (sample, expected) in zip(settled(engine, 3), expected) { #expect(abs(Double(sample) - expected) < 1e-5) }
  }

  @Test("a change that is set at once takes 20 ms without a step", arguments: 0..<3)
  func ramp(which: Int) throws {
    let mixer = try MatrixMixerNode(inputChannelCounts: [1], outputChannelCount: 1)
    let engine = try engine(mixer, [source([1])])
    _ = engine.render(64, channels: 1)
    mixer.parameters[which].value = -120
    let samples = engine.render(1200, channels: 1)[0]
    #expect(zip(samples, samples.dropFirst()).allSatisfy { abs($0 - $1) < 1.01 / 960 })
    #expect(samples[950] > 0 && samples[960] == 0)
  }

  @Test("a crosspoint that is turned up while its input sounds comes without a step, also after a rest")
  func turnedUp() throws {
    let mixer = try MatrixMixerNode(inputChannelCounts: [1], outputChannelCount: 2)
    let source = SourceNode(format: .mono(48000)) { request in
      guard request.sampleTime < 128 || request.sampleTime >= 256 else { return request.buffers.silence() }
      request.buffers[0].update(repeating: 1, count: request.frameCount)
    }
    let engine = try engine(mixer, [source])
    _ = engine.render(512, channels: 2)
    mixer.crosspoint(input: 0, channel: 0, to: 1).value = 0
    let samples = engine.render(1200, channels: 2)[1]
    #expect(samples[0] < 1.01 / 960 && zip(samples, samples.dropFirst()).allSatisfy { abs($0 - $1) < 1.01 / 960 })
    #expect(samples[1199] == 1)
  }

  @Test(
    "a scheduled change begins and ends at its frames: of an input, a crosspoint, an output",
    arguments: 0..<3, [1, 63, 1000])
  func scheduled(which: Int, sliceSize: Int) throws {
    let mixer = try MatrixMixerNode(inputChannelCounts: [1], outputChannelCount: 1)
    let engine = try engine(mixer, [source([1])])
    try engine.schedule(mixer.parameters[which], to: -120, at: 1000, over: 480)
    let samples = engine.render(3000, channels: 1, sliceSize: sliceSize)[0]
    for (frame, sample) in samples.enumerated() {
      #expect(abs(sample - (1 - Float(min(max(0, frame - 999), 480)) / 480)) < 1e-6, "frame \(frame)")
    }
  }

  @Test("gains of an input and a crosspoint that move at once are multiplied")
  func bothScheduled() throws {
    let mixer = try MatrixMixerNode(inputChannelCounts: [1], outputChannelCount: 2)
    let engine = try engine(mixer, [source([1])])
    try engine.schedule(mixer.inputGains[0], to: -120, at: 100, over: 100)
    try engine.schedule(mixer.crosspoint(input: 0, channel: 0, to: 1), to: 0, at: 100, over: 100)
    let samples = engine.render(300, channels: 2)
    for frame in 0..<100 {
      let part = Float(frame + 1) / 100
      #expect(abs(samples[0][100 + frame] - (1 - part)) < 1e-6)
      #expect(abs(samples[1][100 + frame] - part * (1 - part)) < 1e-6)
    }
  }

  @Test("an input that begins to sound has at once the gain that was set in its silence")
  func afterSilence() throws {
    let mixer = try MatrixMixerNode(inputChannelCounts: [1], outputChannelCount: 1)
    let late = SourceNode(format: .mono(48000)) { request in
      guard request.sampleTime >= 128 else { return request.buffers.silence() }
      request.buffers[0].update(repeating: 1, count: request.frameCount)
    }
    let engine = try engine(mixer, [late])
    _ = engine.render(64, channels: 1)
    mixer.crosspoint(input: 0, channel: 0, to: 0).value = -20
    #expect(engine.render(192, channels: 1)[0] == (0..<192).map { $0 < 64 ? 0 : 0.1 })
  }

  @Test("the registry makes one from channel counts, and its own errors say what fits")
  func made() throws {
    let component = try ComponentRegistry(Component.audioGraph).component(named: "matrix mixer")
    let node = try component.make(["input channel counts": [1, 4], "output channel count": 3])
    #expect(node.inputBusCount == 2 && node.parameters.count == 2 + 15 + 3)
    #expect(try node.parameter(named: "input 1 channel 3 to 2").value == -120)
    #expect(try node.property(named: "input channel counts").value == [1, 4])
    let channels = #expect(throws: MatrixMixerError.self) {
      try MatrixMixerNode(inputChannelCounts: [2, 0], outputChannelCount: 2)
    }
    #expect("\(channels!)" == "making a matrix mixer: 0 channels; give each input and the output 1 to 1024")
    let size = #expect(throws: MatrixMixerError.self) {
      try MatrixMixerNode(inputChannelCounts: [300], outputChannelCount: 300)
    }
    #expect(
      "\(size!)" == "making a matrix mixer: 90000 crosspoints; at most 65536 fit, so give it fewer channels")
  }
}
