import DSP

/// What is asked of a PCM device before it is opened.
public struct PCMRequest: Sendable, Equatable {
  /// Any name alsa-lib knows: `default`, `hw:1`, `hw:CARD=X,DEV=0`, `null`, `file:out.raw,raw`…
  public var device: String
  /// Devices to take instead, in this order, while that one cannot be opened.
  public var fallbacks: [String]
  /// The channel count; nil for two, or the nearest the device has. A count that is asked for is granted or refused.
  public var channels: Int?
  /// Frames per second; nil for the device's own rate nearest to 48000. A rate that is asked for is granted or refused.
  public var rate: Int?
  /// How much audio waits in the buffer, a wish: the device grants what is nearest.
  public var latency: PCMLatency
  /// Frames per period, a wish; nil for what suits the latency.
  public var period: Int?
  /// Frames in the ring buffer, a wish; nil for what suits the latency.
  public var buffer: Int?
  /// The formats that will do, best first.
  package var formats = SampleFormat.preference

  public init(
    device: String = "default", fallbacks: [String] = [], channels: Int? = nil, rate: Int? = nil,
    latency: PCMLatency = .normal,
    period: Int? = nil, buffer: Int? = nil
  ) {
    self.device = device
    self.fallbacks = fallbacks
    self.channels = channels
    self.rate = rate
    self.latency = latency
    self.period = period
    self.buffer = buffer
  }

  /// Refuses what no device can do, naming the value and the range allowed.
  public func validate() throws(PCMError) {
    if ([device] + fallbacks).contains(where: { $0.isEmpty || $0.utf8.contains(0) }) {
      throw invalid("no device name — `synth devices` lists them")
    }
    try check("channels", channels, 1...256)
    try check("frames per second", rate, 4000...768_000)
    try check("frames per period", period, 16...65536)
    try check("frames of buffer", buffer, 2 * (period ?? 16)...1 << 20)
  }

  /// The same for each device, the most wanted first.
  var alternatives: [PCMRequest] {
    ([device] + fallbacks).map { name in
      var request = self
      (request.device, request.fallbacks) = (name, [])
      return request
    }
  }

  /// Asks for what was granted once and the graph was built for, under a name that the card keeps.
  func repeated(_ granted: PCMParameters) -> PCMRequest {
    var request = self
    request.device = HardwareName.lasting(device)
    (request.rate, request.channels) = (granted.rate, granted.channels)
    return request
  }

  /// Period and buffer in frames, once the rate is known.
  func sizes(rate: Int) -> (period: Int, buffer: Int) {
    let sizes = latency.sizes(rate: rate, period: period)
    return (sizes.period, buffer ?? sizes.buffer)
  }

  private func check(_ what: String, _ value: Int?, _ range: ClosedRange<Int>) throws(PCMError) {
    guard let value, !range.contains(value) else { return }
    throw invalid("\(value) \(what) — must be \(range.lowerBound) to \(range.upperBound)")
  }

  private func invalid(_ text: String) -> PCMError { PCMError("setting up", device, .invalid(text)) }
}
