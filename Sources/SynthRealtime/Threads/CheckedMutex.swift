import Synchronization

/// A `Mutex` whose order ThreadSanitizer can see. The standard library's lacks its instrumentation, so that two threads
/// that take turns look like a race.
public struct CheckedMutex<State: Sendable>: ~Copyable, Sendable {
  private let state: Mutex<State>
  private let turn = Atomic<Bool>(false)

  public init(_ state: State) { self.state = Mutex(state) }

  /// Runs `body` with exclusive access to the state. [control thread]
  public borrowing func withLock<Result, Failure>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { state throws(Failure) in
      _ = turn.load(ordering: .acquiring)
      defer { turn.store(true, ordering: .releasing) }
      return try body(&state)
    }
  }
}
