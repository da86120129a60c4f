import CSynthALSA

/// Fills `frameCount` frames of each of `channelCount` channels with float32 samples, and returns how many it filled:
/// fewer than asked for end the stream, which is then drained.
///
/// Called on the output's thread for one period at a time; must neither allocate, lock nor wait. The buffers hold the
/// channels of the stream in order, with undefined samples. `context` is what was given to `PCMOutput.start`.
/// [audio thread]
public typealias PCMRenderCallback =
  @convention(c) (
    _ context: UnsafeMutableRawPointer, _ channels: UnsafePointer<UnsafeMutablePointer<Float>>,
    _ channelCount: Int32, _ frameCount: Int32
  ) -> Int32

/// A render callback with its context.
package struct PCMSource {
  let callback: PCMRenderCallback
  let context: UnsafeMutableRawPointer

  package init(callback: @escaping PCMRenderCallback, context: UnsafeMutableRawPointer) {
    self.callback = callback
    self.context = context
  }

  /// Asks for frames: how many there were, at most `frameCount`. [audio thread]
  @_noLocks @_noAllocation
  func render(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, channelCount: Int, frameCount: Int
  ) -> Int {
    let count = pcm_render(
      callback, context, channels, Int32(truncatingIfNeeded: channelCount), Int32(truncatingIfNeeded: frameCount))
    return min(max(0, Int(count)), frameCount)
  }
}

/// Planar buffers of equal length, one for each channel, 64-byte aligned.
package struct ChannelBuffers: ~Copyable {
  package let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  /// How many samples one channel lies after the other: the frames, rounded up to a multiple of 16.
  package let stride: Int
  private let samples: UnsafeMutablePointer<Float>

  package init(channelCount: Int, frameCount: Int) {
    stride = (frameCount + 15) / 16 * 16
    let count = channelCount * stride
    samples = UnsafeMutableRawPointer.allocate(byteCount: count * MemoryLayout<Float>.stride, alignment: 64)
      .initializeMemory(as: Float.self, repeating: 0, count: count)
    channels = .allocate(capacity: channelCount)
    for channel in 0..<channelCount { (channels + channel).initialize(to: samples + channel * stride) }
  }

  deinit {
    samples.deallocate()
    channels.deallocate()
  }
}
