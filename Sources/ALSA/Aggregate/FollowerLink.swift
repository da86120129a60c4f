import DSP
import Synchronization

/// What a follower's thread, the first device's and all others share.
struct FollowerLink: ~Copyable {
  let ring: FrameRing
  /// The follower's.
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

  /// Begins a stream. [no thread runs]
  func reset() {
    ring.reset()
    ready.store(false, ordering: .releasing)
  }

  /// Whether the stream may begin, because the device plays what it is given, or has no clock.
  var isReady: Bool {
    @_noLocks @_noAllocation get { ready.load(ordering: .acquiring) }
  }

  /// Whether somebody takes frames from the ring but has no room for so many now.
  @_noLocks @_noAllocation
  func isFull(for frameCount: Int) -> Bool {
    exchange.pointee.isRunning.load(ordering: .acquiring) && !ring.hasRoom(for: frameCount)
  }

  @_noLocks @_noAllocation
  func noteReady() { ready.store(true, ordering: .releasing) }

  /// The device plays frame by frame from here on, so many of the first one's frames later than that.
  @_noLocks @_noAllocation
  func noteLock(behind: Double) {
    behindBits.store(behind.bitPattern, ordering: .relaxed)
    locks.add(1, ordering: .relaxed)
    noteReady()
  }

  /// The frames it needed were not there.
  @_noLocks @_noAllocation
  func noteStarvation() { starvations.add(1, ordering: .relaxed) }

  @_noLocks @_noAllocation
  func note(_ controller: DriftController) {
    driftBits.store(controller.partsPerMillion.bitPattern, ordering: .relaxed)
    memoryBits.store(controller.memory.bitPattern, ordering: .relaxed)
  }

  /// A reading.
  ///
  /// - Parameter rate: the first device's.
  func drift(of device: String, rate: Int) -> PCMDrift {
    PCMDrift(
      device: device, partsPerMillion: Double(bitPattern: driftBits.load(ordering: .relaxed)),
      memory: Double(bitPattern: memoryBits.load(ordering: .relaxed)),
      delay: Double(bitPattern: behindBits.load(ordering: .relaxed)) / Double(rate),
      locks: locks.load(ordering: .relaxed), starvations: starvations.load(ordering: .relaxed))
  }
}

/// How a device keeps up with the one that is the clock.
public struct PCMDrift: Sendable, Equatable {
  /// The device's name, as it was asked for.
  public let device: String
  /// How much faster than it should its clock runs, as the first device's has it; what is resampled away.
  public let partsPerMillion: Double
  /// Seconds of measurement behind that, a minute at most; the figure means little before ten.
  public let memory: Double
  /// Seconds from a frame's being played by the first device to its being played by this one; it is kept constant, and is
  /// zero unless the device's buffer has become larger since the first one was made to wait for it.
  public let delay: Double
  /// How often it has had to find its place: once at each start, and after each interruption of either device.
  public let locks: Int
  /// How often what it needed was not there.
  public let starvations: Int
}
