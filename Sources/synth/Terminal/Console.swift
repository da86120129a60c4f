import AudioGraph
import DSP
import Glibc
import Instruments
import SynthKit
import Text

/// What is typed or piped while sound is played, and what is told of it: the last line of the terminal belongs to the
/// meter, or to what is being typed.
struct Console {
  /// What only the one who plays can do.
  enum Wish: Equatable {
    case nextSong, previousSong, quit, list, status
    case shuffle(Bool)
    case repeatList(Bool)
  }

  /// As many commands are performed between two looks at what plays.
  private static let commandsPerTurn = 16

  let session: Session
  let playsSongs: Bool
  private let recorder: SessionRecorder
  private(set) var control: SynthesizerControl
  private var input = CommandInput()
  /// Whether something could not be recorded to its end.
  private(set) var hasFailed = false
  /// The preset that was told last, and the one there was a turn ago.
  private var told: String
  private var seen: String

  init(_ session: Session, _ sound: Sound, _ recorder: SessionRecorder, playsSongs: Bool) {
    control = SynthesizerControl(
      session.synthesizer, session: session, recorder: recorder, presetControl: sound.presetControl,
      preset: sound.preset.name)
    self.session = session
    self.recorder = recorder
    self.playsSongs = playsSongs
    told = control.preset
    seen = told
    session.controls.programCommands = Set(own.map(\.name))
    loadControls()
    if input.isTyped { Terminal.note("commands   type one, as in preset pop; help lists them") }
  }

  /// Whether a person types the commands.
  var isTyped: Bool { input.isTyped }

  /// Waits for about 50 ms, does what was asked for meanwhile, and shows the last line.
  ///
  /// - Parameter meter: what the last line shows where nothing is being typed.
  mutating func turn(meter: () -> StatusLine) -> Wish? {
    input.wait { [self] in completions(of: $0) }
    while let key = input.takeKey() { if playsSongs { press(key) } }
    for _ in 0..<Self.commandsPerTurn {
      guard let line = input.take() else { break }
      if let wish = perform(line) { return wish }
    }
    for line in takeControls() {
      if let wish = perform(line) { return wish }
    }
    tellPreset()
    tellingErrors { [recorder] in try recorder.turn() }
    tellSaved()
    if let typed = input.typed { Terminal.prompt(typed) } else { Terminal.progress(recordingMeter + meter()) }
    return nil
  }

  /// Ends what is recorded, waits for what is saved, and restores the terminal.
  mutating func end() {
    Terminal.endProgress()
    KeyMode.leave()
    for path in recorder.recordings.map(\.path) {
      tellingErrors { [recorder] in
        if let recorded = try recorder.stop(path) { Terminal.note(SynthesizerAnswer.recorded([recorded]).line) }
      }
    }
    if let saving { Terminal.note("saving     \(saving.path) first; Ctrl-C gives it up") }
    while saving != nil {
      Terminal.progress(StatusLine(rest: recordingMeter))
      usleep(50_000)
      tellSaved()
    }
  }

  /// Tells of what has been saved in the background.
  private mutating func tellSaved() {
    tellingErrors { [recorder] in
      if let saved = try recorder.takeSaved() { Terminal.note(SynthesizerAnswer.recorded([saved]).line) }
    }
  }

  private mutating func tellingErrors(_ work: () throws -> Void) {
    do {
      try work()
    } catch {
      hasFailed = true
      Terminal.error(errorLine(error))
    }
  }

  var recordings: [SessionRecorder.Recorded] { recorder.recordings }
  var saving: SessionRecorder.Saving? { recorder.saving }

  /// What stands before the meter.
  private var recordingMeter: String {
    let longest = recordings.map(\.duration).max()
    return (longest.map { "rec \(clock($0))  " } ?? "")
      + (saving.map { "saving \(Int($0.part * 100)) %  " } ?? "")
  }

