import SynthDSP

/// What a PCM device has granted.
public struct PCMParameters: Sendable, Equatable, CustomStringConvertible {
  /// The device's name in the request.
  public let device: String
  /// The sample format of the device's buffer.
  public let format: SampleFormat
  /// Frames per second.
  public let sampleRate: Int
  /// The rate that was asked for, if the device does not have it and `sampleRate` is the nearest; else nil.
  public let askedSampleRate: Int?
  /// Channels of each frame.
  public let channelCount: Int
  /// Frames per period: how many the render callback is asked for at a time.
  public let period: Int
  /// Frames in the ring buffer.
  public let buffer: Int
  /// The channels' names in the device's order, such as FL, FR; empty if the driver has none.
  public let channelNames: [String]

  /// The longest time from rendering a frame to playing it, in seconds.
  public var latency: Double { Double(buffer) / Double(sampleRate) }

  package init(
    device: String, format: SampleFormat, sampleRate: Int, askedSampleRate: Int?, channelCount: Int, period: Int,
    buffer: Int, channelNames: [String]
  ) {
    (self.device, self.format, self.channelNames) = (device, format, channelNames)
    (self.sampleRate, self.askedSampleRate) = (sampleRate, askedSampleRate)
    (self.channelCount, self.period, self.buffer) = (channelCount, period, buffer)
  }

  /// The same with rate, period and buffer in frames of the stream.
  ///
  /// - Parameter reserve: frames of the stream that a converter holds.
  func converted(to stream: PCMParameters, reserve: Int) -> PCMParameters {
    let step = Double(stream.sampleRate) / Double(sampleRate)
    return PCMParameters(
      device: device, format: format, sampleRate: stream.sampleRate, askedSampleRate: askedSampleRate,
      channelCount: channelCount,
      period: Int((Double(period) * step).rounded(.up)) + reserve,
      buffer: Int((Double(buffer) * step).rounded(.up)) + reserve, channelNames: channelNames)
  }

  public var description: String {
    let tenths = Int((latency * 10_000).rounded())
    let size = buffer % period == 0 ? "\(period) × \(buffer / period)" : "period \(period), buffer \(buffer)"
    let names = channelNames.isEmpty ? "" : " (\(channelNames.joined(separator: " ")))"
    return "\(device): \(sampleRate) Hz, \(channelCount) channel\(channelCount == 1 ? "" : "s")\(names), \(format), "
      + "\(size) frames (\(tenths / 10).\(tenths % 10) ms)"
  }
}
