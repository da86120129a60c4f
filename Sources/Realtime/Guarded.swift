import Synchronization

/// A `Mutex` whose order ThreadSanitizer can see as well: the standard library's comes without its instrumentation, and
/// is a race to it where two threads take turns.
public struct Guarded<State: Sendable>: ~Copyable, Sendable {
  private let state: Mutex<State>
  private let turn = Atomic<Bool>(false)

  public init(_ state: State) { self.state = Mutex(state) }

  /// Runs `body` with the state to itself. [not the audio thread]
  public borrowing func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    try state.withLock { state in
      _ = turn.load(ordering: .acquiring)
      defer { turn.store(true, ordering: .releasing) }
      return try body(&state)
    }
  }
}
