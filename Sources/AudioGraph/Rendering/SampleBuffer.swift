/// Planar float32 memory for slices rendered by hand.
public final class SampleBuffer: @unchecked Sendable {
  public let channelCount: Int
  /// The most frames a slice may have.
  public let frameCapacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  public init(channelCount: Int, frameCapacity: Int) {
    self.channelCount = channelCount
    self.frameCapacity = frameCapacity
    samples = .allocate(capacity: channelCount * frameCapacity)
    samples.initialize(repeating: 0, count: channelCount * frameCapacity)
    pointers = .allocate(capacity: channelCount)
    for channel in 0..<channelCount {
      (pointers + channel).initialize(to: samples + channel * frameCapacity)
    }
  }

  deinit {
    pointers.deallocate()
    samples.deallocate()
  }

  /// One pointer per channel.
  public var channels: UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(pointers) }

  /// A slice of this memory; at most `frameCapacity` frames.
  public func slice(frameCount: Int) -> RenderSlice {
    RenderSlice(channels: channels, channelCount: channelCount, frameCount: min(frameCount, frameCapacity))
  }

  /// The first `frameCount` samples of a channel.
  public func channel(_ channel: Int, frameCount: Int) -> UnsafeBufferPointer<Float> {
    UnsafeBufferPointer(start: pointers[channel], count: min(frameCount, frameCapacity))
  }
}
