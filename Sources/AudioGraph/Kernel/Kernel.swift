import SynthRealtime

/// The render side of a node: a struct in its own memory and the function that renders with it.
///
/// The state type writes its one-line entry, because a C function pointer cannot be formed in a generic context:
///
///     static let entry: RenderFunction = { state, context in
///       state.assumingMemoryBound(to: GainKernel.self).pointee
///         .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
///     }
public final class Kernel: @unchecked Sendable {
  let entry: RenderFunction
  /// Takes the input of a node that takes it at another moment than it renders.
  let intake: RenderFunction?
  let state: UnsafeMutableRawPointer
  private let destroy: (UnsafeMutableRawPointer) -> Void
  /// What the state points into.
  private let retained: [AnyObject]
  /// What it has in common with the kernels before and after it.
  private let shared: AnyObject?

  /// - Parameters:
  ///   - state: moved into its own memory, and deinitialized with the kernel.
  ///   - retained: objects that must live as long as the kernel, because its state points into them.
  ///   - shared: state that rendering changes and that the node's next kernels go on with; nil where each has its own.
  ///   - entry: renders; a function of the state and of a `RenderContext`.
  ///   - intake: for a node whose `inputTiming` says so, called with its input buses alone, as `entry` then is with its
  ///     output buses. The sample time is the input's.
  public init<State: ~Copyable>(
    _ state: consuming State, retaining retained: [AnyObject] = [], sharing shared: AnyObject? = nil,
    entry: RenderFunction, intake: RenderFunction? = nil
  ) {
    let memory = UnsafeMutablePointer<State>.allocate(capacity: 1)
    memory.initialize(to: state)
    self.state = UnsafeMutableRawPointer(memory)
    self.entry = entry
    self.intake = intake
    self.retained = retained
    self.shared = shared
    destroy = { pointer in
      let memory = pointer.assumingMemoryBound(to: State.self)
      memory.deinitialize(count: 1)
      memory.deallocate()
    }
  }

  deinit { destroy(state) }

  /// Whether the two must not both render in one quantum.
  func sharesState(with other: Kernel) -> Bool {
    self === other || (shared != nil && shared === other.shared)
  }
}

/// Where a node keeps its kernel, so that phases and filter memories survive a change of the plan.
public final class KernelSlot<Key: Equatable & Sendable>: Sendable {
  private let present = CheckedMutex<(key: Key, kernel: Kernel)?>(nil)

  public init() {}

  /// The present kernel if it was made for the same key; else a new one. [control thread]
  ///
  /// A plan that still renders with the old kernel keeps it alive.
  public func kernel(for key: Key, make: () -> Kernel) -> Kernel {
    present.withLock { present in
      if let present, present.key == key { return present.kernel }
      let kernel = make()
      present = (key, kernel)
      return kernel
    }
  }

  /// Makes the next kernel a new one, which knows nothing of what has sounded. [control thread]
  public func reset() { present.withLock { $0 = nil } }
}
