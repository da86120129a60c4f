import Glibc
import SynthAudioFiles
import SynthDSP
import SynthInstruments
import SynthKit
import SynthLoudness
import SynthRealtime

/// The options of rendering that are not about the sound.
struct RenderOptions {
  static let options: [Option] = [
    .output, .bits, .raw, .format, .stems, .dry, .notes, .jobs, .longest, .shard, .manifest, .resume, .loudness,
    .dither, .tag, .silence, .tail,
  ]

  let output: String
  let samples: AudioFileSamples
  let isDithered: Bool
  /// Nil for what the name of the output says.
  let container: AudioFileContainer?
  /// Nil for one file of each song.
  let stems: StemDivision?
  let isDry: Bool
  let writesNotes: Bool
  /// Songs rendered at the same time.
  let jobCount: Int
  /// Where a song ends that lasts longer, in seconds.
  let longest: Double
  /// The part of the songs to be rendered, from 0, and of how many parts.
  let shard: (index: Int, count: Int)
  let manifest: String?
  let isResuming: Bool
  let loudness: LoudnessTarget?
  let tags: RenderTags
  /// In front of each song, in seconds.
  let silence: Double
  /// How long after its last event each song ends, in seconds; nil for when it is silent.
  let tail: Double?

  init(_ arguments: Arguments) throws(UsageError) {
    guard let output = arguments.last(.output) else { throw .missing("say where to render to, with -o FILE") }
    self.output = output
    samples = try arguments.samples()
    isDithered =
      switch arguments.last(.dither) {
      case nil, "on": true
      case "off": false
      case .some(let text): throw .badValue(.dither, text, expected: "on or off")
      }
    container = try Self.container(arguments)
    stems = try Self.stems(arguments)
    isDry = arguments.has(.dry)
    if isDry, let option = [Option.reverb, .chorus, .delay].first(where: arguments.has) {
      throw .missing("--dry leaves reverb, chorus and delay out: leave \(option.rawValue) out too, or --dry")
    }
    writesNotes = arguments.has(.notes)
    let written = container ?? (Self.isDirectory(output) ? nil : AudioFileContainer(path: output)) ?? .wav
    if !written.isLossless, arguments.has(.bits) {
      throw .missing("--bits is for WAV, FLAC and raw: \(written) has no bits, so leave it out")
    }
    silence = try Self.seconds(.silence, arguments) ?? 0
    tail = try Self.seconds(.tail, arguments)
    tags = try RenderTags(arguments, container: written)
    jobCount = try Self.jobCount(arguments)
    longest = try Self.longest(arguments)
    shard = try Self.shard(arguments)
    manifest = arguments.last(.manifest)
    isResuming = arguments.has(.resume)
    loudness = try Self.loudness(arguments)
    if output == "-", manifest == "-" {
      throw .missing("-o - and --manifest - both are standard output: name one file")
    }
    if isResuming, manifest == nil { throw .missing("--resume goes on by a manifest: give --manifest FILE") }
  }

  var isDirectory: Bool { Self.isDirectory(output) }

  /// Pipes and devices are written to under any name.
  var isPipeOrDevice: Bool { output == "-" || [S_IFIFO, S_IFCHR, S_IFBLK].contains(FilePath.kind(of: output)) }

  private static func isDirectory(_ path: String) -> Bool { path.hasSuffix("/") || FilePath.kind(of: path) == S_IFDIR }

  /// Refuses a file's name that says nothing about its format, or something else.
  func checkName() throws(UsageError) {
    if writesNotes, isPipeOrDevice { throw .missing("--notes are written beside a file: -o FILE or -o OUT/") }
    guard !isPipeOrDevice, !isDirectory else { return }
    switch (AudioFileContainer(path: output), container) {
    case (let named?, .raw) where named != .raw:
      throw .missing("--raw writes bare samples, which \(output) would not tell: name it .raw, or leave --raw out")
    case (let named?, let wanted?) where named != wanted:
      throw .missing(
        "--format \(wanted.fileExtension) is not what \(output) would tell: name it .\(wanted.fileExtension)")
    case (nil, nil):
      throw .badValue(
        .output, output,
        expected:
          "a name that ends in .wav, .flac, .ogg, .opus, .mp3, .aiff, .caf or .raw; or a directory, with / at its end")
    default: break
    }
  }

