import SynthAudioFiles
import SynthDSP
import SynthLoudness
import SynthText

/// What `synth info` tells about an audio file: its format, how long it is and how loud.
struct AudioInfo {
  private let path: String
  private let tags: [AudioFileTag: String]
  private let format: String
  private let rate: Int
  private let channels: Int
  private var frameCount = 0
  /// The highest absolute sample; 1 is full scale.
  private var peak: Float = 0
  /// Nil where it cannot be measured.
  private let loudness: Loudness?

  /// Reads the whole file.
  init(path: String, _ reader: AudioFileReader) throws(AudioFileError) {
    self.path = path
    tags = reader.tags
    (format, rate, channels) = (reader.format, reader.sampleRate, reader.channelCount)
    let meter = LoudnessMeter(channelCount: channels, sampleRate: rate)
    while case let block = try reader.read(1 << 14), !block.isEmpty {
      frameCount += block.frameCount
      for channel in block.channels { peak = max(peak, channel.peak) }
      meter?.add(block)
    }
    loudness = meter?.loudness
  }

  private var duration: Double { Double(frameCount) / Double(max(1, rate)) }

  /// A line for each fact, ending in a line break.
  var page: String {
    let level = Decibels(amplitude: Double(peak)).value
    var facts = AudioFileTag.allCases.compactMap { tag in tags[tag].map { (tag.rawValue, oneLine($0)) } }
    facts += [
      ("file", format), ("rate", "\(rate) Hz"), ("channels", "\(channels)"),
      ("length", "\(clock(duration)), \(NumberFormatting.count(frameCount, "frame", "frames"))"),
    ]
    if let loudness {
      facts += [
        ("loudness", "\(tenths(loudness.integrated.value)) LUFS"), ("range", "\(tenths(loudness.range.value)) LU"),
        ("true peak", "\(tenths(loudness.truePeak.value)) dBTP"),
      ]
    }
    facts.append(("peak", "\(tenths(level)) dB"))
    let lines = facts.flatMap { labelled($0, $1) }
    return ([visible(path)] + lines).map { $0 + "\n" }.joined()
  }

  var json: JSONValue {
    let texts = AudioFileTag.allCases.compactMap { tag in tags[tag].map { (tag.rawValue, JSONValue.string($0)) } }
    return .object(
      [
        ("file", .string(path)), ("format", .string(format)), ("rate", .number(rate)), ("channels", .number(channels)),
        ("frameCount", .number(frameCount)), ("duration", .number(duration)), ("peak", .number(Double(peak))),
        ("tags", .object(texts)),
      ] + Loudness.members(of: loudness))
  }
}

extension Loudness {
  /// As programs read it, in LUFS, LU and dBTP to two decimals; null where there is no such figure.
  static func members(of loudness: Loudness?) -> [(String, JSONValue)] {
    func rounded(_ value: Double?) -> JSONValue { value.map { .number(($0 * 100).rounded() / 100) } ?? .null }
    return [
      ("loudness", rounded(loudness?.integrated.value)), ("loudnessRange", rounded(loudness?.range.value)),
      ("truePeak", rounded(loudness?.truePeak.value)),
    ]
  }
}
