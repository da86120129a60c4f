import AudioGraph
import SynthRealtime
import Testing

@Suite("Converter")
struct ConverterTests {
  /// The largest difference from a sine of 1 kHz that is `latency` frames late, from frame `start` on.
  private func error(of samples: [Float], from start: Int, latency: Int, sampleRate: Double = 48000) -> Float {
    samples.indices.dropFirst(start).map { frame in
      abs(samples[frame] - SineSource.value(at: Double(frame - latency) / sampleRate))
    }.max() ?? 1
  }

  // sine ─► converter ─► output
  @Test(
    "a stream of another rate sounds as it did, late by the latency, to -90 dB",
    arguments: [8000, 11025, 22050, 32000, 44100, 44100.5, 47999, 48001, 88200, 96000, 176_400, 192_000], [1, 2])
  func rates(rate: Double, channelCount: Int) throws {
    let sine = SineSource(format: AudioFormat(sampleRate: rate, channelCount: channelCount))
    let converter = ConverterNode()
    let engine = try AudioEngine.chain(
      sine.node, converter, output: try OutputNode(channelCount: channelCount, sourceCount: channelCount))
    let samples = engine.render(24_000, channels: channelCount, sliceSize: 441)
    #expect(error(of: samples[0], from: 2000, latency: converter.latency) < 3e-5)
    if channelCount == 2 {
      #expect(error(of: samples[1].map { $0 * 2 }, from: 2000, latency: converter.latency) < 6e-5)
    }
  }

  // sine ─► up ─► down ─► output
  @Test(
    "away from the output's rate and back, and from one foreign rate to another",
    arguments: [(48000, 44100), (48000, 96000), (44100, 96000), (96000, 44100), (22050, 32000)] as [(Double, Double)])
  func detour(rate: Double, detour: Double) throws {
    let sine = SineSource(format: .mono(rate))
    let away = ConverterNode(name: "away", sampleRate: detour)
    let back = ConverterNode(name: "back")
    let engine = try AudioEngine.chain(
      sine.node, away, back, output: try OutputNode(channelCount: 1, sourceCount: 1))
    let samples = engine.render(24_000, channels: 1)[0]
    let latency = Double(away.latency) / detour + Double(back.latency) / 48000
    let error =
      samples.indices.dropFirst(4000)
      .map { abs(samples[$0] - SineSource.value(at: Double($0) / 48000 - latency)) }.max() ?? 1
    #expect(error < 6e-5)
  }

  @Test("the slice size makes no difference, to the bit", arguments: [1, 63, 100, 4096])
  func sliceSizes(sliceSize: Int) throws {
    func render(sliceSize: Int) throws -> [[Float]] {
      let sine = SineSource(format: .stereo(44100))
      let output = try OutputNode(channelCount: 2)
      return try AudioEngine.chain(sine.node, ConverterNode(), output: output).render(9000, sliceSize: sliceSize)
    }
    #expect(try render(sliceSize: sliceSize) == render(sliceSize: 64))
  }

  // sine ─► output, then: sine ─► converter ─► output
  @Test(
    "frames lie where their sample time says, whenever the converter is put in", arguments: [64, 100, 4711, 30_000])
  func lateStart(start: Int) throws {
    let sine = SineSource(format: .mono(44100))
    let converter = ConverterNode()
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    let idle = ConstantSource(0, format: .mono(48000))
    let engine = try AudioEngine.chain(idle.node, output: output)
    _ = engine.render(start, channels: 1)
    try engine.edit { graph in
      try graph.disconnect(input: output)
      try graph.attach(sine.node)
      try graph.attach(converter)
      try graph.connect(sine.node, to: converter)
      try graph.connect(converter, to: output)
    }
    let samples = engine.render(12_000, channels: 1)[0]
    #expect(error(of: samples, from: 2000, latency: converter.latency - start) < 3e-5)
  }

  @Test(
    "a converter that has rested in silence wakes in the right place", arguments: [44100, 96000, 50_000] as [Double])
  func rest(rate: Double) throws {
    let sine = SineSource(format: .mono(rate), silentUntil: Int64(rate / 10) / 64 * 64)
    let converter = ConverterNode()
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    let engine = try AudioEngine.chain(sine.node, converter, output: output)
    let samples = engine.render(12_000, channels: 1)[0]
    #expect(samples.prefix(4700).allSatisfy { $0 == 0 })
    #expect(error(of: samples, from: 6500, latency: converter.latency) < 3e-5)
  }

