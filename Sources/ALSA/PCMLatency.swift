/// How much audio waits in a device's buffer: little, to be heard soon, or much, to survive a busy machine.
public enum PCMLatency: Sendable, Equatable {
  /// Three periods of 64 frames at 48 kHz, 4 ms: for keyboards, on a machine with real-time scheduling.
  case low
  /// Three periods of 256 frames, 16 ms, which an ordinary kernel still serves without xruns.
  case normal
  /// Three periods of 1024 frames, 64 ms: for machines that are busy with other things.
  case safe
  /// About so many seconds of buffer.
  case seconds(Double)

  /// The periods are whole quanta of 64 frames, which is how the graph renders.
  private static let quantum = 64
  /// Also of a long buffer the periods stay short, or what is played would wait for them.
  private static let longestPeriod = 1024

  /// The wish in frames, once the rate is known; `period` in place of the latency's own if it is given.
  package func sizes(rate: Int, period: Int? = nil) -> (period: Int, buffer: Int) {
    guard case .seconds(let seconds) = self else {
      // A rate of 96 or 192 kHz has as many more frames in the same time.
      let period = period ?? quantaPerPeriod * Self.quantum * max(1, rate / 48000)
      return (period, 3 * period)
    }
    let frames = Int(min(max(0, seconds), 10) * Double(rate))
    let period = period ?? min(max(1, frames / 3 / Self.quantum) * Self.quantum, Self.longestPeriod)
    return (period, max(2, (frames + period / 2) / period) * period)
  }

  private var quantaPerPeriod: Int {
    switch self {
    case .low: 1
    case .normal, .seconds: 4
    case .safe: 16
    }
  }
}
