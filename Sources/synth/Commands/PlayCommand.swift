import SynthALSA
import SynthKit
import SynthMIDI
import SynthRemote
import SynthText

/// `synth`: plays what comes from MIDI keyboards, until Ctrl-C; `synth SONG.mid …`: plays songs, those of folders and
/// playlists too, and the keyboards that `--connect` names along with them.
struct PlayCommand: Command {
  static let options =
    SoundOptions.options + DeviceOptions.options + SongOptions.options + MicrophoneOptions.options
    + RemoteOptions.options
    + [
      .mute, .solo, .route, .metronome, .connect, .noConnect, .timing, .lyrics, .view, .record, .onUnplug, .wait,
      .releaseAfter, .snapshot, .snapshotChannel, .config,
    ]

  private let paths: [String]
  private let sound: SoundOptions
  private let devices: DeviceOptions
  private let part: SongOptions
  private let microphone: MicrophoneOptions?
  private let remote: RemoteOptions
  /// What is to be silent from the start.
  private let mutes: [SynthesizerCommand]
  /// Nil for no keyboards at all.
  private let keyboards: SourceSelection?
  private let isNamingKeyboards: Bool
  private let timing: LiveTiming
  private let onUnplug: InterruptionPolicy
  private let service: PlayService
  private let showsLyrics: Bool
  private let hasView: Bool
  private let snapshots: SnapshotOptions
  /// Where what is played is recorded from the start.
  private let recordings: [String]

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options).configured(Self.options)
    paths = arguments.operands
    sound = try SoundOptions(arguments)
    devices = try DeviceOptions(arguments)
    part = try SongOptions(arguments)
    microphone = try MicrophoneOptions(arguments)
    remote = try RemoteOptions(arguments)
    mutes = try Self.mutes(.mute, arguments) + Self.mutes(.solo, arguments)
    let wishes = arguments.all(.connect)
    if wishes.contains("") { throw .badValue(.connect, "\"\"", expected: "a port's number or a part of its name") }
    if !wishes.isEmpty && arguments.has(.noConnect) { throw .missing("give either --connect or --no-connect") }
    let unnamed: SourceSelection? = arguments.has(.noConnect) ? .some(.none) : paths.isEmpty ? .all : nil
    isNamingKeyboards = !wishes.isEmpty
    keyboards = wishes.isEmpty ? unnamed : .named(wishes)
    recordings = arguments.all(.record)
    snapshots = try SnapshotOptions(arguments)
    (showsLyrics, hasView) = (arguments.has(.lyrics), arguments.has(.view))
    if arguments.isGiven(.lyrics), paths.isEmpty { throw .missing("--lyrics shows the words of a song: name one") }
    let word = arguments.last(.timing) ?? LiveTiming.steady.rawValue
    guard let timing = LiveTiming(rawValue: word) else {
      throw .badValue(.timing, word, expected: LiveTiming.allCases.map(\.rawValue).joined(separator: " or "))
    }
    self.timing = timing
    let policy = arguments.last(.onUnplug) ?? InterruptionPolicy.pause.rawValue
    guard let onUnplug = InterruptionPolicy(rawValue: policy) else {
      throw .badValue(
        .onUnplug, policy, expected: InterruptionPolicy.allCases.map(\.rawValue).joined(separator: " or "))
    }
    self.onUnplug = onUnplug
    let silence = try arguments.number(.releaseAfter, in: 10...86400)
    let isForKeyboards = paths.isEmpty && microphone == nil
    service = PlayService(waits: arguments.has(.wait), releaseAfter: isForKeyboards ? silence : nil)
  }

  /// "10", "track:2", or several with commas.
  private static func mutes(_ option: Option, _ arguments: Arguments) throws(UsageError) -> [SynthesizerCommand] {
    try arguments.all(option).flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
      .map { word throws(UsageError) in
        let words = word.hasPrefix("track:") ? "track \(word.dropFirst(6))" : String(word)
        do throws(SynthesizerCommandError) {
          return try SynthesizerCommand(parsing: "\(option.rawValue.dropFirst(2)) \(words)")
        } catch {
          throw .badValue(option, String(word), expected: "\(ChannelName.expected), or a track of songs as in track:2")
        }
      }
  }

  func run() throws {
    SoundServer.introduce("synth", icon: "audio-x-generic", as: paths.isEmpty ? .production : .music)
    let start = paths.isEmpty ? nil : try SongStart(paths, part, sound)
    let sound = try Sound(sound)
    devices.tellEffects()
    let (output, sequencer) = try service.open {
      (try devices.open(hasMIDI: keyboards != nil), try openSequencer())
    }
    var configuration = sound.configuration(preload: sound.preload(for: start.map { [$0.file] } ?? []))
    configuration.instruments.sampler.cores.isRealTime = true
    configuration.instruments.sampler.bank = start?.file.song.container?.bank
    let midi = (output as? JACKOutput)?.stream.midi
    let sources = (sequencer.map { [$0] } ?? []) + (midi.map { [$0] } ?? []) as [any MIDISource]
    let isLive = start == nil || !sources.isEmpty
    let (take, monitor) = (isLive ? MIDITake() : nil, MIDIMonitor())
    let session = Session(
      try Synthesizer(try devices.adapted(configuration, to: output)), output: output,
      sources: sources, copies: (take.map { [$0] } ?? []) + [monitor] + service.sinks,
      timing: timing, loading: isLive ? sound.backgroundLoading : remote.isOn ? .asked : nil,
      interruptions: onUnplug)
    Interruption.watch()
    if let file = start?.file, file.song.sound != nil, !mutes.isEmpty {
      Terminal.warn("--mute and --solo: \(file.path) is an audio file, which has neither channels nor tracks")
    }
    let recorder = SessionRecorder(session, take: take)
    let surface = ControlSurface(
      SynthesizerControl(
        session.synthesizer, session: session, recorder: recorder, presetControl: sound.presetControl,
        preset: sound.preset.name),
      session: session, monitor: monitor, release: Request.release)
    let input = try microphone?.join(session.synthesizer, output) ?? ""
    for command in mutes { _ = try surface.perform(command) }
    session.metronome.set(part.metronome)
    session.controls.snapshotChannel = snapshots.channel
    try session.setRoutes(sound.options.routes)
    let report = SessionReporter(session, output, surface, isLive: isLive)
    try recorder.start(recordings)
    let host = PlayingHost(surface, session, recorder, playsSongs: start != nil, sequencer)
    let servers = try remote.serve(surface)
    defer { servers.stop() }
    host.addresses = servers.addresses
    let console = Console(host, hasView: hasView)
    defer { Terminal.release() }
    let facts = "\(sound.summary)\n\(sequencer.map(line).map { $0 + "\n" } ?? "")\(input)\(output.facts)"
    let player = start.map { SongPlayer(session, $0, part, showsLyrics: showsLyrics) }
    host.player = player
    let link = (output as? JACKOutput).flatMap { player == nil ? nil : JACKTransportLink(session, $0) }
    defer { link?.end() }
    if case .tempo(let tempo) = part.metronome, let start, start.file.song.sound == nil {
      Terminal.note("metronome  at the songs' own tempo; \(tenths(tempo)) a minute is for playing without songs")
    }
    do {
      // The desktop is told of no player any more once it is gone.
      let loop = ControlLoop()
      loop.add {
        try service.turn(session, output, song: player?.present.entry.name, isRecording: console.isRecording)
        report.tell(withDevices: !service.isReleased)
        try link?.turn()
        player?.turn()
      }
      console.join(
        loop,
        words: { player.flatMap { session.isSongPaused ? nil : StatusLine($0.present.lyrics, at: session.position) } },
        meter: { meter(session, output, player?.present) })
      if let player {
        tell(facts, session, sequencer, isLive: isLive)
        try play(player, host, console, loop)
      } else {
        try session.start()
        tell(facts, session, sequencer, isLive: isLive)
        if let name = snapshots.name { console.recall(name) }
        _ = try follow(host, loop)
      }
    }
    try console.end { service.turn(saving: $0) }
    report.tellEnd()
    if Interruption.isRequested { throw Interrupted() }
    if player?.hasFailures == true || console.hasFailed { throw ToldAlready() }
  }

  /// Nil where no keyboards are wanted, and where there is no sequencer but clients may play.
  private func openSequencer() throws -> SequencerSource? {
    guard let keyboards else { return nil }
    do throws(SequencerError) {
      return try SequencerSource(sources: keyboards)
    } catch {
      guard remote.isAskedFor || devices.jack != nil, !isNamingKeyboards, !service.waits else { throw error }
      Terminal.warn("\(error); until then \(devices.jack == nil ? "clients" : "JACK's clients") play, and no keyboard")
      return nil
    }
  }

  private func play(_ player: SongPlayer, _ host: PlayingHost, _ console: Console, _ loop: ControlLoop) throws {
    var goesOn = true
    try player.play()
    if let name = snapshots.name { console.recall(name) }
    // After the first sound: without a bus it is a matter of microseconds, but there may be one that is slow.
    if let nowPlaying = NowPlaying(player, name: "synth", identity: "synth") { loop.add(nowPlaying) }
    while goesOn {
      let wish = try follow(host, loop)
      if wish == .quit || Interruption.isRequested { return }
      goesOn =
        switch wish {
        case .previousSong: player.goBack()
        case .song(let index): player.go(to: index)
        default: player.goOn()
        }
      if goesOn { try player.play() }
    }
  }

  /// Runs the loop until what is played is over, a signal comes, or another song or the end is wished for.
  private func follow(_ host: PlayingHost, _ loop: ControlLoop) throws -> Console.Wish? {
    defer { Terminal.endProgress() }
    let session = host.session
    var wish: Console.Wish?
    try loop.run {
      wish = host.player?.takeWish() ?? host.takeWish()
      return wish == nil && !Interruption.isRequested && (session.isPlaying || session.isPaused)
    }
    guard wish != nil || Interruption.isRequested else { return nil }
    if wish == nil || wish == .quit { service.tellEnd() }
    try session.fadeOut()
    return wish
  }

  private func tell(_ facts: String, _ session: Session, _ sequencer: SequencerSource?, isLive: Bool) {
    guard isLive else { return Terminal.tell(facts) }
    Terminal.note("\(facts)\n\(SessionReporter.line(session.latency))")
    for wish in sequencer.flatMap({ keyboards?.unfulfilled(by: $0.present) }) ?? [] {
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
  private func meter(_ session: Session, _ output: any ReportedOutput, _ song: SongPlayer.Item? = nil) -> StatusLine {
    let voices = NumberFormatting.count(session.synthesizer.instruments.activeVoiceCount, "voice", "voices")
    let microphone = session.synthesizer.microphone.map { "mic \($0.mark)  " } ?? ""
    let level = "\(meterText(peak: session.takePeak()))  \(microphone)\(voices)  " + output.driftMeter
    guard let song else { return StatusLine(rest: level + "Ctrl-C ends") }
    let place = "\(clock(session.position)) / \(clock(song.file.song.duration))  \(mode(session))"
    let xrunCount = output.xruns
    let xruns = xrunCount == 0 ? "" : "\(NumberFormatting.count(xrunCount, "xrun", "xruns"))  "
    return StatusLine(place, name: song.entry.name, facts: xruns + level, width: Terminal.width - 1)
  }

  /// How the song is played, where that is not as usual.
  private func mode(_ session: Session) -> String {
    let pause = session.isSongPaused ? "paused  " : ""
    let tempo = session.tempo == 1 ? "" : "\(Int((session.tempo * 100).rounded())) %  "
    return pause + tempo + (session.loop.map { "loop \(SongTime($0.start)) to \(SongTime($0.end))  " } ?? "")
  }
}