  /// The file of a song, or the directory of its stems.
  func target(_ stem: String) -> String {
    guard isDirectory else { return output }
    let path = "\(output)\(output.hasSuffix("/") ? "" : "/")\(stem)"
    return stems == nil ? "\(path).\((container ?? .wav).fileExtension)" : path
  }

  private static func stems(_ arguments: Arguments) throws(UsageError) -> StemDivision? {
    guard let text = arguments.last(.stems) else { return nil }
    guard let division = StemDivision(rawValue: text) else {
      throw .badValue(.stems, text, expected: "channel, track or drums")
    }
    let later: [Option] = [.preset, .presetProgram, .presetController, .map, .channels, .loudness]
    if let option = later.first(where: arguments.has) {
      throw .missing("--stems are stereo and before the equalizer: leave \(option.rawValue) out")
    }
    if let option = [Option.metronome, .countIn].first(where: arguments.has) {
      throw .missing("--stems have no metronome: leave \(option.rawValue) out")
    }
    if arguments.has(.scene) { throw .missing("--stems are before the effects of scenes: leave --scene out") }
    if arguments.last(.limiter) == "on" { throw .missing("--stems are before the limiter: leave --limiter on out") }
    if let rate = try arguments.number(.rate, in: 8000...768_000), Double(rate) > RackNode.sampleRates.upperBound {
      throw .badValue(.rate, "\(rate)", expected: "at most \(Int(RackNode.sampleRates.upperBound)) with --stems")
    }
    return division
  }

  private static func container(_ arguments: Arguments) throws(UsageError) -> AudioFileContainer? {
    guard let text = arguments.last(.format) else { return arguments.has(.raw) ? .raw : nil }
    let container = AudioFileContainer.allCases.first { $0.fileExtension == text }
    guard let container, container == .raw || !arguments.has(.raw) else {
      throw .badValue(.format, text, expected: "wav, flac, ogg, opus, mp3, aiff, caf or raw")
    }
    return container
  }

  private static func jobCount(_ arguments: Arguments) throws(UsageError) -> Int {
    if arguments.last(.jobs) == "auto" { return WorkerThread.processorCount }
    return try arguments.number(.jobs, in: 1...256) ?? WorkerThread.processorCount
  }

  private static func longest(_ arguments: Arguments) throws(UsageError) -> Double {
    guard let text = arguments.last(.longest) else { return 6 * 3600 }
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
    let unit = text.last.flatMap { units[$0] }
    guard let number = Double(unit == nil ? text[...] : text.dropLast()), number.isFinite, number > 0 else {
      throw .badValue(.longest, text, expected: "seconds, or a time such as 90s, 20m or 6h")
    }
    return number * (unit ?? 1)
  }

  private static func loudness(_ arguments: Arguments) throws(UsageError) -> LoudnessTarget? {
    guard let text = arguments.last(.loudness) else { return nil }
    guard let value = Double(text), (-70...0).contains(value) else {
      throw .badValue(.loudness, text, expected: "a loudness from -70 to 0 LUFS, as in -23 or -14")
    }
    return LoudnessTarget(LUFS(value))
  }

  private static func seconds(_ option: Option, _ arguments: Arguments) throws(UsageError) -> Double? {
    guard let text = arguments.last(option) else { return nil }
    guard let seconds = Double(text), (0...3600).contains(seconds) else {
      throw .badValue(option, text, expected: "seconds from 0 to 3600, as in 0.5")
    }
    return seconds
  }

  private static func shard(_ arguments: Arguments) throws(UsageError) -> (Int, Int) {
    guard let text = arguments.last(.shard) else { return (0, 1) }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard parts.count == 2, parts[1] > 0, (1...parts[1]).contains(parts[0]) else {
      throw .badValue(.shard, text, expected: "a part and their number, as in 1/4")
    }
    return (parts[0] - 1, parts[1])
  }
}
