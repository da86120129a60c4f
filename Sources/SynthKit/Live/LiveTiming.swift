import ALSA
import AudioGraph
import Realtime

/// When what is played live is heard.
public enum LiveTiming: String, Sendable, CaseIterable {
  /// Every note a constant time after its key: what the period makes of it otherwise is jitter.
  case steady
  /// Every note as soon as possible: up to one period earlier, and with that much jitter.
  case immediate

  /// How much later than it came an event is played, in frames of the sample clock.
  ///
  /// An event falls into the slice after the one that is being rendered at most a period later. A millisecond more is for
  /// the MIDI thread to be woken in. A period that is no multiple of the quantum has frames rendered ahead of need.
  func delay(_ device: PCMParameters) -> Int64 {
    guard self == .steady else { return 0 }
    let ahead = device.period % renderQuantum == 0 ? 0 : renderQuantum
    return Int64(device.period + ahead + device.rate / 1000)
  }

  /// From a key to its sound on a device, in seconds, the device's own converters left out.
  ///
  /// - Parameter chain: the synthesizer's own latency, in frames.
  func latency(_ device: PCMParameters, chain: Int) -> ClosedRange<Double> {
    let rate = Double(device.rate)
    let afterRendering = Double(device.buffer - device.period + chain) / rate
    guard self == .steady else { return afterRendering...afterRendering + Double(device.period) / rate }
    // Notes begin where a quantum does, up to a quantum before their frame.
    let longest = afterRendering + Double(delay(device)) / rate
    return longest - Double(renderQuantum) / rate...longest
  }
}
