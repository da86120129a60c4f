import Glibc
import Realtime
import Synchronization

/// The thread that reads ahead for a player. It sleeps for as long as nothing is scheduled.
final class FilePlayerThread: Sendable {
  private let work: Work
  private let thread: QuietThread

  init(_ feed: FilePlayerFeed) throws(AudioFileError) {
    let work = Work(feed)
    self.work = work
    do throws(QuietThreadError) {
      thread = try QuietThread(named: "file player") { work.run() }
    } catch {
      throw .noThread(reason: error.description)
    }
  }

  /// Ends the thread, and waits for that except on the thread itself, on which a handler may drop the player.
  deinit {
    work.isFinishing.store(true, ordering: .releasing)
    work.wake()
    if thread.isCurrent { thread.detach() } else { thread.join() }
  }

  /// Something has been scheduled.
  func wake() { work.wake() }

  private final class Work: Sendable {
    let isFinishing = Atomic<Bool>(false)
    private let feed: FilePlayerFeed
    private let alarm = Alarm()

    /// The ring holds a second and more; ends are told of this late at most, in microseconds.
    private static let interval: UInt32 = 10_000

    init(_ feed: FilePlayerFeed) { self.feed = feed }

    func wake() { alarm.ring() }

    func run() {
      while !isFinishing.load(ordering: .acquiring) {
        feed.fill()
        if feed.isIdle { alarm.wait() } else { usleep(Self.interval) }
      }
    }
  }
}
