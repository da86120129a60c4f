import AudioGraph
import SynthKit
import SynthText

/// What is typed or piped while an input is passed through, and the last line of the terminal.
final class ThroughConsole {
  let recorder: SessionRecorder
  private let through: PassThrough
  private let library = EqualizerPresetLibrary.standard()
  private var preset: String
  private var input = CommandInput()
  private var meters = ChannelMeters(channelCount: 2)
  /// Whether the end was asked for.
  private(set) var isOver = false
  /// Whether something could not be recorded to its end.
  private(set) var hasFailed = false

  /// The synthesizer's commands that make sense here.
  private static let commands = CommandForm.all.filter { ["preset", "gain", "record"].contains($0.name) }

  init(_ through: PassThrough, preset: String) {
    (self.through, self.preset) = (through, preset)
    recorder = SessionRecorder(through)
    if input.isTyped { Terminal.note("commands   type one, as in preset pop; help lists them") }
  }

  /// Lets a loop do what is typed, write what is recorded, and show the last line.
  func join(_ loop: ControlLoop) {
    loop.add(wokenBy: { [self] in input.descriptor }) { [self] in
      input.read(completions: completions)
      while !isOver, let line = input.take() { perform(line) }
    }
    loop.add(recorder) { [self] in if case .failure(let error) = $0 { tell(error) } }
    let beginning = ContinuousClock.now
    loop.add { [self] in draw(at: ContinuousClock.now - beginning) }
  }

  private func draw(at time: Duration) {
    let meter = through.mixer.outputMeter
    meters.note((0..<2).map(meter.takePeak), at: time / .seconds(1))
    if let typed = input.typed { return Terminal.prompt(typed) }
    let place = recorder.recordings.map(\.duration).max().map { "rec \(clock($0))  " } ?? ""
    let end = "  q ends"
    let room = Terminal.width - 1 - place.count - end.count
    Terminal.progress(StatusLine(rest: place + meters.text(width: room) + end))
  }

  /// Ends what is recorded, and restores the terminal.
  func end() {
    Terminal.endProgress()
    KeyMode.leave()
    input.keepHistory()
    for path in recorder.recordings.map(\.path) {
      do throws(RecordingError) {
        if let recorded = try recorder.stop(path) { Terminal.note(SynthesizerAnswer.recorded([recorded]).line) }
      } catch {
        tell(error)
      }
    }
  }

  private func tell(_ error: RecordingError) {
    hasFailed = true
    Terminal.error(errorLine(error))
  }

  private func perform(_ line: String) {
    switch line.split(whereSeparator: \.isWhitespace).joined(separator: " ") {
    case "": break
    case "q", "quit": isOver = true
    case "help":
      let rows = Self.commands.map { CommandHelp(name: $0.name, form: $0.form, summary: $0.summary) }
      let end = CommandHelp(name: "quit", form: "quit", summary: "ends; q will do")
      Terminal.note((rows + [end]).map(\.lines).joined(separator: "\n"))
    default:
      do {
        Terminal.note(try answer(to: SynthesizerCommand(parsing: line)).line)
      } catch {
        Terminal.error(errorLine(error))
      }
    }
  }

  private func answer(to command: SynthesizerCommand) throws -> SynthesizerAnswer {
    switch command {
    case .preset(let reference): return set(try library.preset(reference))
    case .nextPreset: return set(neighbour(1))
    case .previousPreset: return set(neighbour(-1))
    case .set(path: gain.path, to: let text):
      try gain.set(text)
      return .values([gain.present])
    case .record(let path?):
      let path = TypedPath.expanded(path)
      try recorder.start(path)
      return .recording(recorder.recordings.suffix(1))
    case .record(nil): return .recorded(try recorder.stop())
    case .tell(.preset): return .preset(preset)
    case .tell(.values([gain.path])): return .values([gain.present])
    case .tell(.recording): return .recording(recorder.recordings)
    default: throw NotForInputs()
    }
  }

  private var gain: ControlNode { ControlNode("/gain", through.mixer.outputGain, label: "gain") }

  private func set(_ preset: EqualizerPreset) -> SynthesizerAnswer {
    self.preset = preset.name
    through.equalizer.curve = preset.curve
    return .preset(preset.name)
  }

  private func neighbour(_ step: Int) -> EqualizerPreset {
    let presets = library.presets().presets
    guard let place = presets.firstIndex(where: { $0.name == preset }) else { return presets.first ?? .flat }
    return presets[(place + step + presets.count) % presets.count]
  }

  private func completions(of text: String) -> [String] {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    let candidates =
      words.count == 1
      ? Self.commands.map(\.name) + ["help", "quit"]
      : words[0] == "preset" && words.count == 2 ? library.presets().presets.map(\.name) + ["next", "previous"] : []
    return candidates.filter { $0.hasPrefix(words.last ?? "") }
  }
}

/// A command for songs and instruments, of which there are none.
struct NotForInputs: Error, CustomStringConvertible {
  let description = "that is for songs and instruments; here are preset, gain, record and quit"
}
