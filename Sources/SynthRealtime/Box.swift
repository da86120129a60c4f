/// A value in memory at a fixed address for as long as the box lives: state that an audio thread enters by its pointer
/// while control threads keep the box.
///
/// The state itself decides which thread may touch which part of it; the box adds no synchronization.
public final class Box<State: ~Copyable>: @unchecked Sendable {
  /// Valid while the box lives.
  public let pointer: UnsafeMutablePointer<State>

  public init(_ state: consuming State) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: state)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
