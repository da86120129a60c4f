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
    for node in published.withLock({ $0.streamingNodes }) { node.prepareToRender(frameCount: frameCount) }
  }

  /// Renders the next frames into memory: as many channels as the graph's output node has, none without one. [any
  /// thread]
  ///
  ///     let samples = try engine.render(frameCount: 48000)
  public func render(frameCount: Int) throws(EngineError) -> [[Float]] {
    let channelCount = graph.outputNode?.deviceChannelCount ?? 0
    let buffer = SampleBuffer(channelCount: channelCount, frameCapacity: frameCount)
    guard buffer.frameCapacity == frameCount else { throw .frameCount(frameCount) }
    try render(buffer.slice(frameCount: frameCount))
    return withExtendedLifetime(buffer) {
      (0..<channelCount).map { Array(buffer.channel($0, frameCount: frameCount)) }
    }
  }
}
