import AudioGraph
import SynthDSP
import SynthRealtime
import TestSupport
import Testing

@Suite("Rendering by hand")
struct ManualRenderingTests {
  /// counting ─► mixer ─► equalizer ─► output
  private func engine() throws -> AudioEngine {
    let gains = (0..<EqualizerCurve.bandCount).map { Decibels($0.isMultiple(of: 2) ? 3 : -3) }
    return try AudioEngine.chain(
      CountingSource().node, MixerNode(inputBusCount: 1), EqualizerNode(curve: try EqualizerCurve(gains: gains)),
      output: try OutputNode(channelCount: 2))
  }

  @Test("any slice is served, and all sizes give the same samples", arguments: [1, 63, 64, 65, 1000, 4097, 10_000])
  func sliceSizes(sliceSize: Int) throws {
    let whole = try engine().render(frameCount: 10_000)
    #expect(try engine().render(10_000, sliceSize: sliceSize) == whole.channels.map(Array.init))
  }

  @Test("slices of random sizes from 1 to 100000 frames give them too")
  func randomSlices() throws {
    var random = SplitMix64(seed: 4)
    var sizes: [Int] = []
    while sizes.reduce(0, +) < 150_000 { sizes.append(Int.random(in: 1...100_000, using: &random)) }
    let engine = try engine()
    let pieces = try sizes.map { try Array(engine.render(frameCount: $0)[0]) }
    #expect(try pieces.flatMap(\.self) == Array(self.engine().render(frameCount: sizes.reduce(0, +))[0]))
  }

  @Test("no frames are none, and what cannot be had is an error")
  func bounds() throws {
    let engine = try engine()
    #expect(try engine.render(frameCount: 0) == AudioBuffer(format: .stereo(48000), frameCount: 0))
    for count in [-1, .max] {
      #expect(throws: EngineError.frameCount(count)) { try engine.render(frameCount: count) }
    }
    #expect(try AudioEngine(sampleRate: 48000).render(frameCount: 5).channels == [])
  }

  @Test("after a reset the same is rendered again, from sample time 0", arguments: [64, 100])
  func reset(before: Int) throws {
    let engine = try engine()
    let first = try engine.render(frameCount: 2000)
    _ = try engine.render(frameCount: before)
    try engine.reset()
    #expect(try engine.render(frameCount: 2000) == first)
  }

  @Test("after a reset nothing is left of a quantum that had no graph")
  func resetWithoutGraph() throws {
    let engine = AudioEngine(sampleRate: 48000)
    _ = engine.render(10)
    try engine.reset()
    let (one, output) = (ConstantSource(1), try OutputNode(channelCount: 2))
    try engine.edit { graph in
      try graph.attach(one.node)
      try graph.attach(output)
      try graph.connect(one.node, to: output)
    }
    #expect(engine.render(1) == [[1], [2]])
  }

  @Test("a reset while a unit asks for audio takes effect between two quanta")
  func resetWhileRunning() throws {
    let unit = TestOutput()
    let engine = AudioEngine(output: unit)
    let (source, output) = (CountingSource(), try OutputNode(channelCount: 2))
    try engine.edit { graph in
      try graph.attach(source.node)
      try graph.attach(output)
      try graph.connect(source.node, to: output)
    }
    try engine.start()
    _ = unit.render(32)
    try engine.reset()
    #expect(unit.render(64) == (32..<64).map(Float.init) + (0..<32).map(Float.init))
  }

  @Test("an edit after a reset that nobody has heard yet does not undo it")
  func resetAndEdit() throws {
    let engine = try engine()
    let first = try engine.render(frameCount: 640)
    try engine.reset()
    try engine.edit { graph in try graph.attach(MixerNode(inputBusCount: 1)) }
    #expect(try engine.render(frameCount: 640) == first)
  }
}
