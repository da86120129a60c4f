import DSP

/// How an audio file is laid out.
public enum AudioFileContainer: String, Sendable, CaseIterable, CustomStringConvertible {
  /// RIFF WAVE; RF64 from four gigabytes on.
  case wav = "WAV"
  /// Free Lossless Audio Codec, RFC 9639.
  case flac = "FLAC"
  /// Interleaved little-endian samples without a header.
  case raw = "raw"

  public var description: String { rawValue }

  /// The container of a path's extension, in upper or lower case; nil for an unknown or missing extension.
  public init?(path: String) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "wav", "wave": self = .wav
    case "flac": self = .flac
    case "raw": self = .raw
    default: return nil
    }
  }
}

/// The sample format of a file.
public enum AudioFileSamples: String, Sendable, CaseIterable, CustomStringConvertible {
  /// 16-bit integers.
  case int16 = "16-bit"
  /// 24-bit integers.
  case int24 = "24-bit"
  /// 32-bit floating point, full scale ±1; larger samples are not clipped.
  case float32 = "float"

  public var description: String { rawValue }
}

/// The format of an audio file.
public struct AudioFileFormat: Sendable, Equatable {
  /// How the file is laid out.
  public var container: AudioFileContainer
  /// The format of its samples.
  public var samples: AudioFileSamples
  /// Frames per second.
  public var rate: Int
  /// Channels per frame.
  public var channels: Int

  /// A format from its parts; it is checked when a file is created.
  public init(container: AudioFileContainer = .wav, samples: AudioFileSamples = .int16, rate: Int, channels: Int) {
    self.container = container
    self.samples = samples
    self.rate = rate
    self.channels = channels
  }
}

extension AudioFileFormat {
  /// Why no file can have this format, and what to do instead; nil if one can.
  func refusal(seekable: Bool) -> String? {
    if !(1...768_000).contains(rate) { return "\(rate) frames per second — must be 1 to 768000" }
    let limit = container == .flac ? 8 : 256
    if !(1...limit).contains(channels) { return "\(channels) channels — \(container) has 1 to \(limit)" }
    guard container == .flac else { return nil }
    if samples == .float32 { return "FLAC has no float samples — use 24-bit, or WAV" }
    if rate > 655_350 { return "\(rate) frames per second — FLAC has 1 to 655350" }
    return seekable ? nil : "FLAC cannot go into a pipe or device — use WAV"
  }
}

extension AudioFileSamples {
  /// The samples of a WAV or raw file.
  var fileFormat: SampleFormat {
    switch self {
    case .int16: .int16
    case .int24: .int24Packed
    case .float32: .float32
    }
  }
}
