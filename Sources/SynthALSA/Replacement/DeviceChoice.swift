/// The devices that an output may play on, and which of them to play on.
struct DeviceChoice: Sendable {
  /// In order of preference; for the stream as it is.
  private(set) var requests: [PCMRequest]
  var ranking: DeviceRanking

  init(_ requests: [PCMRequest], playing device: String, at time: UInt64) {
    self.requests = requests
    ranking = DeviceRanking(count: requests.count, present: Self.index(of: device, in: requests), at: time)
  }

  /// Notes that a device plays.
  mutating func play(on device: String, at time: UInt64) {
    ranking.play(on: Self.index(of: device, in: requests), at: time)
  }

  /// Prefers a device to all others, which stay as they are in case it goes.
  mutating func prefer(_ request: PCMRequest, playing device: String?, at time: UInt64) {
    let name = PCMRequest.stableName(of: request.device)
    let requests = [request] + requests.filter { PCMRequest.stableName(of: $0.device) != name }
    self = DeviceChoice(requests, playing: device ?? request.device, at: time)
  }

  /// Requests go by the cards' stable names.
  private static func index(of device: String, in requests: [PCMRequest]) -> Int {
    let name = PCMRequest.stableName(of: device)
    return requests.firstIndex { PCMRequest.stableName(of: $0.device) == name } ?? 0
  }
}
