import Synchronization

/// Carries values from one control thread to one audio thread without a lock; the latest wins.
///
/// The writer fills one slot, the reader holds another, and the third changes hands by one atomic exchange. Neither
/// side waits, and a value that was not taken is replaced by the next.
public final class TripleBuffer<Value: BitwiseCopyable & Sendable>: @unchecked Sendable {
  private let exchange = Box(SlotExchange())
  private let slots: UnsafeMutablePointer<Value>
  private var writing = 0

  /// - Parameter value: what `latest` is until a value is taken.
  public init(_ value: Value) {
    slots = .allocate(capacity: 3)
    slots.initialize(repeating: value, count: 3)
  }

  deinit { slots.deallocate() }

  /// Replaces the value that waits to be taken, one thread at a time. [control thread]
  public func send(_ value: Value) {
    slots[writing] = value
    let returned = exchange.pointer.pointee.between.exchange(writing | newValue, ordering: .acquiringAndReleasing)
    writing = returned & ~newValue
  }

  /// The reading end, for one reader. It does not keep the buffer alive. [audio thread]
  public var receiver: Receiver { Receiver(exchange: exchange.pointer, slots: slots) }

  /// The reading end of the buffer.
  public struct Receiver: @unchecked Sendable {
    @usableFromInline let exchange: UnsafeMutablePointer<SlotExchange>
    @usableFromInline let slots: UnsafeMutablePointer<Value>
    @usableFromInline var reading = 2

    /// The value taken last, in place until the next is taken.
    @inlinable public var latest: UnsafePointer<Value> { UnsafePointer(slots + reading) }

    /// The newest value, in place until the next call; nil if none was sent since.
    @inlinable public mutating func take() -> UnsafePointer<Value>? {
      guard exchange.pointee.between.load(ordering: .relaxed) & newValue != 0 else { return nil }
      let received = exchange.pointee.between.exchange(reading, ordering: .acquiringAndReleasing)
      reading = received & ~newValue
      return latest
    }
  }
}

/// The number of the slot that neither side holds, with `newValue` added when the writer has filled it.
@usableFromInline struct SlotExchange: ~Copyable {
  @usableFromInline let between = Atomic<Int>(1)
}

@usableFromInline var newValue: Int { @_transparent get { 4 } }
