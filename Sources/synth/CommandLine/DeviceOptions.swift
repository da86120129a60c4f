import ALSA

/// The options that choose the output device, the same for songs and for playing live.
struct DeviceOptions {
  static let options: [Option] = [.device, .fallback, .channels, .rate, .latency, .period]

  let request: PCMRequest

  init(_ arguments: Arguments) throws(UsageError) {
    request = PCMRequest(
      device: arguments.last(.device) ?? "default",
      fallbacks: arguments.all(.fallback),
      channels: try arguments.number(.channels, in: 1...64),
      rate: try arguments.number(.rate, in: 8000...96000),
      latency: try arguments.last(.latency).map(Self.latency) ?? .normal,
      period: try arguments.number(.period, in: 16...65536))
  }

  private static func latency(_ text: String) throws(UsageError) -> PCMLatency {
    if text == "low" { return .low }
    if text == "safe" { return .safe }
    guard let milliseconds = Double(text), (1...2000).contains(milliseconds) else {
      throw .badValue(.latency, text, expected: "low, safe, or 1 to 2000 milliseconds")
    }
    return .seconds(milliseconds / 1000)
  }
}
