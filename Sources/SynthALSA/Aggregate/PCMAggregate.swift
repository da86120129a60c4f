import Synchronization
import SynthRealtime

/// Several output devices as one, with the channels of all devices in the order in which they were named. A single
/// device's thread calls the render callback directly.
///
/// The first device is the clock: its thread asks for all channels. The others play theirs from rings, resampled to
/// their own clocks, whose drift is measured continuously. All are delayed by as much as the slowest needs, so that
/// they are heard at the same time. A device that is removed or late disturbs no other, and finds its place again. The
/// stream begins with silence until all devices play.
///
/// `start`, `stop` and `wait` from any thread, as with `PCMOutput`.
public final class PCMAggregate: @unchecked Sendable {
  // Unchecked: the renderer belongs to the first device's thread while that runs.

  /// The devices, in the order in which they were named; the first is the clock.
  public let outputs: [PCMOutput]
  /// The channels of all devices.
  public let channelCount: Int
  /// Seconds by which the first device is delayed for the others; 0 if it is alone.
  public let alignment: Double

  private let news = RouteNews()
  private let leader: PCMOutput
  private let followers: [FollowingOutput]
  private let clock: Box<AggregateClock>
  private let source: Box<AggregateRenderer>

  /// Opens the devices. Returns at once, also if one of them is busy. [control thread]
  ///
  /// - Parameter requests: at least one. The others are asked for the rate that the first one granted, and play at
  ///   their own rate if they do not have it.
  public init(_ requests: [PCMRequest]) throws(PCMError) {
    guard let first = requests.first else {
      throw PCMError("opening", "no device", .unnamed)
    }
    leader = try PCMOutput(first, news: news)
    let parameters = leader.parameters
    clock = Box(AggregateClock(rate: parameters.sampleRate))
    var followers: [FollowingOutput] = []
    var others: [PCMOutput] = []
    for request in requests.dropFirst() {
      others.append(try FollowingOutput.open(request, rate: parameters.sampleRate, news: news))
    }
    let frames = others.map { Follower.delay($0.parameters, clockRate: parameters.sampleRate) }.max() ?? 0
    for other in others {
      followers.append(try FollowingOutput(other, alignment: frames, leader: parameters, clock: clock.pointer))
    }
    self.followers = followers
    alignment = Double(frames) / Double(parameters.sampleRate)
    outputs = [leader] + followers.map(\.output)
    if !followers.isEmpty { for output in outputs { output.exchange.pointee.position.want() } }
    channelCount = outputs.reduce(0) { $0 + $1.parameters.channelCount }
    source = Box(
      AggregateRenderer(
        parameters, links: followers.map(\.link.pointer), alignment: frames, clock: clock.pointer,
        exchange: leader.exchange))
  }

  deinit {
    stop(.drop)
    wait()
  }

  /// Starts the threads, which ask `callback` for the channels of all devices. `context` must live until `wait` has
  /// returned. [any thread]
  public func start(_ callback: @escaping PCMRenderCallback, context: UnsafeMutableRawPointer) throws(PCMError) {
    guard !followers.isEmpty else { return try leader.start(callback, context: context) }
    guard outputs.allSatisfy({ !$0.isRunning }) else {
      throw PCMError("starting", parameters.device, .invalid("it is running already"))
    }
    source.pointer.pointee.reset(PCMSource(callback: callback, context: context))
    clock.pointer.pointee.reset()
    do throws(PCMError) {
      for follower in followers { try follower.start() }
      try leader.start(AggregateRenderer.callback, context: source.pointer)
    } catch {
      stop(.drop)
      wait()
      throw error
    }
  }

  /// Asks the devices to end and returns at once, as `PCMOutput.stop`. Draining plays out the first device's buffer,
  /// but not the frames by which it is delayed. [any thread]
  public func stop(_ how: PCMStop = .drain) {
    leader.stop(how)
    // When draining, the others end where the stream does.
    if how == .drop { for follower in followers { follower.output.stop(.drop) } }
  }

  /// Waits until all devices have ended, by `stop` or because the stream has. [any thread]
  public func wait() {
    leader.wait()
    for follower in followers { follower.link.pointer.pointee.ring.end() }
    for follower in followers { follower.output.wait() }
  }

  /// Closes the devices until the next start; see `PCMOutput.release`. [control thread]
  public func release() { for output in outputs { output.release() } }

