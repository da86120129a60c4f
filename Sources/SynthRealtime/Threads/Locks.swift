import CSynthRealtime
import Glibc
import Synchronization

/// A counting semaphore. (sem_t)
public final class Semaphore: Sendable {
  private let box = Box(sem_t())

  public init() { sem_init(semaphore, 0, 0) }

  deinit { sem_destroy(semaphore) }

  private var semaphore: UnsafeMutablePointer<sem_t> { box.pointer }

  /// Ends one wait: the present or the next. Must not be called in real time. [control thread]
  public func signal() { sem_post(semaphore) }

  /// Waits for `signal`, or a POSIX signal. [control thread]
  public func wait() { sem_wait(semaphore) }

  /// Waits for `signal`, at most so many nanoseconds of the monotonic clock. [control thread]
  public func wait(nanoseconds: Int64) { realtime_wait(semaphore, nanoseconds) }
}

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
