import Glibc
import Synchronization
import SynthRealtime

/// Keeps sounds that are played alive, and reads ahead for them on a thread, which begins with the first.
public final class SoundFeed: Sendable {
  private let work = Work()
  private let thread = CheckedMutex<Thread?>(nil)

  public init() {}

  /// Reads ahead for a sound from now on. [control thread]
  ///
  /// The last ones are kept, because they may be in use until the next one has begun.
  public func add(_ sound: FileSound) throws(AudioFileError) {
    work.sounds.withLock { $0 = $0.filter { $0 !== sound }.suffix(Self.mostSounds - 1) + [sound] }
    try thread.withLock { thread throws(AudioFileError) in if thread == nil { thread = try Thread(work) } }
  }

  /// A sound is used by the one quantum in which another takes its place, and by the 5 ms of its fade.
  private static let mostSounds = 4

  /// Reads ahead at once, for rendering by hand.
  public func fill() { for sound in work.present { sound.follow() } }

  private final class Work: Sendable {
    let sounds = CheckedMutex<[FileSound]>([])
    let isFinishing = Atomic<Bool>(false)

    var present: [FileSound] { sounds.withLock { $0 } }

    func run() {
      while !isFinishing.load(ordering: .acquiring) {
        for sound in present { sound.follow() }
        usleep(20_000)
      }
    }
  }

  private final class Thread: Sendable {
    private let work: Work
    private let thread: WorkerThread

    init(_ work: Work) throws(AudioFileError) {
      self.work = work
      do throws(WorkerThreadError) {
        thread = try WorkerThread(named: "sound feed") { work.run() }
      } catch {
        throw .noThread(reason: error.description)
      }
    }

    deinit {
      work.isFinishing.store(true, ordering: .releasing)
      thread.join()
    }
  }
}
