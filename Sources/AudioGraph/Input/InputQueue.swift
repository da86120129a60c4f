import Synchronization
import SynthDSP
import SynthRealtime

/// What an input unit's thread, the audio thread and control threads share: captured frames on their way, and the times
/// of both ends.
struct InputQueue: ~Copyable {
  let ring: FrameRing
  /// The unit's, in hertz.
  let sampleRate: Double

  /// When frame 0 was or would have been captured, in nanoseconds; it drifts as the unit's clock does.
  private let origin = Atomic(Int64.max)
  private let lost = Atomic(0)
  private let missing = Atomic(0)
  private let gapLength = Atomic(0)
  private let locks = Atomic(0)
  private let delayBits = Atomic<UInt64>(0)
  private let driftBits = Atomic<UInt64>(0)
  private let delayTime = Atomic<UInt64>(0)

  /// Counts the starts.
  private let take = Atomic(0)
  /// The first frame of the present one.
  private let takeStart = Atomic(0)
  private let targetDelay = Atomic(0)
  private let steered = Atomic(false)
  private let growing = Atomic(true)

  /// A disk may stall for as long, in seconds, while a recording is rendered by hand.
  private static let reserve = 2.0
  /// In seconds: threads wake a little late, and drivers round to their own ticks, snd-aloop's to a millisecond.
  private static var margin: Double { 0.002 }

  init(channelCount: Int, sampleRate: Double) {
    let sampleRate = clampedRate(sampleRate)
    self.sampleRate = sampleRate
    ring = FrameRing(channelCount: channelCount, minimumCapacity: Int(sampleRate * Self.reserve))
  }

  /// How frames are read from here on.
  struct Take {
    let number: Int
    /// The first frame that belongs to it.
    let start: Int
    /// Frames from capture to reading that are to be kept.
    let delay: Int
    /// By how many of them the delay grows where that is not enough.
    let margin: Int
    /// Whether the speed of reading is steered.
    let isSteered: Bool
  }

  /// Begins to read at the next frame that is captured. [control thread]
  ///
  /// - Parameters:
  ///   - delay: without the margin.
  ///   - grows: whether the delay grows where it does not suffice.
  func begin(delay: Int, isSteered: Bool, grows: Bool = true) {
    origin.store(.max, ordering: .relaxed)
    targetDelay.store(delay + Int(sampleRate * Self.margin), ordering: .relaxed)
    growing.store(grows, ordering: .relaxed)
    steered.store(isSteered, ordering: .relaxed)
    takeStart.store(ring.endIndex, ordering: .relaxed)
    take.add(1, ordering: .releasing)
  }

  /// [audio thread]
  var present: Take {
    @_noLocks get {
      let number = take.load(ordering: .acquiring)
      return Take(
        number: number, start: takeStart.load(ordering: .relaxed), delay: targetDelay.load(ordering: .relaxed),
        margin: growing.load(ordering: .relaxed) ? Int(sampleRate * Self.margin) : 0,
        isSteered: steered.load(ordering: .relaxed))
    }
  }

  /// What a unit calls, with the queue and a `RenderSlice`.
  static let entry: RenderFunction = { queue, slice in
    queue.assumingMemoryBound(to: InputQueue.self).pointee.append(
      slice.assumingMemoryBound(to: RenderSlice.self).pointee)
  }

  @_noLocks
  func append(_ slice: RenderSlice) {
    guard slice.channelCount >= ring.channelCount, slice.frameCount > 0 else { return }
    let elapsed = Double(ring.endIndex) / sampleRate * 1e9
    lost.add(ring.write(slice.channels, from: 0, frameCount: slice.frameCount), ordering: .relaxed)
    guard slice.hostTime > 0 else { return }
    origin.store(Int64(truncatingIfNeeded: slice.hostTime) &- Int64(elapsed), ordering: .releasing)
  }

  /// By hand: frames of silence that are due next, for those there was no room for.
  var gap: Int {
    @_noLocks get { gapLength.load(ordering: .relaxed) }
    @_noLocks nonmutating set { gapLength.store(newValue, ordering: .relaxed) }
  }

  /// Frames that wait to be read, silence included. [any thread]
  var fill: Int { ring.fill + gap }

  /// The frame that is captured at a time; nil while nothing is. [audio thread]
  @_noLocks
  func position(at hostTime: UInt64) -> Double? {
    let origin = origin.load(ordering: .acquiring)
    guard origin != .max else { return nil }
    return Double(Int64(truncatingIfNeeded: hostTime) &- origin) * sampleRate / 1e9
  }

  @_noLocks
  func noteLock() { locks.add(1, ordering: .relaxed) }

  @_noLocks
  func note(missing count: Int) { missing.add(count, ordering: .relaxed) }

  @_noLocks
  func note(delay: Double, partsPerMillion: Double, hostTime: UInt64) {
    delayBits.store(delay.bitPattern, ordering: .relaxed)
    driftBits.store(partsPerMillion.bitPattern, ordering: .relaxed)
    delayTime.store(hostTime, ordering: .releasing)
  }

  /// [any thread]
  var statistics: InputStatistics {
    let delayTime = delayTime.load(ordering: .acquiring)
    return InputStatistics(
      framesCaptured: ring.endIndex, framesLost: lost.load(ordering: .relaxed),
      framesMissing: missing.load(ordering: .relaxed), fill: fill,
      delay: Double(bitPattern: delayBits.load(ordering: .relaxed)), delayTime: delayTime,
      partsPerMillion: Double(bitPattern: driftBits.load(ordering: .relaxed)), locks: locks.load(ordering: .relaxed))
  }
}
