import Glibc
import Synchronization

/// The thread that reads ahead for a player. It sleeps for as long as nothing is scheduled.
final class FilePlayerThread: Sendable {
  private let work: Work
  private let thread: pthread_t

  init(_ feed: FilePlayerFeed) throws(AudioFileError) {
    work = Work(feed)
    var handle = pthread_t()
    // The thread takes no signals.
    var all = sigset_t()
    var before = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let retained = Unmanaged.passRetained(work)
    let code = pthread_create(
      &handle, nil,
      { work in
        if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().run() }
        return nil
      }, retained.toOpaque())
    guard code == 0 else {
      retained.release()
      throw .noThread(reason: errorText(code))
    }
    thread = handle
  }

  /// Ends the thread, and waits for that except on the thread itself, on which a handler may drop the player.
  deinit {
    work.isFinishing.store(true, ordering: .releasing)
    work.wake()
    if pthread_equal(thread, pthread_self()) != 0 { pthread_detach(thread) } else { pthread_join(thread, nil) }
  }

  /// Something has been scheduled.
  func wake() { work.wake() }

  private final class Work: @unchecked Sendable {
    let isFinishing = Atomic<Bool>(false)
    private let feed: FilePlayerFeed
    private let semaphore: UnsafeMutablePointer<sem_t>

    /// The ring holds a second and more; ends are told of this late at most, in microseconds.
    private static let interval: UInt32 = 10_000

    init(_ feed: FilePlayerFeed) {
      self.feed = feed
      semaphore = .allocate(capacity: 1)
      sem_init(semaphore, 0, 0)
    }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    func wake() { sem_post(semaphore) }

    func run() {
      while !isFinishing.load(ordering: .acquiring) {
        feed.fill()
        if feed.isIdle { sem_wait(semaphore) } else { usleep(Self.interval) }
      }
    }
  }
}
