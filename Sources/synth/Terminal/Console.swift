import SynthKit
import SynthText

/// What is typed or piped while sound is played, and what is told of it: the last line of the terminal belongs to the
/// meter, or to what is being typed, unless the view has the whole screen. It stands on the control surface, as all
/// others who control do.
final class Console {
  /// What only the one who plays can do.
  enum Wish: Equatable {
    case nextSong, previousSong, quit
    /// By its place in the list, from 0.
    case song(Int)
  }

  /// As many commands are performed between two looks at what plays.
  private static let commandsPerTurn = 16

  private let host: PlayingHost
  private var surface: ControlSurface { host.surface }
  private var session: Session { host.session }
  private var recorder: SessionRecorder { host.recorder }
  private var input = CommandInput()
  private var view: TerminalView
  /// Whether something could not be recorded to its end.
  private(set) var hasFailed = false
  /// The preset that was told last, and the one there was a turn ago.
  private var told: String
  private var seen: String

  /// Whether anything is being recorded.
  var isRecording: Bool { !recorder.recordings.isEmpty }

  /// - Parameter hasView: whether the view is shown from the start, where there is room for it.
  init(_ host: PlayingHost, hasView: Bool) {
    self.host = host
    view = TerminalView(host.surface, isWanted: hasView && input.isTyped)
    told = host.surface.control.preset
    seen = told
    host.isTyped = input.isTyped
    if input.isTyped { Terminal.note("commands   type one, as in preset pop; help lists them") }
  }

  /// Lets a loop do what is typed and what clients ask for, write what is recorded, and show the last line.
  ///
  /// - Parameters:
  ///   - words: those that are sung.
  ///   - meter: what the last line shows where nothing is sung or being typed.
  func join(_ loop: ControlLoop, words: @escaping () -> StatusLine?, meter: @escaping () -> StatusLine) {
    loop.add(wokenBy: { [self] in input.descriptor }) { [self, weak loop] in
      performTyped()
      if input.hasLine { loop?.hurry() }
    }
    loop.add(surface)
    loop.add(recorder) { [self] in tell($0) }
    loop.add { [self] in
      tellPreset()
      if view.draw(typed: input.typed, words: words()) { return }
      if let typed = input.typed {
        Terminal.prompt(typed)
      } else {
        Terminal.progress(recordingMeter + (words() ?? meter()))
      }
    }
  }

  private func performTyped() {
    input.read { [host] in host.completions(of: $0) }
    while let key = input.takeKey() { press(key) }
    for _ in 0..<Self.commandsPerTurn {
      guard !host.hasWish, let line = input.take() else { break }
      perform(line)
    }
  }

  /// Ends what is recorded, waits for what is saved, and restores the terminal.
  ///
  /// - Parameter saving: is told again and again how much of that is done.
  func end(saving: @escaping (Double) -> Void) throws {
    view.close()
    Terminal.endProgress()
    KeyMode.leave()
    input.keepHistory()
    for path in recorder.recordings.map(\.path) {
      do throws(RecordingError) {
        if let recorded = try recorder.stop(path) { Terminal.note(SynthesizerAnswer.recorded([recorded]).line) }
      } catch {
        tell(.failure(error))
      }
    }
    if let saving = recorder.saving { Terminal.note("saving     \(saving.path) first; Ctrl-C gives it up") }
    let loop = ControlLoop()
    loop.add(surface)
    loop.add(recorder) { [self] in tell($0) }
    loop.add { [self] in
      guard let present = recorder.saving else { return }
      saving(present.part)
      Terminal.progress(StatusLine(rest: recordingMeter))
    }
    try loop.run { recorder.saving != nil }
  }

  /// Tells of a take that has been saved, or of one that could not be recorded to its end.
  private func tell(_ result: Result<SessionRecorder.Recorded, RecordingError>) {
    switch result {
    case .success(let saved):
      let line = SynthesizerAnswer.recorded([saved]).line
      Terminal.note(line)
      surface.note(line)
    case .failure(let error):
      hasFailed = true
      Terminal.error(errorLine(error))
      surface.note(errorLine(error), isError: true)
    }
  }

  /// What stands before the meter.
  private var recordingMeter: String {
    let longest = recorder.recordings.map(\.duration).max()
    return (longest.map { "rec \(clock($0))  " } ?? "")
      + (recorder.saving.map { "saving \(Int($0.part * 100)) %  " } ?? "")
  }

  private func perform(_ line: String) {
    guard line.contains(where: { !$0.isWhitespace }) else { return }
    do {
      let own = try host.perform(line)
      let answer = try own ?? perform(SynthesizerCommand(parsing: line)).line
      if !answer.isEmpty { Terminal.note(answer) }
      if own == nil { (told, seen) = (surface.control.preset, surface.control.preset) }
    } catch {
      Terminal.error(host.line(error))
    }
  }

  private func perform(_ command: SynthesizerCommand) throws -> SynthesizerAnswer {
    if case .move(let device) = command { DeviceOptions.tellEffect(of: device) }
    return try surface.perform(command)
  }

  /// Sets everything as it was, at the start.
  func recall(_ snapshot: String) { perform("snapshot recall \(snapshot)") }

  /// Does what a key stands for; the meter shows it.
  private func press(_ key: LineEditor.Key) {
    if key == .view { view.isWanted.toggle() }
    guard host.playsSongs else { return }
    let percent = (session.tempo * 100).rounded()
    let command: SynthesizerCommand? =
      switch key {
      case .space: session.isSongPaused ? .play : .pause
      case .left: .skip(-5)
      case .right: .skip(5)
      case .pageUp: .skip(-60)
      case .pageDown: .skip(60)
      case .plus: .set(path: "/song/tempo", to: "\(min(percent + 5, 400))")
      case .minus: .set(path: "/song/tempo", to: "\(max(percent - 5, 25))")
      case .view: nil
      }
    guard let command else { return }
    do throws(SynthesizerCommandError) {
      _ = try surface.perform(command)
    } catch {
      Terminal.error(errorLine(error))
    }
  }

  /// Tells of a preset that MIDI or a client has chosen, once it has stayed for a turn: a controller passes many.
  private func tellPreset() {
    let preset = surface.control.preset
    if preset != told, preset == seen {
      told = preset
      Terminal.note("preset     \(preset)")
    }
    seen = preset
  }
}
