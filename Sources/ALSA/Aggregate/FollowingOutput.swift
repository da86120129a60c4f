/// A device that follows another's clock, with the memory of its thread. Not to be let go while the device runs.
final class FollowingOutput: @unchecked Sendable {
  // Unchecked: the follower belongs to the device's thread while that runs.

  let output: PCMOutput
  let link: UnsafeMutablePointer<FollowerLink>
  private let follower: UnsafeMutablePointer<Follower>
  private let clockRate: Int

  /// Rings hold as much as a device needs that returns with a buffer of so many frames, at any rate of the others.
  private static let largestBuffer = 8192

  /// - Parameters:
  ///   - output: opened by `open`.
  ///   - alignment: how far all followers are behind the first device, in its frames.
  ///   - leader: what the device that is the clock has granted.
  ///   - clock: must outlive the output.
  init(
    _ output: PCMOutput, alignment: Int, leader: PCMParameters, clock: UnsafePointer<AggregateClock>
  ) throws(PCMError) {
    self.output = output
    let parameters = output.parameters
    // The ring holds at most what waits in both devices' buffers and in between, for these are the delay.
    let capacity = 2 * (leader.buffer + 2 * max(alignment, Self.largestBuffer))
    link = .allocate(capacity: 1)
    link.initialize(
      to: FollowerLink(
        ring: FrameRing(channelCount: parameters.channels, minimumCapacity: capacity), exchange: output.exchange))
    follower = .allocate(capacity: 1)
    do {
      follower.initialize(
        to: try Follower(parameters, alignment: alignment, link: link, clock: clock, exchange: output.exchange))
    } catch {
      link.deinitialize(count: 1)
      link.deallocate()
      follower.deallocate()
      throw PCMError("setting up", parameters.device, .failed("\(error)"))
    }
    // Last, because an object that is complete when its initializer throws is torn down by its deinit as well.
    clockRate = leader.rate
  }

  deinit {
    follower.deinitialize(count: 1)
    follower.deallocate()
    link.deinitialize(count: 1)
    link.deallocate()
  }

  /// Opens a device at the clock's rate if it has that itself, else at its own, for we resample better than alsa-lib.
  static func open(_ request: PCMRequest, rate: Int) throws(PCMError) -> PCMOutput {
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

  var drift: PCMDrift { link.pointee.drift(of: output.parameters.device, rate: clockRate) }
}
