import CSynthRealtime
import Glibc
import Synchronization
import SynthAudioFiles
import SynthKit
import SynthMIDI
import SynthText

/// The command `synth render SONG.mid … -o OUT`: renders songs into files.
struct RenderCommand: Command {
  static let options = SoundOptions.options + SongOptions.part + RenderOptions.options + [.route, .metronome]

  private let arguments: Arguments
  private let sound: SoundOptions
  private let part: SongOptions
  private let options: RenderOptions
  private let rate: Int
  private let channels: Int
  /// Whether there may be several songs, of which some may fail.
  private let isBatch: Bool

  init(_ tokens: [String]) throws(UsageError) {
    arguments = try Arguments(tokens, allowed: Self.options)
    if arguments.operands.isEmpty { throw .missing("name a MIDI or audio file to render") }
    options = try RenderOptions(arguments)
    part = try SongOptions(arguments)
    if part.isEndless, let loop = arguments.last(.loop), !arguments.has(.longest) {
      throw .missing("--loop \(loop) has no end: give how many times, as in 2, or where songs end with --longest")
    }
    sound = try SoundOptions(arguments, isRendering: true)
    rate = try arguments.number(.rate, in: 8000...768_000) ?? 48000
    channels = try arguments.number(.channels, in: 1...64) ?? 2
    isBatch = arguments.operands.count > 1 || arguments.operands.contains(where: SongList.isSeveral)
    if isBatch, !options.isDirectory { throw .missing("several songs need a directory: -o OUT/") }
    if options.stems != nil, !options.isDirectory { throw .missing("--stems need a directory: -o OUT/") }
    if options.output == "-", isatty(STDOUT_FILENO) != 0 {
      throw .missing("standard output is a terminal: pipe it on, or give -o FILE")
    }
    try options.checkName()
  }

  func run() throws {
    // FluidSynth's blocks, which it fills in part, would stay in the heaps of the workers: 2 MB for each.
    realtime_save_memory()
    let list = SongList(arguments.operands, readsInput: true)
    if list.entries.isEmpty, list.problems.isEmpty { throw NoSongs(arguments.operands, list) }
    let targets = RenderTargets(list.entries, options)
    let problems = list.problems + targets.problems
    for problem in problems { Terminal.error(problem) }
    if !isBatch, !problems.isEmpty { throw ToldAlready() }
    let all = targets.renderings
    let renderings = all.indices.filter { $0 % options.shard.count == options.shard.index }.map { all[$0] }
    let sound = try Sound(sound)
    Terminal.tell(sound.summary)
    var configuration = sound.configuration(preload: .used([]), sampleRate: rate, channelCount: channels)
    // The preset stays the same.
    configuration.equalizerPresets = []
    if options.isDry { (configuration.reverb, configuration.chorus, configuration.delay) = (nil, nil, nil) }
    // Stems come before it, and the song ends as their sum does.
    if options.stems != nil { configuration.isLimited = false }
    share(coreCount(for: renderings.count), &configuration)
    if options.isDirectory { try RenderTargets.makeDirectory(of: options.target("")) }
    if !options.isPipeOrDevice { RenderTargets.removeLeftovers(of: renderings) }
    let manifest = try options.manifest.map { path in
      try Manifest(path: path, settings: settings(of: configuration, sound), isResuming: options.isResuming)
    }
    let songs = RenderSongs(renderings, sound, part, manifest, options)
    var reporter = RenderReporter(renderings, isBatch: isBatch, problemCount: problems.count)
    try render(songs, with: configuration, &reporter)
    reporter.finish(isInterrupted: Interruption.isRequested)
    try manifest?.finish()
    if Interruption.isRequested {
      if !isBatch { Terminal.tell("interrupted: \(options.output) is as it was") }
      throw Interrupted()
    }
    if reporter.hasFailures { throw BatchError(description: reporter.counts) }
  }

  /// What was asked for; else two for a song that is rendered alone. Songs that are rendered side by side keep the
  /// processors busy without it.
  private func coreCount(for songCount: Int) -> Int {
    let isAlone = min(options.jobCount, songCount) == 1
    return sound.coreCount ?? (isAlone ? min(2, WorkerThread.processorCount) : 1)
  }

