/// Audio that was tapped, without a gap in it. It can be read only while it is handed over.
public struct TapBlock {
  /// The first frame, counted from the start of rendering. Where it is not the end of the last block, frames are
  /// missing between them: dropped, or never tapped.
  public let sampleTime: Int64
  /// When the slice with the first frame was asked for, in nanoseconds of the monotonic clock; 0 offline.
  public let hostTime: UInt64
  public let format: AudioFormat
  public let frameCount: Int
  /// One pointer per channel, to `frameCount` samples each.
  public let channels: UnsafePointer<UnsafeMutablePointer<Float>>

  /// The samples of a channel.
  public subscript(channel: Int) -> UnsafeBufferPointer<Float> {
    precondition((0..<format.channelCount).contains(channel), "the tapped bus has \(format.channelCount) channels")
    return UnsafeBufferPointer(start: channels[channel], count: frameCount)
  }
}
