import AudioGraph
@preconcurrency import Glibc
import Synchronization
import SynthDSP
import Testing

@Suite("Rendering by hand in a client's format")
struct ClientRendererTests {
  // sine ─► output
  private func engine(_ format: AudioFormat = .stereo(48000)) throws -> (AudioEngine, SineSource) {
    let sine = SineSource(format: format)
    let output = try OutputNode(channelCount: format.channelCount, sourceCount: format.channelCount)
    return (try AudioEngine.chain(sine.node, output: output), sine)
  }

  @Test("floats are those of planar rendering, interleaved")
  func floats() throws {
    let (engine, sine) = try engine()
    let planar = try engine.render(frameCount: 1000)
    try engine.reset()
    try withExtendedLifetime(sine) {
      let renderer = try ClientRenderer(engine, format: ClientFormat(.float32))
      #expect(renderer.format == .stereo(48000) && renderer.bytesPerFrame == 8)
      let samples: [Float] = words(try renderer.render(frameCount: 1000))
      #expect(samples == (0..<1000).flatMap { [planar[0][$0], planar[1][$0]] })
      #expect(throws: EngineError.frameCount(-1)) { try renderer.render(frameCount: -1) }
      #expect(throws: EngineError.pulled(operation: "rendering", by: .outerEngine)) {
        try engine.render(frameCount: 1)
      }
    }
    #expect(try engine.render(frameCount: 64)[0].count == 64)
  }

  @Test(
    "integers are within a step and a half of the sound, the same every time; silence is 0", arguments: [16, 24, 32])
  func integers(bits: Int) throws {
    func render(_ sliceSize: Int) throws -> [Double] {
      let (engine, sine) = try engine(.mono(48000))
      return try withExtendedLifetime(sine) {
        let renderer = try ClientRenderer(
          engine, format: ClientFormat(bits == 16 ? .int16 : bits == 24 ? .int24 : .int32))
        var bytes: [UInt8] = []
        while bytes.count < 4800 * renderer.bytesPerFrame { bytes += try renderer.render(frameCount: sliceSize) }
        if bits == 16 { return (words(bytes) as [Int16]).map(Double.init) }
        return (words(bytes) as [Int32]).map(Double.init)
      }
    }
    let samples = try render(4800)
    let scale = pow(2, Double(bits - 1))
    var errors = Set<Double>()
    for (frame, sample) in samples.enumerated() {
      let exact = Double(SineSource.value(at: Double(frame) / 48000)) * scale
      // Full scale saturates.
      let error = sample - min(exact, scale - 1)
      errors.insert(error.rounded())
      #expect(abs(error) <= 1.5)
    }
    #expect(samples[0] == 0 && samples[48] == 0)
    // Dither moves what is not silent to the next step now and then.
    #expect(errors == (bits < 32 ? [-1, 0, 1] : [0]))
    let inPieces = try render(77)
    #expect(Array(inPieces.prefix(4800)) == samples)
  }

  @Test("at another rate a frame has the sound of its time, without a delay", arguments: [16000.0, 44100, 96000])
  func rate(rate: Double) throws {
    let (engine, sine) = try engine()
    try withExtendedLifetime(sine) {
      let renderer = try ClientRenderer(engine, format: ClientFormat(.float32, sampleRate: rate, channelCount: 1))
      #expect(renderer.format == .mono(rate))
      let samples: [Float] = words(try renderer.render(frameCount: 1000)) + words(try renderer.render(frameCount: 3000))
      // The mean of a sine and of half of it. Before its onset the filter has heard nothing.
      for frame in 500..<4000 {
        #expect(abs(samples[frame] - 0.75 * SineSource.value(at: Double(frame) / rate)) < 2e-4)
      }
    }
  }

  @Test("what cannot be converted is refused in a line, and the engine is free again")
  func refusals() throws {
    let (engine, sine) = try engine()
    try withExtendedLifetime(sine) {
      for format in [
        ClientFormat(.int16, sampleRate: 1), ClientFormat(.int16, sampleRate: .nan),
        ClientFormat(.int16, channelCount: 0),
      ] {
        let error = #expect(throws: (any Error).self) { try ClientRenderer(engine, format: format) }
        #expect(!"\(error!)".contains("\n"))
      }
      let samples = try engine.render(frameCount: 10)
      #expect(samples[0].count == 10)
    }
  }
}

