import DSP

/// What a PCM device has granted.
public struct PCMParameters: Sendable, Equatable, CustomStringConvertible {
  /// The device's name, as it was asked for.
  public let device: String
  /// How samples lie in the device's buffer.
  public let format: SampleFormat
  /// Frames per second.
  public let rate: Int
  /// Channels of each frame.
  public let channels: Int
  /// Frames per period: what the render callback is asked for at a time.
  public let period: Int
  /// Frames in the ring buffer.
  public let buffer: Int
  /// The channels' names in the device's order, such as FL, FR; empty if the driver tells none.
  public let channelNames: [String]

  /// Seconds from a frame's rendering to its being played, at most.
  public var latency: Double { Double(buffer) / Double(rate) }

  public var description: String {
    let tenths = Int((latency * 10_000).rounded())
    let size = buffer % period == 0 ? "\(period) × \(buffer / period)" : "period \(period), buffer \(buffer)"
    let names = channelNames.isEmpty ? "" : " (\(channelNames.joined(separator: " ")))"
    return "\(device): \(rate) Hz, \(channels) channel\(channels == 1 ? "" : "s")\(names), \(format), "
      + "\(size) frames (\(tenths / 10).\(tenths % 10) ms)"
  }
}
