import SynthDSP
import SynthRealtime

/// Renders an engine by hand into interleaved samples of any type, at any rate, in any number of channels.
///
///     let renderer = try ClientRenderer(engine, format: ClientFormat(.int16, sampleRate: 44100))
///     let bytes = try renderer.render(frameCount: 44100)
///
/// It pulls the engine as long as it exists. Its frame n is the engine's sound at n divided by its rate, whatever the
/// rates are: what a converter delays is left out. The engine's sample time begins at 0.
public final class ClientRenderer {
  /// Of what it gives.
  public let format: AudioFormat
  /// The type of each sample it gives.
  public let samples: SampleFormat
  /// The engine is a node of this one, whose output converts.
  private let outer: AudioEngine
  private let buffer: SampleBuffer
  private var packer: ClientPacker
  private var framesToSkip: Int

  /// - Parameter engine: made without an output unit, or stopped; with an output node.
  /// - Throws: `EngineError`, or `GraphError` where no converter makes that format.
  public init(_ engine: AudioEngine, format: ClientFormat) throws {
    let inner = AudioFormat(
      sampleRate: engine.sampleRate, channelCount: engine.graph.outputNode?.deviceChannelCount ?? 2)
    let converted = format.applied(to: inner)
    let node = try GraphNode(name: "engine", engine, channelCount: inner.channelCount)
    let output = try OutputNode(channelCount: converted.channelCount, sourceCount: inner.channelCount)
    outer = AudioEngine(sampleRate: converted.sampleRate)
    try outer.edit { graph in
      try graph.attach(node)
      try graph.attach(output)
      try graph.connect(node, to: output)
    }
    self.format = converted
    samples = format.samples
    buffer = SampleBuffer(channelCount: converted.channelCount, frameCapacity: 64 * renderQuantum)
    packer = ClientPacker(samples, channelCount: converted.channelCount)
    let rate = converted.sampleRate
    framesToSkip =
      rate == inner.sampleRate ? 0 : ConversionRates(input: inner.sampleRate, output: rate, unit: rate).latency
  }

  /// The bytes that a frame takes.
  public var bytesPerFrame: Int { packer.bytesPerFrame }

  /// Renders the next frames into `frameCount * bytesPerFrame` bytes, which need no alignment.
  public func render(frameCount: Int, into bytes: UnsafeMutableRawPointer) throws(EngineError) {
    while framesToSkip > 0 { framesToSkip -= try renderSlice(framesToSkip) }
    var done = 0
    while done < frameCount {
      let count = try renderSlice(frameCount - done)
      packer.pack(buffer.channels, frameCount: count, into: bytes + done * bytesPerFrame)
      done += count
    }
  }

  /// Renders the next frames into memory.
  public func render(frameCount: Int) throws(EngineError) -> [UInt8] {
    guard (0...SampleBuffer.mostFrames).contains(frameCount) else { throw .frameCount(frameCount) }
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: frameCount * bytesPerFrame, alignment: 16)
    defer { bytes.deallocate() }
    if let start = bytes.baseAddress { try render(frameCount: frameCount, into: start) }
    return Array(bytes)
  }

  /// Renders up to so many frames into the buffer; gives their number.
  private func renderSlice(_ most: Int) throws(EngineError) -> Int {
    let count = min(most, buffer.frameCapacity)
    try outer.render(buffer.slice(frameCount: count))
    return count
  }
}
