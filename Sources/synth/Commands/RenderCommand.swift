import AudioFiles
import DSP
import Glibc
import SynthKit

/// `synth render SONG.mid … -o OUT`: renders songs into files.
struct RenderCommand {
  private let arguments: Arguments
  private let sound: SoundOptions
  private let rate: Int
  private let channels: Int
  private let output: String
  private let samples: AudioFileSamples

  init(_ tokens: [String]) throws(UsageError) {
    arguments = try Arguments(tokens, allowed: SoundOptions.options + [.output, .bits, .raw])
    if arguments.operands.isEmpty { throw .missing("name a MIDI file to render") }
    guard let output = arguments.last(.output) else { throw .missing("say where to render to, with -o FILE") }
    self.output = output
    sound = try SoundOptions(arguments)
    rate = try arguments.number(.rate, in: 8000...768_000) ?? 48000
    channels = try arguments.number(.channels, in: 1...64) ?? 2
    samples =
      switch arguments.last(.bits) {
      case "16": .int16
      case nil, "24": .int24
      case "float": .float32
      case .some(let text): throw .badValue(.bits, text, expected: "16, 24 or float")
      }
    if arguments.operands.count > 1, !isDirectory { throw .missing("several songs need a directory: -o OUT/") }
    if output == "-", isatty(STDOUT_FILENO) != 0 {
      throw .missing("standard output is a terminal: pipe it on, or give -o FILE")
    }
    if output != "-", !isDirectory { try checkName() }
  }

  private func checkName() throws(UsageError) {
    switch AudioFileContainer(path: output) {
    case let named? where named != .raw && arguments.has(.raw):
      throw .missing("--raw writes bare samples, which \(output) would not tell: name it .raw, or leave --raw out")
    case nil where !arguments.has(.raw) && !isPipeOrDevice:
      throw .badValue(
        .output, output, expected: "a name that ends in .wav, .flac or .raw; or a directory, with / at its end")
    default: break
    }
  }

  func run() throws {
    let songs = try arguments.operands.map { try SongFile(path: $0) }
    let sound = try Sound(sound)
    for song in songs { sound.warn(ofChannelsUnusedBy: song) }
    try RenderTargets.check(songs.map { ($0.path, path(for: $0)) })
    Terminal.tell(sound.summary)
    if isDirectory { mkdir(output, 0o777) }
    for song in songs {
      let synthesizer = try Synthesizer(
        sound.configuration(preload: sound.preload(for: [song]), sampleRate: rate, channelCount: channels))
      let file = try AudioFileWriter(
        path: path(for: song), container: arguments.has(.raw) ? .raw : nil, samples: samples, rate: rate,
        channels: channels)
      try render(song, with: synthesizer, to: file)
      if Interruption.isRequested { throw Interrupted() }
    }
  }

  private var isDirectory: Bool { output.hasSuffix("/") || kind == S_IFDIR }

  /// Pipes and devices are written to under any name.
  private var isPipeOrDevice: Bool { [S_IFIFO, S_IFCHR, S_IFBLK].contains(kind) }

  /// Of what is there already; 0 where nothing is.
  private var kind: mode_t {
    var status = stat()
    return stat(output, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  private func path(for song: SongFile) -> String {
    guard isDirectory else { return output }
    let directory = output.hasSuffix("/") ? output : output + "/"
    return "\(directory)\(song.stem).\(arguments.has(.raw) ? "raw" : "wav")"
  }

  private func render(_ song: SongFile, with synthesizer: Synthesizer, to file: AudioFileWriter) throws {
    let start = ContinuousClock.now
    let replaces = access(path(for: song), F_OK) == 0
    var shown = start
    let result = try synthesizer.render(song.song, to: file) { progress in
      let now = ContinuousClock.now
      if now - shown > .milliseconds(100) {
        shown = now
        Terminal.progress(StatusLine(rest: line(song, progress, elapsed: now - start)))
      }
      return !Interruption.isRequested
    }
    Terminal.endProgress()
    if Interruption.isRequested, replaces, output != "-" {
      // What is there is whole, and this would not be.
      return Terminal.tell("interrupted: \(path(for: song)) is as it was")
    }
    try file.finish()
    let part = Interruption.isRequested ? "interrupted after \(clock(result.duration)): " : ""
    Terminal.tell(part + summary(song, result, elapsed: ContinuousClock.now - start))
    let refused = synthesizer.instruments.refusedTuningCount
    if refused > 0 {
      Terminal.tell("\(song.name): \(refused) tuning messages passed over, damaged or for more than 128 programs")
    }
  }

  private func line(_ song: SongFile, _ progress: RenderProgress, elapsed: Duration) -> String {
    let part = progress.songDuration > 0 ? progress.duration / progress.songDuration : 1
    return "\(bar(part, width: 24)) \(Int(min(part, 1) * 100)) %  "
      + "\(clock(progress.duration)) / \(clock(progress.songDuration))  "
      + "\(tenths(progress.duration / seconds(elapsed)))× real time  \(song.name)"
  }

  private func summary(_ song: SongFile, _ result: RenderProgress, elapsed: Duration) -> String {
    let peak = Decibels(amplitude: Double(result.peak))
    let clipping = result.clipCount > 0 ? ", \(result.clipCount) samples clipped" : ""
    return "\(output == "-" ? "standard output" : path(for: song))  \(clock(result.duration)), "
      + "peak \(tenths(peak.value)) dB\(clipping), "
      + "\(tenths(result.duration / max(seconds(elapsed), 1e-9)))× real time"
  }

  private func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }
}
