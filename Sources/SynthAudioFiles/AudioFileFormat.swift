import SynthDSP

/// How an audio file is laid out.
public enum AudioFileContainer: String, Sendable, CaseIterable, CustomStringConvertible {
  /// RIFF WAVE; RF64 from four gigabytes on.
  case wav = "WAV"
  /// Free Lossless Audio Codec, RFC 9639.
  case flac = "FLAC"
  /// Vorbis in Ogg: lossy.
  case vorbis = "Ogg Vorbis"
  /// Opus in Ogg, RFC 7845: lossy.
  case opus = "Opus"
  /// MPEG audio layer III: lossy.
  case mp3 = "MP3"
  /// Audio Interchange File Format, AIFF-C for float samples.
  case aiff = "AIFF"
  /// Apple's Core Audio Format.
  case caf = "CAF"
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
    case "ogg", "oga": self = .vorbis
    case "opus": self = .opus
    case "mp3": self = .mp3
    case "aif", "aiff": self = .aiff
    case "caf": self = .caf
    case "raw": self = .raw
    default: return nil
    }
  }

  /// The usual extension: "wav".
  public var fileExtension: String { self == .vorbis ? "ogg" : rawValue.lowercased() }

  /// Whether samples of a certain format are kept exactly; else the file keeps about what is heard of float samples.
  public var isLossless: Bool { ![.vorbis, .opus, .mp3].contains(self) }

  /// "`.wav, .flac, .ogg, .opus, .mp3, .aiff, .caf or .raw`".
  package static var extensions: String { list(allCases.map { ".\($0.fileExtension)" }) }
}

private func list(_ words: [String]) -> String {
  words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
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
  /// The format of its samples; of no account in a lossy file.
  public var samples: AudioFileSamples
  /// Frames per second.
  public var sampleRate: Int
  /// Channels per frame.
  public var channelCount: Int

  /// A format from its parts; it is checked when a file is created.
  public init(
    container: AudioFileContainer = .wav, samples: AudioFileSamples = .int16, sampleRate: Int, channelCount: Int
  ) {
    self.container = container
    self.samples = samples
    self.sampleRate = sampleRate
    self.channelCount = channelCount
  }
}

extension AudioFileFormat {
  /// Why no file can have this format, and what to do instead; nil if one can.
  func refusal(seekable: Bool) -> String? {
    let (rates, known) = container.rates
    if !rates(sampleRate) { return "\(sampleRate) frames per second — \(known)" }
    let limit = container.channelLimit
    if !(1...limit).contains(channelCount) { return "\(channelCount) channels — \(container) has 1 to \(limit)" }
    if container == .flac, samples == .float32 { return "FLAC has no float samples — use 24-bit, or WAV" }
    if seekable || [.wav, .raw, .flac, .vorbis, .opus].contains(container) { return nil }
    return "\(container) cannot go into a pipe or device — use WAV, FLAC or Ogg"
  }
}

extension AudioFileContainer {
  /// Which frames per second it has, in a word for a refusal too.
  fileprivate var rates: (contains: (Int) -> Bool, known: String) {
    func few(_ rates: [Int]) -> (contains: (Int) -> Bool, known: String) {
      ({ rates.contains($0) }, "\(self) has \(list(rates.map(String.init)))")
    }
    return switch self {
    case .wav, .aiff, .caf, .raw: ({ (1...768_000).contains($0) }, "must be 1 to 768000")
    case .flac: ({ (1...655_350).contains($0) }, "FLAC has 1 to 655350")
    case .vorbis: ({ (8000...200_000).contains($0) }, "Ogg Vorbis has 8000 to 200000")
    case .opus: few([8000, 12000, 16000, 24000, 48000])
    case .mp3: few([8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000])
    }
  }

  /// Vorbis and Opus have other orders of more channels than two, which libsndfile does not translate.
  fileprivate var channelLimit: Int {
    switch self {
    case .wav, .aiff, .caf, .raw: 256
    case .flac: 8
    case .vorbis, .opus, .mp3: 2
    }
  }
}

extension AudioFileSamples {
  /// Of integers; nil for floats.
  var bits: Int? {
    switch self {
    case .int16: 16
    case .int24: 24
    case .float32: nil
    }
  }

  /// The samples of a WAV or raw file.
  var fileFormat: SampleFormat {
    switch self {
    case .int16: .int16
    case .int24: .int24Packed
    case .float32: .float32
    }
  }
}