  /// Whether any device still plays the stream; false once it has ended. [any thread]
  public var isRunning: Bool {
    leader.isRunning || followers.contains { $0.link.pointer.pointee.ring.hasEnded && $0.output.isRunning }
  }

  /// Plays on another device from now on; see `PCMOutput.move`. [control thread]
  ///
  /// - Throws: of several devices, since each has its channels; or if the device cannot be opened as it should.
  public func move(to device: String) throws(PCMError) {
    guard followers.isEmpty else {
      throw PCMError("moving to", device, .invalid("several devices play as one; name all at the start"))
    }
    try leader.move(to: device)
  }

  /// What the first device has granted; its rate is the stream's.
  public var parameters: PCMParameters { leader.parameters }

  /// The same of the device that plays in its place now, with rate, period and buffer in frames of the stream.
  public var present: PCMParameters { leader.presentInStream ?? leader.parameters }

  /// Frames between a slice that is asked for and the ear; see `PCMOutput.measuredDelay`. [any thread]
  package var measuredDelay: Int? { leader.measuredDelay }

  /// How the other devices keep up with the first, in order. [any thread]
  public var drifts: [PCMDrift] { followers.map(\.drift) }

  /// The changes of what any of its devices is heard on, as `PCMOutput.routeChanges`. [any thread]
  public var routeChanges: AsyncStream<RouteChange> { news.changes.stream() }

  /// Calls `tell` with each of these changes until what is returned is released. It is called on a thread that has
  /// nothing to render at the moment; it may lock and allocate, but must not wait. [any thread]
  public func observeRoutes(
    _ tell: @escaping @Sendable (RouteChange) -> Void
  ) -> Broadcast<RouteChange>.Listener { news.changes.listen(tell) }

  /// Times the buffer of any device ran empty. [any thread]
  public var xruns: Int { outputs.reduce(0) { $0 + $1.statistics.xruns } }
}

/// The first device's position in the stream at any time, as its thread tells the other devices' threads.
struct AggregateClock: ~Copyable {
  /// Frames per second.
  let rate: Int
  /// When frame 0 was or would have been played, in nanoseconds; it drifts as the device's clock does.
  private let origin = Atomic(Int64.max)
  private let interruptionCount = Atomic(0)
  private let paced = Atomic(false)

  init(rate: Int) { self.rate = rate }

  /// Begins a stream, before the start. [control thread]
  func reset() {
    origin.store(.max, ordering: .relaxed)
    paced.store(false, ordering: .releasing)
  }

  /// Notes how many frames had been played at a time in nanoseconds. [audio thread]
  @_noLocks @_noAllocation
  func note(played: Int, at time: UInt64, interruptions: Int) {
    // Seconds first: nanoseconds times the rate would overflow after two days.
    let elapsed = (played / rate) &* 1_000_000_000 &+ (played % rate) &* 1_000_000_000 / rate
    if interruptionCount.load(ordering: .relaxed) != interruptions {
      // No reader takes the former place for one after the interruption.
      stop()
      interruptionCount.store(interruptions, ordering: .releasing)
    }
    origin.store(Int64(truncatingIfNeeded: time) &- Int64(truncatingIfNeeded: elapsed), ordering: .releasing)
  }

  /// Notes that the device does not play. [audio thread]
  @_noLocks @_noAllocation
  func stop() { origin.store(.max, ordering: .releasing) }

  /// Notes that the thread has had to wait for its device, which means that the device has a clock. [audio thread]
  @_noLocks @_noAllocation
  func notePacing() { paced.store(true, ordering: .relaxed) }

  /// Whether the device has a clock. [any thread]
  var isPaced: Bool {
    @_noLocks @_noAllocation get { paced.load(ordering: .relaxed) }
  }

  /// The frame that is played at a time, and how often the device has lost its place; nil while it does not play.
  /// [any thread]
  ///
  /// From the latest note on it counts at the nominal rate: 200 ppm of a period are a microsecond.
  @_noLocks @_noAllocation
  func position(at time: UInt64) -> (frame: Double, interruptions: Int)? {
    let interruptions = interruptionCount.load(ordering: .acquiring)
    let origin = origin.load(ordering: .acquiring)
    guard origin != .max, interruptionCount.load(ordering: .relaxed) == interruptions else { return nil }
    let elapsed = Int64(truncatingIfNeeded: time) &- origin
    return (Double(elapsed) * Double(rate) / 1e9, interruptions)
  }
}
