import Synchronization
import SynthRealtime

/// One who plays sounds, on one thread at a time: which it has read last and where, and whether it is reading now. A
/// page that a sound takes away is freed once none of its readers can be within it.
package struct SoundReader: ~Copyable {
  private let sound = Atomic<UInt>(0)
  private let frame = Atomic<Int64>(0)
  private let isReading = Atomic<Bool>(false)
  private let count = Atomic<Int>(0)

  package init() {}

  /// Begins to read pages of a sound, until `end`. [audio thread]
  @_noLocks
  package func begin(_ memory: UnsafePointer<FileSound.Memory>) {
    sound.store(UInt(bitPattern: memory), ordering: .relaxed)
    isReading.store(true, ordering: .releasing)
    // Either the sound sees this when it has taken a page away, or that page is not found here any more.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
  }

  /// Says that a quantum has been read up to a frame, and that no page is being read any more. [audio thread]
  @_noLocks
  package func end(at frame: Double) {
    self.frame.store(Int64(frame), ordering: .relaxed)
    count.add(1, ordering: .releasing)
    isReading.store(false, ordering: .releasing)
  }

  /// Says that it plays that no more. [audio thread]
  @_noLocks
  package func leave() { sound.store(0, ordering: .relaxed) }

  /// How many quanta it has read, of whichever sound. [control thread]
  var readCount: Int { count.load(ordering: .acquiring) }

  /// Where it has read a sound last; nil if it has read another since, or none. [control thread]
  func place(in memory: UnsafePointer<FileSound.Memory>) -> Int? {
    _ = count.load(ordering: .acquiring)
    let place = Int(frame.load(ordering: .relaxed))
    return sound.load(ordering: .relaxed) == UInt(bitPattern: memory) ? place : nil
  }

  /// Which quantum it is reading; nil for none. After a page was taken away: one that begins later does not find it.
  /// [control thread]
  var presentQuantum: Int? {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let count = count.load(ordering: .acquiring)
    return isReading.load(ordering: .acquiring) ? count : nil
  }
}
