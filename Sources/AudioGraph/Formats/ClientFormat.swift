import SynthDSP

/// How a program wants samples that leave the graph: interleaved, of any type, at any rate, in any number of channels.
///
/// Inside the graph everything is planar float32. Samples of 16 and 24 bits are rounded with triangular dither
/// (`Dither`), which is the same every time and leaves silence silent; those of 32 bits, which hold more than a float
/// does, are rounded to nearest.
public struct ClientFormat: Hashable, Sendable {
  /// The type of each sample.
  public var samples: SampleFormat
  /// In hertz; nil is the rate of what is converted.
  public var sampleRate: Double?
  /// Nil is as many as there are. Others are converted to as by `ChannelConversion.automatic`.
  public var channelCount: Int?

  public init(_ samples: SampleFormat, sampleRate: Double? = nil, channelCount: Int? = nil) {
    self.samples = samples
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }

  func applied(to format: AudioFormat) -> AudioFormat {
    AudioFormat(sampleRate: sampleRate ?? format.sampleRate, channelCount: channelCount ?? format.channelCount)
  }
}

/// Interleaves planar samples in a client's type.
struct ClientPacker {
  private let samples: SampleFormat
  private let channelCount: Int
  private var dither: Dither?

  init(_ samples: SampleFormat, channelCount: Int) {
    self.samples = samples
    self.channelCount = channelCount
    let bits: Int? =
      switch samples {
      case .int16: 16
      case .int24, .int24Packed: 24
      case .int32, .float32: nil
      }
    dither = bits.map { Dither(bits: $0, channelCount: channelCount) }
  }

  var bytesPerFrame: Int { channelCount * samples.byteCount }

  /// Writes `frameCount * bytesPerFrame` bytes. What is rounded with dither is rounded in `channels` too.
  mutating func pack(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int, into bytes: UnsafeMutableRawPointer
  ) {
    for channel in 0..<channelCount {
      dither?.round(channels[channel], into: channels[channel], count: frameCount, channel: channel)
    }
    interleave(channels, channelCount: channelCount, frameCount: frameCount, into: bytes, as: samples)
  }
}
