import SynthRealtime

/// Rendering by hand: into memory, as fast as the machine can.
extension AudioEngine {
  /// Renders the next slice. [any thread]
  ///
  /// The samples are those a device would get, bit for bit, however they are divided into slices.
  ///
  /// - Throws: `EngineError.pulled` while something else renders the engine.
  public func render(_ slice: RenderSlice) throws(EngineError) {
    try puller.claim(.hand, "rendering")
    defer { puller.release() }
    var done = 0
    while done < slice.frameCount {
      // A streaming node may have room for a few quanta only: little of a fast stream, or many short pieces.
      let count = min(renderQuantum, slice.frameCount - done)
      prepareStreamingNodes(frameCount: count + renderQuantum)
      flushingDenormals { renderer.pointer.pointee.render(slice, done..<done + count) }
      done += count
    }
  }

  /// Waits for what keeps pace with a device only.
  func prepareStreamingNodes(frameCount: Int) {
    // The lock and a copy of the list cost 3 % of a light song.
    guard streams.load(ordering: .acquiring) else { return }
    for node in published.withLock({ $0.streamingNodes }) { node.prepareToRender(frameCount: frameCount) }
  }

  /// Renders the next frames: as many channels as the graph's output node has, none without one. [any thread]
  ///
  ///     let buffer = try engine.render(frameCount: 48000)
  ///     print(buffer[0].peak)
  ///
  /// - Throws: `EngineError.frameCount` for more than fit a buffer, and as `render(_:)`.
  public func render(frameCount: Int) throws(EngineError) -> AudioBuffer {
    var buffer = AudioBuffer(format: renderFormat, frameCount: frameCount)
    guard buffer.frameCount == frameCount else { throw .frameCount(frameCount) }
    try render(into: &buffer)
    return buffer
  }

  /// Renders the next frames over those of a buffer, in the memory it has unless a copy shares that. [any thread]
  ///
  /// - Throws: `EngineError.bufferFormat` for one of another format than `render(frameCount:)` gives, and as
  ///   `render(_:)`. The buffer is then as it was.
  public func render(into buffer: inout AudioBuffer) throws(EngineError) {
    let format = renderFormat
    guard buffer.format == format else { throw .bufferFormat(buffer.format, rendered: format) }
    try buffer.withRenderSlice { slice throws(EngineError) in try render(slice) }
  }

  private var renderFormat: AudioFormat {
    AudioFormat(sampleRate: sampleRate, channelCount: graph.outputNode?.deviceChannelCount ?? 0)
  }
}
