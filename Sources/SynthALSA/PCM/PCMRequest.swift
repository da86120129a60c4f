import SynthDSP
import SynthRealtime

/// The parameters that are asked of a PCM device.
public struct PCMRequest: Sendable, Equatable {
  /// Any name alsa-lib knows: `default`, `hw:1`, `hw:CARD=X,DEV=0`, `null`, `file:out.raw,raw`…
  public var device: String
  /// Devices to use instead, in this order, while that one cannot be opened.
  public var fallbacks: [String]
  /// The channel count, which is granted or refused; nil for two, or the nearest count the device has.
  public var channelCount: Int?
  /// Frames per second, nil for 48000: a wish. The device's nearest rate is granted.
  public var sampleRate: Int?
  /// How much audio waits in the buffer: a wish. The device grants the nearest size.
  public var latency: PCMLatency
  /// Frames per period: a wish; nil for the latency's own.
  public var period: Int?
  /// Frames in the ring buffer: a wish; nil for the latency's own.
  public var buffer: Int?
  /// The formats to choose from, best first.
  package var formats = SampleFormat.preference
  /// Whether another channel count than the one asked for will do, because the output converts.
  var adapts = false

  public init(
    device: String = "default", fallbacks: [String] = [], channelCount: Int? = nil, sampleRate: Int? = nil,
    latency: PCMLatency = .normal,
    period: Int? = nil, buffer: Int? = nil
  ) {
    self.device = device
    self.fallbacks = fallbacks
    self.channelCount = channelCount
    self.sampleRate = sampleRate
    self.latency = latency
    self.period = period
    self.buffer = buffer
  }

  /// Refuses what no device supports; the error names the value and its range.
  public func validate() throws(PCMError) {
    if ([device] + fallbacks).contains(where: { $0.isEmpty || $0.utf8.contains(0) }) {
      throw PCMError("setting up", device, .unnamed)
    }
    try check("channels", channelCount, 1...256)
    try check("frames per second", sampleRate, 4000...768_000)
    try check("frames per period", period, 16...65536)
    try check("frames of buffer", buffer, 2 * (period ?? 16)...1 << 20)
  }

  /// One request for each device, in order of preference.
  var alternatives: [PCMRequest] {
    ([device] + fallbacks).map { name in
      var request = self
      (request.device, request.fallbacks) = (name, [])
      return request
    }
  }

  /// The request for a replacement of the device that granted these parameters, under the card's stable name.
  func repeated(_ granted: PCMParameters) -> PCMRequest {
    var request = self
    request.device = HardwareName.stable(device)
    (request.sampleRate, request.channelCount, request.adapts) = (granted.sampleRate, granted.channelCount, true)
    return request
  }

  /// Period and buffer in frames at this rate.
  func sizes(sampleRate: Int) -> (period: Int, buffer: Int) {
    let sizes = latency.sizes(sampleRate: sampleRate, period: period)
    return (sizes.period, buffer ?? sizes.buffer)
  }

  private func check(_ what: String, _ value: Int?, _ range: ClosedRange<Int>) throws(PCMError) {
    guard let value, !range.contains(value) else { return }
    throw invalid("\(value) \(what) — must be \(range.lowerBound) to \(range.upperBound)")
  }

  private func invalid(_ text: String) -> PCMError {
    PCMError("setting up", device, .invalid(text))
  }
}

/// How much audio waits in a device's buffer: little for a short delay, much for a busy machine.
public enum PCMLatency: Sendable, Equatable {
  /// Three periods of 64 frames at 48 kHz, 4 ms: for live playing with real-time scheduling.
  case low
  /// Three periods of 256 frames, 16 ms, which an ordinary kernel serves without xruns.
  case normal
  /// Three periods of 1024 frames, 64 ms: for busy machines.
  case safe
  /// About so many seconds of buffer.
  case seconds(Double)

  /// In frames. A long buffer has more periods, not longer ones, because live notes wait for the period's end.
  private static let longestPeriod = 1024

  /// Period and buffer in frames at this rate; `period` replaces the latency's own.
  package func sizes(sampleRate: Int, period: Int? = nil) -> (period: Int, buffer: Int) {
    guard case .seconds(let seconds) = self else {
      // A rate of 96 or 192 kHz has as many more frames in the same time.
      let period = period ?? quantaPerPeriod * renderQuantum * max(1, sampleRate / 48000)
      return (period, 3 * period)
    }
    let frames = Int(min(max(0, seconds), 10) * Double(sampleRate))
    let period = period ?? min(max(1, frames / 3 / renderQuantum) * renderQuantum, Self.longestPeriod)
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