  private mutating func perform(_ line: String) -> Wish? {
    let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    switch words {
    case "": return nil
    case "quit", "q": return .quit
    case "help": Terminal.note(help)
    case "presets": Terminal.note(presetList)
    case "instruments": Terminal.note(instrumentList)
    case "status": return .status
    case _ where words.hasPrefix("help "): explain(String(words.dropFirst(5)))
    case _ where playsSongs:
      if let wish = Self.songWishes[words] { return wish }
      if let switched = words.split(separator: " ").first, Self.songWishes["\(switched) on"] != nil {
        Terminal.error("\(words): give \(switched) on, or \(switched) off")
      } else {
        performed(line)
      }
    default: performed(line)
    }
    return nil
  }

  private static let songWishes: [String: Wish] = [
    "next": .nextSong, "n": .nextSong, "previous": .previousSong, "p": .previousSong, "list": .list,
    "shuffle on": .shuffle(true), "shuffle off": .shuffle(false), "repeat on": .repeatList(true),
    "repeat off": .repeatList(false),
  ]

  /// Does what a key stands for; the meter shows it.
  private mutating func press(_ key: LineEditor.Key) {
    let percent = (session.tempo * 100).rounded()
    let command: SynthesizerCommand =
      switch key {
      case .space: session.isSongPaused ? .play : .pause
      case .left: .skip(-5)
      case .right: .skip(5)
      case .up: .skip(60)
      case .down: .skip(-60)
      case .plus: .tempo(min(percent + 5, 400) / 100)
      case .minus: .tempo(max(percent - 5, 25) / 100)
      }
    do throws(SynthesizerCommandError) {
      _ = try control.perform(command)
    } catch {
      Terminal.error(errorLine(error))
    }
  }

  private func explain(_ name: String) {
    do throws(SynthesizerCommandError) {
      Terminal.note(try help(for: name))
    } catch {
      Terminal.error(remedied(error))
    }
  }

  /// With the list that has what was meant, where no name is near.
  private func remedied(_ error: SynthesizerCommandError) -> String {
    switch error {
    case .unknownCommand(let name, _) where own.contains { $0.name == name }:
      "\(name): it takes no more words, or others: \(own.first { $0.name == name }?.form ?? name)"
    case .unknownCommand(_, nearest: nil), .unknownName(_, kind: "command", _, nearest: nil, _):
      "\(error); help lists them"
    case .unknownName(_, kind: "preset", _, nearest: nil, _): "\(error); presets lists them"
    default: errorLine(error)
    }
  }

  private mutating func loadControls() {
    tellingErrors { [control] in try control.loadControls() }
  }

  /// What controls of keyboards have called, as it would be typed; what was learned is told.
  private mutating func takeControls() -> [String] {
    var commands: [String] = []
    tellingErrors { [control] in
      let taken = try control.takeControls()
      for line in taken.news { Terminal.note(line) }
      commands = taken.commands
    }
    return commands
  }

  /// Sets everything as it was, at the start.
  mutating func recall(_ snapshot: String) { performed("snapshot recall \(snapshot)") }

  private mutating func performed(_ line: String) {
    do throws(SynthesizerCommandError) {
      Terminal.note(try control.perform(SynthesizerCommand(parsing: line)).line)
      (told, seen) = (control.preset, control.preset)
    } catch .unknownCommand(let name, _) {
      Terminal.error(remedied(.unknownCommand(name, nearest: EditDistance.nearest(to: name, among: names))))
    } catch {
      Terminal.error(remedied(error))
    }
  }

  /// Tells of a preset that MIDI has chosen, once it has stayed for a turn: a controller passes many.
  private mutating func tellPreset() {
    let preset = control.preset
    if preset != told, preset == seen {
      told = preset
      Terminal.note("preset     \(preset)")
    }
    seen = preset
  }

  private func completions(of text: String) -> [String] {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let own =
      words.count == 1
      ? self.own.map(\.name)
      : words[0] == "help" && words.count == 2
        ? names
        : ["on", "off"].filter { playsSongs && words.count == 2 && Self.songWishes["\(words[0]) \($0)"] != nil }
    return control.completions(of: text) + own.filter { $0.hasPrefix(words.last ?? "") }
  }
}
