import Glibc

/// Planar float32 memory at a fixed address, for slices and as the memory of `AudioBuffer`.
package final class SampleBuffer: @unchecked Sendable {
  /// As many as its slices have.
  package let channelCount: Int
  /// The most frames a slice may have; 0 where the system has not as much memory.
  package let frameCapacity: Int
  private let samples: UnsafeMutablePointer<Float>
  private let pointers: UnsafeMutablePointer<UnsafeMutablePointer<Float>>

  /// Silence.
  ///
  /// - Parameters:
  ///   - channelCount: clamped to 0 to 1024.
  ///   - frameCapacity: clamped to 0 to 268435456, and with more than eight channels to what eight gigabytes hold.
  package init(channelCount: Int, frameCapacity: Int) {
    let channels = min(max(0, channelCount), FormatCheck.channelCounts.upperBound)
    let frames = min(max(0, frameCapacity), Self.mostFrames, 8 * Self.mostFrames / max(1, channels))
    let memory = Self.zeroes(channels * frames)
    self.channelCount = channels
    self.frameCapacity = memory == nil ? 0 : frames
    samples = memory ?? Self.zeroes(1)!
    pointers = .allocate(capacity: channels)
    for channel in 0..<channels { (pointers + channel).initialize(to: samples + channel * self.frameCapacity) }
  }

  deinit {
    pointers.deallocate()
    free(samples)
  }

  /// A gigabyte for each channel: an hour and a half at 48 kHz.
  static let mostFrames = 1 << 28

  /// Memory that is touched only where it is used.
  private static func zeroes(_ count: Int) -> UnsafeMutablePointer<Float>? {
    calloc(max(1, count), MemoryLayout<Float>.stride)?.bindMemory(to: Float.self, capacity: count)
  }

  /// One pointer per channel.
  package var channels: UnsafePointer<UnsafeMutablePointer<Float>> { UnsafePointer(pointers) }

  /// A slice of this memory; 0 to `frameCapacity` frames.
  ///
  /// - Parameter hostTime: in nanoseconds of the monotonic clock; 0 offline.
  package func slice(frameCount: Int, hostTime: UInt64 = 0) -> RenderSlice {
    RenderSlice(
      channels: channels, channelCount: channelCount, frameCount: clamped(frameCount), hostTime: hostTime)
  }

  /// The first `frameCount` samples of a channel, 0 to `frameCapacity`.
  package func channel(_ channel: Int, frameCount: Int) -> UnsafeBufferPointer<Float> {
    precondition(
      (0..<channelCount).contains(channel),
      "reading a buffer: there is no channel \(channel); it has \(channelCount), numbered from 0")
    return UnsafeBufferPointer(start: pointers[channel], count: clamped(frameCount))
  }

  private func clamped(_ frameCount: Int) -> Int { min(max(0, frameCount), frameCapacity) }
}
