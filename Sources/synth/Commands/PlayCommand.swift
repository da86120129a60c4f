import ALSA
import MIDI
import SynthKit

/// `synth`: plays what comes from MIDI keyboards, until Ctrl-C; `synth SONG.mid …`: plays songs, and the keyboards that
/// `--connect` names along with them.
struct PlayCommand {
  static let options =
    SoundOptions.options + DeviceOptions.options + SongOptions.options
    + [.connect, .noConnect, .timing, .lyrics]

  private let paths: [String]
  private let sound: SoundOptions
  private let devices: DeviceOptions
  private let part: SongOptions
  /// Nil for no keyboards at all.
  private let keyboards: SourceSelection?
  private let timing: LiveTiming
  private let showsLyrics: Bool

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options)
    paths = arguments.operands
    sound = try SoundOptions(arguments)
    devices = try DeviceOptions(arguments)
    part = try SongOptions(arguments)
    let wishes = arguments.all(.connect)
    if wishes.contains("") { throw .badValue(.connect, "\"\"", expected: "a port's number or a part of its name") }
    if !wishes.isEmpty && arguments.has(.noConnect) { throw .missing("give either --connect or --no-connect") }
    let unnamed: SourceSelection? = arguments.has(.noConnect) ? .some(.none) : paths.isEmpty ? .all : nil
    keyboards = wishes.isEmpty ? unnamed : .named(wishes)
    showsLyrics = arguments.has(.lyrics)
    if showsLyrics, paths.isEmpty { throw .missing("--lyrics shows the words of a song: name one") }
    let word = arguments.last(.timing) ?? LiveTiming.steady.rawValue
    guard let timing = LiveTiming(rawValue: word) else {
      throw .badValue(.timing, word, expected: LiveTiming.allCases.map(\.rawValue).joined(separator: " or "))
    }
    self.timing = timing
  }

  func run() throws {
    let songs = try paths.map { try SongFile(path: $0) }
    for song in songs { try part.check(song) }
    let sound = try Sound(sound)
    for warning in songs.flatMap(sound.warnings(ofChannelsUnusedBy:)) { Terminal.warn(warning) }
    let output = try DeviceOutput(devices.requests)
    let sequencer = try keyboards.map { try SequencerSource(sources: $0) }
    let configuration = sound.configuration(preload: sound.preload(for: songs))
    let session = Session(
      try Synthesizer(try configuration.adapted(to: output, devices.assignments)), output: output,
      sources: sequencer.map { [$0] } ?? [], timing: timing,
      loading: sequencer == nil ? nil : sound.backgroundLoading)
    Interruption.watch()
    var report = SessionReporter(session, output, isLive: sequencer != nil)
    var console = Console(session, sound, songCount: songs.count)
    let facts = "\(sound.summary)\n\(sequencer.map(line).map { $0 + "\n" } ?? "")\(output.device.facts)"
    if songs.isEmpty {
      try session.start()
      tell(facts, session, sequencer)
      _ = try follow(session, &console, &report) { meter(session, output) }
    } else {
      tell(facts, session, sequencer)
      session.tempo = part.tempo
      session.transposition = part.transposition
      try play(songs, session, output, &console, &report)
    }
    console.end()
    report.tellEnd()
    if Interruption.isRequested { throw Interrupted() }
  }

  private func play(
    _ songs: [SongFile], _ session: Session, _ output: DeviceOutput, _ console: inout Console,
    _ report: inout SessionReporter
  ) throws {
    var index = 0
    while index < songs.count {
      let song = songs[index]
      try session.play(song.song, from: part.start, to: part.end, loop: part.loop(of: song.song))
      let lyrics = showsLyrics ? song.song.lyrics : Lyrics()
      let wish = try follow(session, &console, &report) {
        let words = session.isSongPaused ? nil : StatusLine(lyrics, at: session.position)
        return words ?? meter(session, output, song)
      }
      if wish == .quit || Interruption.isRequested { return }
      index = wish == .previousSong ? max(index - 1, 0) : index + 1
    }
  }

  /// Shows what is played, and does what is asked for, until it is over, a signal comes, or something else is wished
  /// for.
  private func follow(
    _ session: Session, _ console: inout Console, _ report: inout SessionReporter, meter: () -> StatusLine
  ) throws -> Console.Wish? {
    defer { Terminal.endProgress() }
    while session.isPlaying || session.isPaused {
      report.tell()
      let wish = console.turn(meter: meter)
      guard wish != nil || Interruption.isRequested else { continue }
      try session.fadeOut()
      return wish
    }
    return nil
  }

  private func tell(_ facts: String, _ session: Session, _ sequencer: SequencerSource?) {
    guard let sequencer else { return Terminal.tell(facts) }
    Terminal.note("\(facts)\n\(SessionReporter.line(session.latency))")
    for wish in keyboards?.unfulfilled(by: sequencer.present) ?? [] {
      Terminal.note("waiting    for a port named \(wish)")
    }
  }

  private func line(_ sequencer: SequencerSource) -> String {
    let ports = sequencer.present.map(\.description).joined(separator: ", ")
    let none =
      keyboards == .some(.none) ? "none joined; connect them to port" : "none yet; plug one in, or connect to port"
    return "keyboards  \(ports.isEmpty ? "\(none) \(sequencer.address)" : ports)"
  }

  /// What the last line shows.
  private func meter(_ session: Session, _ output: DeviceOutput, _ song: SongFile? = nil) -> StatusLine {
    let position = song.map { "\(clock(session.position)) / \(clock($0.song.duration))  \(mode(session))" } ?? ""
    let xruns = song == nil || output.device.xruns == 0 ? "" : "\(output.device.xruns) xruns  "
    return StatusLine(
      rest: "\(position)\(meterText(peak: session.takePeak()))  "
        + "\(session.synthesizer.instruments.activeVoiceCount) voices  \(xruns)\(output.device.driftMeter)"
        + (song?.name ?? "Ctrl-C ends"))
  }

  /// How the song is played, where that is not as usual.
  private func mode(_ session: Session) -> String {
    let pause = session.isSongPaused ? "paused  " : ""
    let tempo = session.tempo == 1 ? "" : "\(Int((session.tempo * 100).rounded())) %  "
    return pause + tempo + (session.loop.map { "loop \(SongTime($0.start)) to \(SongTime($0.end))  " } ?? "")
  }
}