@Suite("Taps in a client's format", .timeLimit(.minutes(1)))
struct ClientTapTests {
  // sine ─► output, and a tap at the sine
  @Test("blocks have the size, rate, channels and samples that were asked for, and the times of the bus")
  func blocks() throws {
    let sine = SineSource(format: .stereo(48000))
    try withExtendedLifetime(sine) {
      let engine = try AudioEngine.chain(sine.node, output: try OutputNode(channelCount: 2))
      let heard = Mutex<[(time: Int64, samples: [Int16])]>([])
      let format = ClientFormat(.int16, sampleRate: 16000, channelCount: 1)
      let tap = try TapNode(format: format, blockSize: 320) { block in
        #expect(block.format == .mono(16000) && block.samples == .int16 && block.hostTime == 0)
        let samples: [Int16] = block.bytes.withMemoryRebound(to: Int16.self) { Array($0) }
        #expect(samples.count == block.frameCount)
        heard.withLock { $0.append((block.sampleTime, samples)) }
      }
      try engine.edit { graph in try graph.tap(sine.node, with: tap) }
      _ = try engine.render(frameCount: 48000)
      tap.finish()
      let blocks = heard.withLock { $0 }
      #expect(blocks.dropLast().allSatisfy { $0.samples.count == 320 })
      #expect(blocks.count >= 49 && tap.droppedFrameCount == 0)
      for (block, next) in zip(blocks, blocks.dropFirst()) { #expect(next.time == block.time + 320) }
      for block in blocks where block.time > 500 {
        for (frame, sample) in block.samples.enumerated() {
          let exact = 0.75 * 32768 * SineSource.value(at: Double(Int(block.time) + frame) / 16000)
          #expect(abs(Float(sample) - exact) < 8)
        }
      }
    }
  }

  @Test("a block ends at a gap; the next one begins after it")
  func gap() throws {
    let source = CountingSource()
    let engine = try AudioEngine.chain(source.node, output: try OutputNode(channelCount: 2))
    let heard = Mutex<[(time: Int64, first: Float, count: Int)]>([])
    let tap = try TapNode(format: ClientFormat(.float32), blockSize: 100) { block in
      let first = block.bytes.loadUnaligned(as: Float.self)
      heard.withLock { $0.append((block.sampleTime, first, block.frameCount)) }
    }
    try engine.edit { graph in try graph.tap(source.node, with: tap) }
    _ = try engine.render(frameCount: 128)
    try engine.edit { graph in try graph.detach(tap) }
    _ = try engine.render(frameCount: 64)
    try engine.edit { graph in try graph.tap(source.node, with: tap) }
    _ = try engine.render(frameCount: 128)
    tap.finish()
    let blocks = heard.withLock { $0 }
    #expect(blocks.map(\.time) == [0, 100, 192, 292])
    #expect(blocks.map(\.first) == [0, 100, 192, 292])
    #expect(blocks.map(\.count) == [100, 28, 100, 28])
  }

  @Test("what no converter makes is refused where it is connected")
  func refusals() throws {
    let source = CountingSource()
    let engine = try AudioEngine.chain(source.node, output: try OutputNode(channelCount: 2))
    for format in [
      ClientFormat(.int16, sampleRate: .infinity), ClientFormat(.int16, sampleRate: -1),
      ClientFormat(.int16, channelCount: 0), ClientFormat(.int16, channelCount: 5000),
    ] {
      let tap = try TapNode(format: format) { _ in }
      #expect(throws: GraphError.self) { try engine.edit { graph in try graph.tap(source.node, with: tap) } }
    }
    #expect(try engine.render(frameCount: 64)[0].last == 63)
  }
}

private func words<Word: BitwiseCopyable>(_ bytes: [UInt8]) -> [Word] {
  bytes.withUnsafeBytes { bytes in
    stride(from: 0, to: bytes.count, by: MemoryLayout<Word>.size).map {
      bytes.loadUnaligned(fromByteOffset: $0, as: Word.self)
    }
  }
}
