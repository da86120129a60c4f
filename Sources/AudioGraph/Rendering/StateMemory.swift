/// A piece of render state with an address of its own, for as long as this lives: what kernels and the control side share.
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