  /// One thread is for mixer and effects, the others for instruments.
  private func share(_ coreCount: Int, _ configuration: inout SynthesizerConfiguration) {
    configuration.rendersAhead = coreCount > 1
    configuration.instruments.sampler.cores = RenderingCores(coreCount - 1)
  }

  private func render(
    _ songs: RenderSongs, with configuration: SynthesizerConfiguration, _ reporter: inout RenderReporter
  ) throws {
    var batch = BatchRenderer(
      configuration, container: options.container, samples: options.samples, stems: options.stems,
      writesNotes: options.writesNotes, workerCount: min(options.jobCount, songs.renderings.count),
      longest: options.longest, measuresLoudness: options.manifest != nil, loudness: options.loudness)
    batch.routes = sound.routes
    batch.isDithered = options.isDithered
    batch.part = { [part] in SongPart(from: part.start, to: part.end, loop: part.loop(of: $0)) }
    (batch.tempo, batch.transposition) = (part.tempo, part.transposition)
    (batch.metronome, batch.countIn) = (part.metronome, part.countIn)
    batch.leadingSilence = options.silence
    batch.tail = options.tail.map(Tail.exactly) ?? .standard
    batch.tags = { [tags = options.tags] in tags.tags(of: $0) }
    let items = songs.renderings.indices.lazy.map { index in
      BatchRenderer.Item(path: songs.renderings[index].target) { try songs.song(at: index) }
    }
    var failure: (any Error)?
    var isHopeless = false
    try batch.render(items) { progress in
      // A pipe has been opened, which waits for a reader.
      if progress.duration > 0 { Interruption.watch() }
      do {
        for outcome in progress.outcomes where failure == nil && !isHopeless {
          reporter.tell(outcome, try songs.record(outcome))
          if case .failure(let error) = outcome.result {
            if !isBatch, !(error is AlreadyRendered) { failure = error }
            isHopeless = wouldRecur(error)
          }
        }
      } catch {
        failure = error
      }
      reporter.show(progress)
      return failure == nil && !isHopeless && !Interruption.isRequested
    }
    if let failure {
      Terminal.endProgress()
      throw failure
    }
  }

  /// Whether the songs that follow would fail in the same way.
  private func wouldRecur(_ error: any Error) -> Bool {
    switch error {
    case AudioFileError.diskFull, AudioFileError.unsupported: true
    default: false
    }
  }

  /// The part of each song, as far as it is given.
  private var partSettings: [(String, JSONValue)] {
    var settings: [(String, JSONValue)] = []
    if part.start != 0 { settings.append(("start", .number(part.start))) }
    if let end = part.end { settings.append(("end", .number(end))) }
    if let loop = arguments.last(.loop) { settings.append(("loop", .string(loop))) }
    if let encoding = part.reading.encoding { settings.append(("encoding", .string(encoding.rawValue))) }
    if part.reading.mt32 != .auto { settings.append(("mapMT32", .string(part.reading.mt32.rawValue))) }
    if part.tempo != 1 { settings.append(("tempo", .number(part.tempo))) }
    if part.transposition != 0 { settings.append(("transpose", .number(part.transposition))) }
    if part.metronome != .off { settings.append(("metronome", .string(arguments.last(.metronome) ?? ""))) }
    if part.countIn != 0 { settings.append(("countIn", .number(part.countIn))) }
    return settings
  }

  /// What a rendering's bytes follow from, its song apart.
  private func settings(of configuration: SynthesizerConfiguration, _ sound: Sound) -> JSONValue {
    .object(
      [
        ("program", .string("synth \(Request.release)")), ("rate", .number(rate)), ("channels", .number(channels)),
        ("bits", .string(arguments.last(.bits) ?? "24")), ("dither", .bool(options.isDithered)),
        ("tags", options.tags.settings), ("longest", .number(options.longest)),
        ("silence", .number(options.silence)), ("tail", options.tail.map { .number($0) } ?? .null),
        ("loudness", options.loudness.map { .number($0.integrated.value) } ?? .null),
      ] + (options.stems.map { [("stems", .string($0.rawValue))] } ?? [])
        + (options.writesNotes ? [("notes", .bool(true))] : []) + partSettings + sound.settings(of: configuration))
  }
}
