import SynthALSA
import SynthDSP
import SynthKit

/// `synth tone`: plays a test tone, which typed commands change, until Ctrl-C.
struct ToneCommand: Command {
  static let options: [Option] =
    [.wave, .frequency, .level, .device, .fallback, .channels, .rate, .latency, .period, .config]

  private let waveform: Waveform
  private let frequency: Double
  private let level: Decibels
  private let devices: DeviceOptions

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options).configured(DeviceOptions.options)
    if let word = arguments.operands.first { throw .unexpectedOperand(word) }
    let wave = arguments.last(.wave) ?? Waveform.sine.rawValue
    guard let waveform = Waveform(named: wave) else {
      throw .badValue(.wave, wave, expected: Waveform.expected)
    }
    self.waveform = waveform
    frequency = try Self.number(.frequency, arguments, 0...192_000, "hertz from 0 to 192000") ?? 440
    level = try arguments.level(.level) ?? -12
    devices = try DeviceOptions(arguments)
  }

  private static func number(
    _ option: Option, _ arguments: Arguments, _ range: ClosedRange<Double>, _ expected: String
  ) throws(UsageError) -> Double? {
    guard let text = arguments.last(option) else { return nil }
    guard let number = Double(text), range.contains(number) else { throw .badValue(option, text, expected: expected) }
    return number
  }

  func run() throws {
    devices.tellEffects()
    let output = try devices.open()
    let tone = try ToneGenerator(output, waveform: waveform, frequency: frequency, level: level)
    let control = ToneControl(tone)
    Interruption.watch()
    try tone.start()
    Terminal.tell("\(output.facts)\ncommands   type one, as in wave saw; help lists them")
    var input = CommandInput()
    while tone.engine.isRunning, !Interruption.isRequested {
      input.wait { text in control.completions(of: text) + Self.own.filter { $0.hasPrefix(text) } }
      while input.takeKey() != nil {}
      guard perform(&input, control) else { break }
      if let typed = input.typed {
        Terminal.prompt(typed)
      } else {
        let meter = tone.mixer.outputMeter
        Terminal.progress(
          StatusLine(rest: "\(meterText(peak: max(meter.takePeak(0), meter.takePeak(1))))  \(Self.line(tone.state))"))
      }
    }
    Terminal.endProgress()
    KeyMode.leave()
    input.keepHistory()
    try tone.end()
    if Interruption.isRequested { throw Interrupted() }
  }

  /// Does what was typed; false once it is to end.
  private func perform(_ input: inout CommandInput, _ control: ToneControl) -> Bool {
    while let line = input.take() {
      switch line.split(whereSeparator: \.isWhitespace).joined(separator: " ") {
      case "": break
      case "quit", "q": return false
      case "help": Terminal.note(Self.help)
      default:
        do throws(SynthesizerCommandError) {
          switch try control.perform(line) {
          case .tone(let state): Terminal.note("tone       \(Self.line(state))")
          case .nodes(let answer): Terminal.note(answer.line)
          }
        } catch {
          Terminal.error(errorLine(error))
        }
      }
    }
    return true
  }

  private static let own = ["help", "quit"]

  private static let help = """
    wave NAME           \(Waveform.expected)
    frequency HZ        0 to 192000; half the sample rate is the highest
    level DB            -120 to 24
    start, stop         lets it sound, and fades it out
    set                 lists the nodes; set NODE what it has; set NODE NAME VALUE
    quit                ends; q will do
    """

  /// "sawtooth, 440 Hz, −12.0 dB", and whether it is silent.
  private static func line(_ state: ToneGenerator.State) -> String {
    let pitch = state.waveform == .noise ? "" : ", \(tenths(state.frequency)) Hz"
    return "\(state.waveform)\(pitch), \(state.level.figure(decimals: 1)) dB\(state.isSounding ? "" : ", stopped")"
  }
}
