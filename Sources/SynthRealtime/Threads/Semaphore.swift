import CSynthRealtime
import Glibc

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
