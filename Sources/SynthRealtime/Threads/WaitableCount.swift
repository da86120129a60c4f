import CSynthRealtime
import Synchronization

/// A count that one thread raises and others wait for, first awake, then asleep. In memory that its owner frees.
///
/// Neither side locks or allocates. Who raises it makes a system call where others sleep; who waits does so: this is for
/// rendering by hand, where no device waits. A count may go round, as long as nobody waits for one 2³¹ away.
public struct UnsafeWaitableCount: BitwiseCopyable, @unchecked Sendable {
  /// The count, and on the next cache line how many sleep.
  private let numbers: UnsafeMutablePointer<Atomic<UInt32>>

  /// Begins at 0. [control thread]
  public init() {
    numbers = UnsafeMutableRawPointer.allocate(byteCount: 2 * 64, alignment: 64)
      .bindMemory(to: Atomic<UInt32>.self, capacity: 2 * 16)
    for index in 0..<2 * 16 { (numbers + index).initialize(to: Atomic(0)) }
  }

  /// Frees the memory. [control thread]
  public func deallocate() { UnsafeMutableRawPointer(numbers).deallocate() }

  /// What was written before the count was raised to this is seen. [audio thread]
  public var value: UInt32 {
    @_noLocks get { numbers.pointee.load(ordering: .acquiring) }
  }

  /// Raises the count; one thread alone may. [audio thread]
  @_noLocks
  public func raise(to count: UInt32) {
    numbers.pointee.store(count, ordering: .sequentiallyConsistent)
    if numbers[16].load(ordering: .sequentiallyConsistent) > 0 { realtime_wake(numbers) }
  }

  /// Waits until the count is as high. [audio thread]
  @_noLocks
  public func wait(for count: UInt32) {
    var patience = Patience()
    while true {
      let present = value
      if Int32(bitPattern: present &- count) >= 0 { return }
      if patience.isLeft { continue }
      numbers[16].wrappingAdd(1, ordering: .sequentiallyConsistent)
      realtime_sleep(numbers, present)
      numbers[16].wrappingSubtract(1, ordering: .sequentiallyConsistent)
    }
  }
}

/// How long to wait awake: longer than a quantum's other work takes, shorter than a sleep is worth.
struct Patience {
  private var turns = 0
  private var start: UInt64 = 0

  /// Written out for debug builds, which look for the mark in other files.
  @_noLocks init() {}

  /// Whether it is left, after a short pause.
  var isLeft: Bool {
    @_noLocks mutating get {
      realtime_pause()
      turns &+= 1
      guard turns % 32 == 0 else { return true }
      let now = realtime_clock()
      if start == 0 { start = now }
      return now &- start < 50_000
    }
  }
}
