import AudioGraph
import SynthRealtime

/// When what is played live is heard.
public enum LiveTiming: String, Sendable, CaseIterable {
  /// Every note a constant time after its key: what the period makes of it otherwise is jitter.
  case steady
  /// Every note as soon as possible: up to one period earlier, and with that much jitter.
  case immediate

  /// How much later than it came an event is played, in frames of the sample clock.
  ///
  /// An event falls into the slice after the one that is being rendered, at most a period later. One millisecond more
  /// covers the waking of the MIDI thread. A period that is no multiple of the quantum has frames rendered ahead of
  /// need.
  ///
  /// - Parameter quantum: the instruments', in frames of the sample clock.
  func delay(_ output: OutputLatency, sampleRate: Double, quantum: Int) -> Int64 {
    guard self == .steady else { return 0 }
    let ahead = output.period % quantum == 0 ? 0 : quantum
    return Int64(output.period + ahead + Int(sampleRate) / 1000)
  }

  /// From a key to its sound on an output, in seconds, without a device's own converters.
  ///
  /// - Parameters:
  ///   - quantum: the instruments', in frames of the sample clock.
  ///   - isExact: whether notes begin at their frame; else where a quantum does.
  ///   - chain: the synthesizer's own latency, in frames.
  func latency(
    _ output: OutputLatency, sampleRate: Double, quantum: Int, isExact: Bool, chain: Int
  ) -> ClosedRange<Double> {
    let afterRendering = Double(output.buffer - output.period + output.alignment + chain) / sampleRate
    guard self == .steady else { return afterRendering...afterRendering + Double(output.period) / sampleRate }
    let longest = afterRendering + Double(delay(output, sampleRate: sampleRate, quantum: quantum)) / sampleRate
    return longest - (isExact ? 0 : Double(quantum) / sampleRate)...longest
  }
}
