import Synchronization

/// Where a node keeps its kernel, so that phases and filter memories survive a change of the plan.
public final class KernelSlot<Key: Equatable & Sendable>: Sendable {
  private let present = Mutex<(key: Key, kernel: Kernel)?>(nil)

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
