import ALSA
import SynthKit

/// `synth`: plays what comes from MIDI keyboards, until Ctrl-C.
struct LiveCommand {
  static let options = SoundOptions.options + DeviceOptions.options + [.connect, .noConnect, .timing]

  private let sound: SoundOptions
  private let devices: DeviceOptions
  private let sources: SourceSelection
  private let timing: LiveTiming

  init(_ tokens: [String]) throws(UsageError) {
    let arguments = try Arguments(tokens, allowed: Self.options)
    sound = try SoundOptions(arguments)
    devices = try DeviceOptions(arguments)
    let wishes = arguments.all(.connect)
    if wishes.contains("") { throw .badValue(.connect, "\"\"", expected: "a port's number or a part of its name") }
    if !wishes.isEmpty && arguments.has(.noConnect) { throw .missing("give either --connect or --no-connect") }
    sources = arguments.has(.noConnect) ? .none : wishes.isEmpty ? .all : .named(wishes)
    let word = arguments.last(.timing) ?? LiveTiming.steady.rawValue
    guard let timing = LiveTiming(rawValue: word) else {
      throw .badValue(.timing, word, expected: LiveTiming.allCases.map(\.rawValue).joined(separator: " or "))
    }
    self.timing = timing
  }

  func run() throws {
    let sound = try Sound(sound)
    let session = try LiveSession(
      devices.requests, sound.configuration(preload: sound.preload()),
      assignments: devices.assignments, sources: sources, timing: timing,
      loading: sound.backgroundLoading)
    try session.start()
    Terminal.note(facts(sound, session))
    for wish in sources.unfulfilled(by: session.sequencer.present) {
      Terminal.note("waiting    for a port named \(wish)")
    }
    var devices = session.device.outputs.map { _ in DeviceNews(isLive: true) }
    var latency = session.latency
    var console = Console(session.synthesizer, sound)
    var hasQuit = false
    while session.isPlaying {
      if Interruption.isRequested { session.stop() }
      for (index, output) in session.device.outputs.enumerated() { devices[index].tell(of: output) }
      if session.latency != latency {
        latency = session.latency
        Terminal.note(line(latency))
      }
      for news in session.takeNews() { Terminal.note(line(news)) }
      if console.turn(meter: { meter(session) }) == .quit {
        hasQuit = true
        session.fadeOut()
      }
    }
    console.end()
    session.wait()
    for line in session.device.driftReport { Terminal.note(line) }
    if let complaint = DeviceNews.complaint(of: session.device) { Terminal.note(complaint) }
    if !hasQuit { throw Interrupted() }
  }

  private func facts(_ sound: Sound, _ session: LiveSession) -> String {
    let keyboards = session.sequencer.present.map(\.description).joined(separator: ", ")
    let none = sources == .none ? "none joined; connect them to port" : "none yet; plug one in, or connect to port"
    return """
      \(sound.summary)
      keyboards  \(keyboards.isEmpty ? "\(none) \(session.sequencer.address)" : keyboards)
      \(session.device.facts)
      \(line(session.latency))
      """
  }

  private func line(_ latency: ClosedRange<Double>) -> String {
    "latency    \(tenths(latency.lowerBound * 1000)) to \(tenths(latency.upperBound * 1000)) ms from key to sound"
  }

  private func line(_ news: LiveNews) -> String {
    switch news {
    case .joined(let port): "joined     \(port)"
    case .departed(let port): "left       \(port)"
    case .presetChanged(let channel, let preset):
      "program    \(channel < 9 ? " " : "")\(channel + 1): \(preset.name)"
    case .loadingFailed(let error): "\(error)"
    case .eventsLost: "MIDI came faster than it could be kept; all that was held has been released"
    case .messagesDropped(let count):
      "MIDI came faster than it could be played; \(count) message\(count == 1 ? "" : "s") lost"
    }
  }

  private func meter(_ session: LiveSession) -> String {
    "\(meterText(peak: session.takePeak()))  "
      + "\(session.synthesizer.instruments.activeVoiceCount) voices  \(session.device.driftMeter)Ctrl-C ends"
  }
}
