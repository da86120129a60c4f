import ALSA

/// The options that choose the output device, the same for songs and for playing live.
struct DeviceOptions {
  static let options: [Option] = [.device, .channels, .rate]

  let request: PCMRequest

  init(_ arguments: Arguments) throws(UsageError) {
    request = PCMRequest(
      device: arguments.last(.device) ?? "default",
      channels: try arguments.number(.channels, in: 1...64),
      rate: try arguments.number(.rate, in: 8000...96000))
  }
}
