import Synchronization

/// A wait-free queue of small values from one thread to another. [any thread]
///
/// The capacity is fixed. An element that does not fit is refused; no element is overwritten.
public final class RingBuffer<Element: BitwiseCopyable & Sendable>: @unchecked Sendable {
  /// How many elements fit: a power of two.
  public let capacity: Int
  private let box = Box(RingIndices())
  private let elements: UnsafeMutablePointer<Element>

  /// - Parameter minimumCapacity: rounded up to a power of two.
  public init(minimumCapacity: Int) {
    var capacity = 1
    while capacity < minimumCapacity { capacity *= 2 }
    self.capacity = capacity
    elements = .allocate(capacity: capacity)
  }

  deinit { elements.deallocate() }

  private var indices: UnsafeMutablePointer<RingIndices> { box.pointer }

  /// The writing end, for one thread at a time. It does not keep the ring alive.
  public var producer: Producer { Producer(indices: indices, elements: elements, capacity: capacity) }

  /// How many elements wait. An element that another thread is adding or taking may or may not be counted. [any thread]
  public var count: Int {
    let head = indices.pointee.head.load(ordering: .acquiring)
    return min(max(0, indices.pointee.tail.load(ordering: .acquiring) &- head), capacity)
  }

  /// How many elements have ever been pushed. [any thread]
  public var pushCount: Int { indices.pointee.tail.load(ordering: .acquiring) }

  /// The reading end, for one thread at a time. It does not keep the ring alive.
  public var consumer: Consumer { Consumer(indices: indices, elements: elements, mask: capacity - 1) }

  /// The writing end of a ring.
  public struct Producer: @unchecked Sendable {
    @usableFromInline let indices: UnsafeMutablePointer<RingIndices>
    @usableFromInline let elements: UnsafeMutablePointer<Element>
    @usableFromInline let capacity: Int

    /// Appends an element; false when the ring is full.
    @inlinable public func push(_ element: Element) -> Bool {
      let tail = indices.pointee.tail.load(ordering: .relaxed)
      guard tail &- indices.pointee.head.load(ordering: .acquiring) < capacity else { return false }
      elements[tail & (capacity &- 1)] = element
      indices.pointee.tail.store(tail &+ 1, ordering: .releasing)
      return true
    }

    /// How many elements have ever been pushed.
    public var pushCount: Int {
      @_noLocks @inlinable get { indices.pointee.tail.load(ordering: .relaxed) }
    }

    /// Whether the next `push` will be refused.
    @inlinable public var isFull: Bool {
      let tail = indices.pointee.tail.load(ordering: .relaxed)
      return tail &- indices.pointee.head.load(ordering: .acquiring) >= capacity
    }
  }

  /// The reading end of a ring.
  public struct Consumer: @unchecked Sendable {
    @usableFromInline let indices: UnsafeMutablePointer<RingIndices>
    @usableFromInline let elements: UnsafeMutablePointer<Element>
    @usableFromInline let mask: Int

    /// The oldest element, left in its place; nil when the ring is empty.
    @inlinable public func peek() -> Element? {
      let head = indices.pointee.head.load(ordering: .relaxed)
      guard head != indices.pointee.tail.load(ordering: .acquiring) else { return nil }
      return elements[head & mask]
    }

    /// The element so many places behind the oldest, left in its place; nil behind the newest.
    @inlinable public func peek(_ distance: Int) -> Element? {
      let head = indices.pointee.head.load(ordering: .relaxed)
      guard distance >= 0, distance < indices.pointee.tail.load(ordering: .acquiring) &- head else { return nil }
      return elements[(head &+ distance) & mask]
    }

    /// How many elements have ever been taken.
    public var popCount: Int {
      @_noLocks @inlinable get { indices.pointee.head.load(ordering: .relaxed) }
    }

    /// Takes the oldest element; nil when the ring is empty.
    @inlinable public func pop() -> Element? {
      guard let element = peek() else { return nil }
      indices.pointee.head.wrappingAdd(1, ordering: .releasing)
      return element
    }
  }
}

/// Both indices only grow; their difference is the fill. Each lies in a separate cache line.
@usableFromInline struct RingIndices: ~Copyable {
  @usableFromInline let head = Atomic<Int>(0)
  private let padding: (Int, Int, Int, Int, Int, Int, Int) = (0, 0, 0, 0, 0, 0, 0)
  @usableFromInline let tail = Atomic<Int>(0)
}
