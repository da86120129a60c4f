import AudioGraph
import Glibc
import SynthAudioFiles
import SynthDSP
import SynthKit
import SynthText

/// `synth record`: records an input into a file, until q, Ctrl-C or a time that was given.
struct RecordCommand: Command {
  static let options = InputOptions.options + [.output, .bits, .seconds]

  private let path: String
  private let samples: AudioFileSamples
  private let devices: InputOptions
  private let seconds: Double?

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options)
    if let word = arguments.operands.first { throw .missing("name the file by -o \(word)") }
    path = arguments.last(.output) ?? Self.name(at: time(nil))
    if path == "-" { throw .missing("what is recorded goes into a file: give -o FILE") }
    samples = try arguments.samples()
    devices = try InputOptions(arguments)
    seconds = try arguments.last(.seconds).map { text throws(UsageError) in
      guard let time = SongTime(parsing: text)?.seconds, time > 0 else {
        throw .badValue(.seconds, text, expected: "how long to record, as in 90, 1:30 or 0.5")
      }
      return time
    }
  }

  /// For a file that was given none: "take-20261122-181502.wav".
  private static func name(at moment: time_t) -> String {
    var moment = moment
    var local = tm()
    localtime_r(&moment, &local)
    var text = [CChar](repeating: 0, count: 64)
    strftime(&text, text.count, "take-%Y%m%d-%H%M%S.wav", &local)
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func run() throws {
    let unit = try devices.open()
    let recorder = try InputRecorder(
      unit, to: path, samples: samples, channelCount: devices.channelCount, channelMap: try devices.map(of: unit),
      sampleRate: devices.rate, frameLimit: seconds.map { max(1, Int(($0 * unit.sampleRate).rounded())) })
    Interruption.watch()
    try recorder.start()
    let map = recorder.input.channelMap
    let choice = map.sources == Array(0..<unit.channelCount) ? "" : "\nchannels   \(map)"
    Terminal.note("input      \(unit.device.parameters)\(choice)\nrecording  \(path)")
    Terminal.tell("           q or Ctrl-C ends it")
    var meters = ChannelMeters(channelCount: recorder.format.channelCount)
    let failure = Result { try follow(recorder, &meters) }
    Terminal.endProgress()
    KeyMode.leave()
    let end = Result { try recorder.finish() }
    Terminal.note("recorded   \(path): \(summary(of: recorder, meters, unit))")
    try failure.get()
    try end.get()
    if Interruption.isRequested { throw Interrupted() }
  }

  private func follow(_ recorder: InputRecorder, _ meters: inout ChannelMeters) throws {
    var input = CommandInput()
    while !Interruption.isRequested, let peaks = try recorder.record() {
      meters.note(peaks, at: recorder.duration)
      let place = "rec \(clock(recorder.duration))  "
      let lost = recorder.input.statistics.framesLost > 0 ? "frames lost  " : ""
      let room = Terminal.width - 1 - place.count - lost.count
      Terminal.progress(StatusLine(rest: place + lost + meters.text(width: room)))
      input.wait { _ in [] }
      if input.typed?.first == "q" { return }
      while let line = input.take() {
        if ["q", "quit", "stop"].contains(line) { return }
        if !line.isEmpty { Terminal.error("\(line): no such command; quit ends the recording") }
      }
    }
  }

  /// "12.345 s, peak -3.2 dBFS, 0 overruns, 0 frames lost".
  private func summary(of recorder: InputRecorder, _ meters: ChannelMeters, _ unit: DeviceInput) -> String {
    let seconds = NumberFormatting.text(recorder.duration, decimals: 3, keepingZeros: true)
    let peak = tenths(Decibels(amplitude: Double(meters.highest)).value)
    let clipped = meters.clipped.map { "\($0)" }.joined(separator: ", ")
    let overruns = NumberFormatting.count(unit.device.statistics.xruns, "overrun", "overruns")
    let lost = unit.device.statistics.framesLost + recorder.input.statistics.framesLost
    return "\(seconds) s, peak \(peak) dBFS\(clipped.isEmpty ? "" : ", clipped on channel \(clipped)"), \(overruns), "
      + NumberFormatting.count(lost, "frame", "frames") + " lost"
      + (lost == 0 ? "" : ", which are silence")
  }
}
