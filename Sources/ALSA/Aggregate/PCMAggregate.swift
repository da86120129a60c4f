/// Several output devices as one, whose channels are those of all devices in the order in which they were named. One
/// device alone is just that: its thread calls the render callback with nothing between.
///
/// The first device is the clock: its thread asks for all channels. The others play theirs from a ring, a constant time
/// later, resampled to their own clocks, whose drift is measured all the while. All wait for the one that needs most, the
/// first as well, so that they are heard at one time. A device that goes away or is too late
/// disturbs no other, and finds its place again. The stream begins with silence, until all devices play.
///
/// `start`, `stop` and `wait` from any thread, as with `PCMOutput`.
public final class PCMAggregate: @unchecked Sendable {
  // Unchecked: the source belongs to the first device's thread while that runs.

  /// The devices, in the order in which they were named; the first is the clock.
  public let outputs: [PCMOutput]
  /// The channels of all devices.
  public let channelCount: Int
  /// Seconds that the first device is held back for the others; 0 if it is alone.
  public let alignment: Double

  private let leader: PCMOutput
  private let followers: [FollowingOutput]
  private let clock: UnsafeMutablePointer<AggregateClock>
  private let source: UnsafeMutablePointer<AggregateSource>

  /// Opens the devices. Answers at once, also if one of them is busy.
  ///
  /// - Parameter requests: at least one. The others are asked for the rate the first one granted, and play at their own
  ///   where they do not have it.
  public init(_ requests: [PCMRequest]) throws(PCMError) {
    guard let first = requests.first else {
      throw PCMError("opening", "no device", .invalid("name at least one — `synth devices` lists them"))
    }
    leader = try PCMOutput(first)
    let parameters = leader.parameters
    clock = .allocate(capacity: 1)
    clock.initialize(to: AggregateClock(rate: parameters.rate))
    var followers: [FollowingOutput] = []
    var frames = 0
    do throws(PCMError) {
      var others: [PCMOutput] = []
      for request in requests.dropFirst() { others.append(try FollowingOutput.open(request, rate: parameters.rate)) }
      for other in others { frames = max(frames, Follower.delay(other.parameters, clockRate: parameters.rate)) }
      for other in others {
        followers.append(try FollowingOutput(other, alignment: frames, leader: parameters, clock: clock))
      }
    } catch {
      clock.deinitialize(count: 1)
      clock.deallocate()
      throw error
    }
    self.followers = followers
    alignment = Double(frames) / Double(parameters.rate)
    outputs = [leader] + followers.map(\.output)
    if !followers.isEmpty { for output in outputs { output.exchange.pointee.position.want() } }
    channelCount = outputs.reduce(0) { $0 + $1.parameters.channels }
    source = .allocate(capacity: 1)
    source.initialize(
      to: AggregateSource(
        parameters, links: followers.map(\.link), alignment: frames, clock: clock, exchange: leader.exchange))
  }

  deinit {
    stop(.drop)
    wait()
    source.deinitialize(count: 1)
    source.deallocate()
    clock.deinitialize(count: 1)
    clock.deallocate()
  }

  /// Begins to ask `callback` for the channels of all devices. `context` must live until `wait` has returned.
  public func start(_ callback: @escaping PCMRenderCallback, context: UnsafeMutableRawPointer) throws(PCMError) {
    guard !followers.isEmpty else { return try leader.start(callback, context: context) }
    guard outputs.allSatisfy({ !$0.isRunning }) else {
      throw PCMError("starting", parameters.device, .invalid("it is running already"))
    }
    source.pointee.reset(PCMSource(callback: callback, context: context))
    clock.pointee.reset()
    do throws(PCMError) {
      for follower in followers { try follower.start() }
      try leader.start(AggregateSource.callback, context: source)
    } catch {
      stop(.drop)
      wait()
      throw error
    }
  }

  /// Asks the devices to end and returns at once; as `PCMOutput.stop`. By draining, the first device ends with what is in
  /// its buffer, and what it was held back with is not heard.
  public func stop(_ how: PCMStop = .drain) {
    leader.stop(how)
    // By draining, the others end where the stream does.
    if how == .drop { for follower in followers { follower.output.stop(.drop) } }
  }

  /// Waits until all devices have ended: by `stop`, or by the stream's end.
  public func wait() {
    leader.wait()
    for follower in followers { follower.link.pointee.ring.end() }
    for follower in followers { follower.output.wait() }
  }

  /// Whether the stream is still played by any device; false once it has ended by itself.
  public var isRunning: Bool {
    leader.isRunning || followers.contains { $0.link.pointee.ring.hasEnded && $0.output.isRunning }
  }

  /// What the first device has granted: its rate is the stream's.
  public var parameters: PCMParameters { leader.parameters }

  /// The same of the device that plays in its place now.
  public var present: PCMParameters { leader.present ?? leader.parameters }

  /// How the devices but the first keep up with it, in their order.
  public var drifts: [PCMDrift] { followers.map(\.drift) }

  /// Times the buffer of one of the devices ran empty.
  public var xruns: Int { outputs.reduce(0) { $0 + $1.statistics.xruns } }
}
