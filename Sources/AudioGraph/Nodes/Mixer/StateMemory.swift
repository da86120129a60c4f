/// A piece of render state with an address of its own, which kernels share as one follows the other.
final class StateMemory<State: ~Copyable>: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<State>

  init(_ state: consuming State) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: state)
  }

  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
