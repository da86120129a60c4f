/// A device that follows another's clock, with the memory of its thread. Not to be let go while the device runs.
final class FollowingOutput: @unchecked Sendable {
  // Unchecked: the follower belongs to the device's thread while that runs.

  let output: PCMOutput
  let link: UnsafeMutablePointer<FollowerLink>
  private let follower: UnsafeMutablePointer<Follower>
  /// Seconds behind the clock's device.
  private let delay: Double

  /// - Parameters:
  ///   - leader: what the device that is the clock has granted.
  ///   - clock: must outlive the output.
  init(
    _ request: PCMRequest, leader: PCMParameters, clock: UnsafePointer<AggregateClock>
  ) throws(PCMError) {
    output = try Self.open(request, rate: leader.rate)
    let parameters = output.parameters
    let delay = Follower.delay(parameters, clockRate: leader.rate)
    // The ring holds at most what waits in both devices' buffers and in between, for these are the delay.
    let capacity = 2 * (leader.buffer + 2 * Int(delay))
    link = .allocate(capacity: 1)
    link.initialize(
      to: FollowerLink(
        ring: FrameRing(channelCount: parameters.channels, minimumCapacity: capacity), exchange: output.exchange))
    follower = .allocate(capacity: 1)
    self.delay = delay / Double(leader.rate)
    do {
      follower.initialize(to: try Follower(parameters, link: link, clock: clock, exchange: output.exchange))
    } catch {
      link.deinitialize(count: 1)
      link.deallocate()
      follower.deallocate()
      throw PCMError("setting up", parameters.device, .failed("\(error)"))
    }
  }

  deinit {
    follower.deinitialize(count: 1)
    follower.deallocate()
    link.deinitialize(count: 1)
    link.deallocate()
  }

  /// Opens a device at the clock's rate if it has that itself, else at its own, for we resample better than alsa-lib.
  private static func open(_ request: PCMRequest, rate: Int) throws(PCMError) -> PCMOutput {
    var request = request
    try request.validate()
    let rates = try PCMCapabilities(of: request.device).rates
    request.rate = rates.contains(rate) ? rate : nil
    return try PCMOutput(request)
  }

  /// Begins to play what comes through the ring.
  func start() throws(PCMError) {
    follower.pointee.reset()
    try output.start(Follower.callback, context: follower)
  }

  var drift: PCMDrift { link.pointee.drift(of: output.parameters.device, delay: delay) }
}
