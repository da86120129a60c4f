/// How an audio file is laid out.
public enum AudioFileContainer: String, Sendable, CaseIterable, CustomStringConvertible {
  /// RIFF WAVE; RF64 from four gigabytes on.
  case wav = "WAV"
  /// Free Lossless Audio Codec, RFC 9639.
  case flac = "FLAC"
  /// Interleaved little-endian samples and nothing else.
  case raw = "raw"

  public var description: String { rawValue }

  /// The container a path's extension stands for, in upper or lower case; nil for an unknown one or none.
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

/// What a file's samples are.
public enum AudioFileSamples: String, Sendable, CaseIterable, CustomStringConvertible {
  /// 16-bit integers.
  case int16 = "16-bit"
  /// 24-bit integers.
  case int24 = "24-bit"
  /// 32-bit floating point, full scale ±1, beyond which nothing is cut.
  case float32 = "float"

  public var description: String { rawValue }
}

/// The format of an audio file.
public struct AudioFileFormat: Sendable, Equatable {
  /// How the file is laid out.
  public var container: AudioFileContainer
  /// What its samples are.
  public var samples: AudioFileSamples
  /// Frames per second.
  public var rate: Int
  /// Channels per frame.
  public var channels: Int

  /// A format from its parts; whether a file can have it is found out when one is created.
  public init(container: AudioFileContainer = .wav, samples: AudioFileSamples = .int16, rate: Int, channels: Int) {
    self.container = container
    self.samples = samples
    self.rate = rate
    self.channels = channels
  }
}
