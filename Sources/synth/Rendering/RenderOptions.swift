import AudioFiles
import Glibc
import Realtime

/// The options of rendering that are not about the sound.
struct RenderOptions {
  static let options: [Option] = [
    .output, .bits, .raw, .format, .jobs, .longest, .shard, .manifest, .resume,
  ]

  let output: String
  let samples: AudioFileSamples
  /// Nil for what the name of the output says.
  let container: AudioFileContainer?
  /// Songs rendered at the same time.
  let jobCount: Int
  /// Where a song ends that lasts longer, in seconds.
  let longest: Double
  /// The part of the songs to be rendered, from 0, and of how many parts.
  let shard: (index: Int, count: Int)
  let manifest: String?
  let isResuming: Bool

  init(_ arguments: Arguments) throws(UsageError) {
    guard let output = arguments.last(.output) else { throw .missing("say where to render to, with -o FILE") }
    self.output = output
    samples =
      switch arguments.last(.bits) {
      case "16": .int16
      case nil, "24": .int24
      case "float": .float32
      case .some(let text): throw .badValue(.bits, text, expected: "16, 24 or float")
      }
    container = try Self.container(arguments)
    jobCount = try Self.jobCount(arguments)
    longest = try Self.longest(arguments)
    shard = try Self.shard(arguments)
    manifest = arguments.last(.manifest)
    isResuming = arguments.has(.resume)
    if output == "-", manifest == "-" {
      throw .missing("-o - and --manifest - both are standard output: name one file")
    }
    if isResuming, manifest == nil { throw .missing("--resume goes on by a manifest: give --manifest FILE") }
  }

  var isDirectory: Bool { output.hasSuffix("/") || kind == S_IFDIR }

  /// Pipes and devices are written to under any name.
  var isPipeOrDevice: Bool { output == "-" || [S_IFIFO, S_IFCHR, S_IFBLK].contains(kind) }

  /// Of what is there already; 0 where nothing is.
  private var kind: mode_t {
    var status = stat()
    return stat(output, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  /// Refuses a file's name that says nothing about its format, or something else.
  func checkName() throws(UsageError) {
    guard !isPipeOrDevice, !isDirectory else { return }
    switch (AudioFileContainer(path: output), container) {
    case (let named?, .raw) where named != .raw:
      throw .missing("--raw writes bare samples, which \(output) would not tell: name it .raw, or leave --raw out")
    case (let named?, let wanted?) where named != wanted:
      throw .missing("--format \(wanted.word) is not what \(output) would tell: name it .\(wanted.word)")
    case (nil, nil):
      throw .badValue(
        .output, output, expected: "a name that ends in .wav, .flac or .raw; or a directory, with / at its end")
    default: break
    }
  }

  /// The file of a song.
  func target(_ stem: String) -> String {
    guard isDirectory else { return output }
    return "\(output)\(output.hasSuffix("/") ? "" : "/")\(stem).\((container ?? .wav).word)"
  }

  private static func container(_ arguments: Arguments) throws(UsageError) -> AudioFileContainer? {
    guard let text = arguments.last(.format) else { return arguments.has(.raw) ? .raw : nil }
    let container = AudioFileContainer.allCases.first { $0.word == text }
    guard let container, container == .raw || !arguments.has(.raw) else {
      throw .badValue(.format, text, expected: "wav, flac or raw")
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
    guard let unit = text.last.flatMap({ units[$0] }), let number = Double(text.dropLast()), number * unit > 0 else {
      throw .badValue(.longest, text, expected: "a time such as 90s, 20m or 6h")
    }
    return number * unit
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

extension AudioFileContainer {
  /// As it is typed, and a file's extension.
  var word: String { rawValue.lowercased() }
}
