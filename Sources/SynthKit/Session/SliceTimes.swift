import AudioGraph
import Synchronization
import SynthRealtime

/// An output whose slices have the host times of their first frames, each where the one before ends: a time within a
/// slice tells its frame. Elsewhere slices are as late as the thread that asks for them.
package protocol FrameTimedOutput: OutputUnit {}

/// When the latest slices of such an output began.
struct SliceTimes: ~Copyable {
  private let sampleRate: Double
  /// Of each slice its first frame and its host time, in a ring.
  private let entries: UnsafeMutablePointer<Entry>
  private let count = Atomic(0)

  private struct Entry: ~Copyable {
    let frame = Atomic<Int64>(0)
    let hostTime = Atomic<UInt64>(0)
  }

  @_transparent private static var capacity: Int { 16 }

  init(sampleRate: Double) {
    self.sampleRate = sampleRate
    entries = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { (entries + index).initialize(to: Entry()) }
  }

  deinit { entries.deallocate() }

  /// Only while the stream does not run. [control thread]
  func reset() { count.store(0, ordering: .relaxed) }

  /// A slice begins at `frame`. [audio thread]
  @_noLocks
  func note(_ frame: Int64, hostTime: UInt64) {
    let number = count.load(ordering: .relaxed)
    let entry = entries + number % Self.capacity
    entry.pointee.frame.store(frame, ordering: .relaxed)
    entry.pointee.hostTime.store(hostTime, ordering: .relaxed)
    count.store(number &+ 1, ordering: .releasing)
  }

  /// The frame at a host time; nil if that is before the slices that are remembered. [any thread]
  func frame(at hostTime: UInt64) -> Int64? {
    let newest = count.load(ordering: .acquiring)
    // The oldest may be overwritten meanwhile.
    for number in (max(0, newest - Self.capacity / 2)..<newest).reversed() {
      let entry = entries + number % Self.capacity
      let (frame, begin) = (
        entry.pointee.frame.load(ordering: .relaxed), entry.pointee.hostTime.load(ordering: .relaxed)
      )
      guard begin <= hostTime else { continue }
      // What was read is older than the count that is read now.
      atomicMemoryFence(ordering: .acquiring)
      guard count.load(ordering: .relaxed) - number < Self.capacity else { return nil }
      return frame + Int64(Double(hostTime - begin) * sampleRate / 1e9)
    }
    return nil
  }
}
