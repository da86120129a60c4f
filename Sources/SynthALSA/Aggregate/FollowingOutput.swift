import Synchronization
import SynthDSP
import SynthRealtime

/// A device that follows another's clock, with the state of its thread. It must live while the device runs.
final class FollowingOutput: @unchecked Sendable {
  // Unchecked: the follower belongs to the device's thread while that runs.

  let output: PCMOutput
  let link: Box<FollowerLink>
  private let follower: Box<Follower>
  private let clockRate: Int

  /// Rings suffice for a replacement device with a buffer of this many frames, at any rate of the others.
  private static let largestBuffer = 8192

  /// - Parameters:
  ///   - output: opened by `open`.
  ///   - alignment: the delay of all followers behind the first device, in its frames.
  ///   - leader: what the first device has granted.
  ///   - clock: must outlive the output.
  init(
    _ output: PCMOutput, alignment: Int, leader: PCMParameters, clock: UnsafePointer<AggregateClock>
  ) throws(PCMError) {
    self.output = output
    let parameters = output.parameters
    // The ring holds at most the delay: the frames in both devices' buffers and between them.
    let capacity = 2 * (leader.buffer + 2 * max(alignment, Self.largestBuffer))
    clockRate = leader.sampleRate
    link = Box(
      FollowerLink(
        ring: FrameRing(channelCount: parameters.channelCount, minimumCapacity: capacity), exchange: output.exchange))
    do {
      follower = Box(
        try Follower(
          parameters, alignment: alignment, link: link.pointer, clock: clock, exchange: output.exchange))
    } catch {
      throw PCMError("setting up", parameters.device, .failed("\(error)"))
    }
  }

  /// Opens a device at the first device's rate if it has that itself, else at its own: our resampler is better than
  /// alsa-lib's.
  static func open(_ request: PCMRequest, rate: Int, news: RouteNews) throws(PCMError) -> PCMOutput {
    var request = request
    try request.validate()
    let rates = try PCMCapabilities(of: request.device).sampleRates
    request.sampleRate = rates.contains(rate) ? rate : nil
    return try PCMOutput(request, news: news)
  }

  /// Begins to play from the ring.
  func start() throws(PCMError) {
    follower.pointer.pointee.reset()
    // It finds the frame that is due by itself.
    try output.start(PCMSource(callback: Follower.callback, context: follower.pointer), repeats: false)
  }

  var drift: PCMDrift { link.pointer.pointee.drift(of: output.parameters.device, rate: clockRate) }
}

/// What a follower's thread, the first device's thread and control threads share.
struct FollowerLink: ~Copyable {
  let ring: FrameRing
  /// The follower's exchange.
  private let exchange: UnsafePointer<PCMExchange>
  private let ready = Atomic(false)
  private let driftBits = Atomic<UInt64>(0)
  private let memoryBits = Atomic<UInt64>(0)
  private let behindBits = Atomic<UInt64>(0)
  private let locks = Atomic(0)
  private let starvations = Atomic(0)

  init(ring: consuming FrameRing, exchange: UnsafePointer<PCMExchange>) {
    self.ring = ring
    self.exchange = exchange
  }

  /// Begins a stream, before the start. [control thread]
  func reset() {
    ring.reset()
    ready.store(false, ordering: .releasing)
  }

  /// Whether the stream may begin, because the device plays or has no clock.
  var isReady: Bool {
    @_noLocks @_noAllocation get { ready.load(ordering: .acquiring) }
  }

  /// Whether the device runs and its ring has no room for this many frames.
  @_noLocks @_noAllocation
  func isFull(for frameCount: Int) -> Bool {
    exchange.pointee.isRunning.load(ordering: .acquiring) && !ring.hasRoom(for: frameCount)
  }

  @_noLocks @_noAllocation
  func noteReady() { ready.store(true, ordering: .releasing) }

  /// Notes that the device plays the frames that are due, this many of them later than the first device.
  @_noLocks @_noAllocation
  func noteLock(behind: Double) {
    behindBits.store(behind.bitPattern, ordering: .relaxed)
    locks.add(1, ordering: .relaxed)
    noteReady()
  }

  /// Notes that the ring ran empty.
  @_noLocks @_noAllocation
  func noteStarvation() { starvations.add(1, ordering: .relaxed) }

  @_noLocks @_noAllocation
  func note(_ controller: DriftController) {
    driftBits.store(controller.partsPerMillion.bitPattern, ordering: .relaxed)
    memoryBits.store(controller.memory.bitPattern, ordering: .relaxed)
  }

  /// The present figures. [any thread]
  ///
  /// - Parameter rate: the first device's rate.
  func drift(of device: String, rate: Int) -> PCMDrift {
    PCMDrift(
      device: device, partsPerMillion: Double(bitPattern: driftBits.load(ordering: .relaxed)),
      memory: Double(bitPattern: memoryBits.load(ordering: .relaxed)),
      delay: Double(bitPattern: behindBits.load(ordering: .relaxed)) / Double(rate),
      locks: locks.load(ordering: .relaxed), starvations: starvations.load(ordering: .relaxed))
  }
}

/// How a device keeps up with the first device, which is the clock.
public struct PCMDrift: Sendable, Equatable {
  /// The device's name in the request.
  public let device: String
  /// By how much the device's clock is faster than its nominal rate, measured by the first device's; resampling removes
  /// it.
  public let partsPerMillion: Double
  /// Seconds of measurement behind that, at most a minute; before ten the figure means little.
  public let memory: Double
  /// Seconds from the first device's playing a frame to this device's. Constant, and zero unless a replacement device
  /// has a buffer larger than the delay for which the first device was set up.
  public let delay: Double
  /// How often it has moved to the frame that was due: once at each start, and after each interruption of either
  /// device.
  public let locks: Int
  /// How often the ring ran empty.
  public let starvations: Int
}
