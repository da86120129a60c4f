import Glibc
import Realtime
import Synchronization

/// Makes edits and the life cycle of one engine take turns. [control thread]
///
/// A thread that comes back for it while it holds it gets an error in place of a deadlock.
struct ControlLock<State: Sendable>: ~Copyable, Sendable {
  private let state: CheckedMutex<State>
  /// The thread that holds it; 0 for none. Only a thread itself can find itself here.
  private let owner = Atomic<UInt>(0)

  init(_ state: State) { self.state = CheckedMutex(state) }

  borrowing func withLock<Result>(_ body: (inout State) throws -> Result) throws -> Result {
    let caller = UInt(pthread_self())
    guard owner.load(ordering: .relaxed) != caller else { throw EngineError.withinEdit }
    return try state.withLock { state in
      owner.store(caller, ordering: .relaxed)
      defer { owner.store(0, ordering: .relaxed) }
      return try body(&state)
    }
  }
}
