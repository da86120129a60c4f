import Realtime

/// The render side of a node: a struct in memory of its own and the function that renders with it.
///
/// The state type writes its one-line entry, because a C function pointer cannot be formed in a generic context:
///
///     static let entry: RenderFunction = { state, context in
///       state.assumingMemoryBound(to: GainKernel.self).pointee
///         .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
///     }
public final class Kernel: @unchecked Sendable {
  let entry: RenderFunction
  let state: UnsafeMutableRawPointer
  private let destroy: (UnsafeMutableRawPointer) -> Void
  /// What the state points into.
  private let retained: [AnyObject]

  /// - Parameters:
  ///   - state: moved into memory of its own, and deinitialized with the kernel.
  ///   - retained: objects that must live as long as the kernel, because its state points into them.
  public init<State: ~Copyable>(_ state: consuming State, retaining retained: [AnyObject] = [], entry: RenderFunction) {
    let memory = UnsafeMutablePointer<State>.allocate(capacity: 1)
    memory.initialize(to: state)
    self.state = UnsafeMutableRawPointer(memory)
    self.entry = entry
    self.retained = retained
    destroy = { pointer in
      let memory = pointer.assumingMemoryBound(to: State.self)
      memory.deinitialize(count: 1)
      memory.deallocate()
    }
  }

  deinit { destroy(state) }
}
