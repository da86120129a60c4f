import CRealtime
import Glibc

/// Wakes a thread that waits for it. (sem_t)
public final class Alarm: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  public init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Ends one wait: the next, where nobody waits. [any thread but the audio thread]
  public func ring() { sem_post(semaphore) }

  /// Waits until it rings, or a signal comes.
  public func wait() { sem_wait(semaphore) }

  /// Waits until it rings, but no longer than so many nanoseconds, whatever is done to the time of day meanwhile.
  public func wait(nanoseconds: Int64) { realtime_wait(semaphore, nanoseconds) }
}
