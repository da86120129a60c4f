import SynthMIDI

/// Some entries of a `MIDITake` that follow each other. They are added under the take's lock and never change, so that
/// those that were there under the lock are read without it.
final class TakeChunk: @unchecked Sendable {
  // Unchecked because of the memory, which is read as far as it was written.
  private let memory: UnsafeMutablePointer<MIDITake.Entry>
  private(set) var count = 0
  private(set) var byteCount = 0

  static let capacity = 1024

  init() { memory = .allocate(capacity: Self.capacity) }

  deinit {
    memory.deinitialize(count: count)
    memory.deallocate()
  }

  func append(_ entry: MIDITake.Entry) {
    (memory + count).initialize(to: entry)
    count += 1
    byteCount += entry.byteCount
  }

  /// When the last entry was played.
  var latest: UInt64? { count > 0 ? memory[count - 1].hostTime : nil }

  /// The entries at places that were there when the take was locked.
  func entries(_ places: Range<Int>) -> UnsafeBufferPointer<MIDITake.Entry> {
    UnsafeBufferPointer(start: memory + places.lowerBound, count: places.count)
  }
}
