import SynthKit

/// Tells when the device of a microphone goes and comes back, also where it has come back between two looks.
struct MicrophoneReporter {
  private var departureCount = 0
  private var isMissed = false

  /// To be called now and then.
  ///
  /// - Parameter note: tells a line.
  mutating func tell(of microphone: Microphone, _ note: (String) -> Void) {
    if microphone.departureCount > departureCount {
      departureCount = microphone.departureCount
      isMissed = true
      note("the microphone \(microphone.name) has gone")
    }
    guard isMissed, microphone.isPresent else { return }
    isMissed = false
    let state = microphone.isMuted ? "and muted: unmute microphone lets it be heard" : "and heard"
    note("the microphone \(microphone.name) is back, \(state)")
  }
}

extension Microphone {
  /// For the status: "microphone hw:1, on, at −3.0 dB".
  var line: String { "microphone \(name), \(condition)" }

  /// For the last line of the terminal.
  var mark: String { isPresent ? isMuted ? "muted" : "on" : "away" }
}