  @Test("what comes after the sound has ended is the end of the filter, and then nothing")
  func tail() throws {
    let source = ConstantSource(1, format: .mono(44100))
    let converter = ConverterNode()
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    let engine = try AudioEngine.chain(source.node, converter, output: output)
    #expect(abs(engine.render(1000, channels: 1)[0][999] - 1) < 1e-4)
    try engine.edit(transition: .exact) { graph in
      try graph.detach(source.node)
      let silent = SourceNode(
        name: "silent", format: .mono(44100), context: UnsafeMutableRawPointer(bitPattern: 16)!
      ) { _, request in request.assumingMemoryBound(to: RenderRequest.self).pointee.buffers.silence() }
      try graph.attach(silent)
      try graph.connect(silent, to: converter)
    }
    let tail = engine.render(1000, channels: 1)[0]
    #expect(abs(tail[converter.latency / 2] - 1) < 0.2)
    #expect(tail.suffix(500).allSatisfy { $0 == 0 })
  }

  /// -3 dB, the surrounds' part.
  private static let part = Float(0.5).squareRoot()

  // numbers (1, 2, 3 …) ─► converter ─► output
  @Test(
    "channels",
    arguments: [
      (1, .automatic(channelCount: 2), [1, 1]),
      (2, .automatic(channelCount: 1), [1.5]),
      (1, .automatic(channelCount: 4), [1, 1, 1, 1]),
      (3, .automatic(channelCount: 1), [2]),
      (4, .automatic(channelCount: 1), [(3 + 7 * part) / 2]),
      (2, .automatic(channelCount: 4), [1, 2, 0, 0]),
      (4, .automatic(channelCount: 2), [1 + 3 * part, 2 + 4 * part]),
      (2, .map(ChannelMap([ChannelMap.mean, 1])), [1.5, 2]),
      (2, .unchanged, [1, 2]),
      (3, .map(ChannelMap([2, -1, 0, 0])), [3, 0, 1, 1]),
      (2, .matrix([[1, 1], [0.5, 0], [0, 0], [-1, 4]]), [3, 0.5, 0, 7]),
    ] as [(Int, ChannelConversion, [Float])])
  func channels(count: Int, conversion: ChannelConversion, expected: [Float]) throws {
    for rate in [48000.0, 44100] {
      let source = ConstantSource(1, format: AudioFormat(sampleRate: rate, channelCount: count))
      let converter = ConverterNode(channels: conversion)
      let output = try OutputNode(channelCount: expected.count, sourceCount: expected.count)
      let engine = try AudioEngine.chain(source.node, converter, output: output)
      let frame = engine.render(2048, channels: expected.count).map { $0[2047] }
      let error = zip(frame, expected).map { abs($0 - $1) }.max() ?? 1
      #expect(error <= (rate == 48000 ? 1e-6 : 1e-3), "\(frame)")
      #expect((converter.latency == 0) == (rate == 48000))
    }
  }

  @Test(
    "a conversion that cannot be is refused",
    arguments: [
      (
        .stereo(48000), ConverterNode(channels: .map(ChannelMap([0, 2]))),
        "the channel map 0,2 plays channel 2, of 2 numbered from 0", "make one that fits 48000 Hz stereo"
      ),
      (
        .mono(48000), ConverterNode(channels: .matrix([[1], [1, 1]])),
        "row 1 of the channel matrix has 2 gains for 1 channels", "make one that fits 48000 Hz mono"
      ),
      (
        .mono(500), ConverterNode(), "no converter goes from 500 Hz to 48000 Hz",
        "stay within a factor of 64, or use two"
      ),
      (
        AudioFormat(sampleRate: 44100, channelCount: 300), ConverterNode(),
        "no converter changes the rate of 300 channels", "use several, of up to 256 channels each"
      ),
    ] as [(AudioFormat, ConverterNode, String, String)])
  func refused(format: AudioFormat, converter: ConverterNode, reason: String, remedy: String) throws {
    let source = ConstantSource(1, name: "source", format: format)
    #expect(
      throws: GraphError.formatMismatch(
        source: "source output bus 0", destination: "converter input bus 0", reason: reason, remedy: remedy)
    ) {
      try AudioEngine.chain(source.node, converter, output: try OutputNode(channelCount: 2))
    }
  }

  @Test("an unconnected converter is silent")
  func unconnected() throws {
    let engine = try AudioEngine.chain(ConverterNode(), output: try OutputNode(channelCount: 2))
    #expect(engine.render(2) == [[0, 0], [0, 0]])
  }
}
