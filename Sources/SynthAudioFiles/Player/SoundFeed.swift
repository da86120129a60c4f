import Synchronization
import SynthRealtime

/// Keeps sounds that are played alive, and reads ahead for them on the thread that all players share.
public final class SoundFeed: Sendable {
  private let work = Work()
  /// For those who play them on the audio thread: two, as one sound fades out while another begins.
  package let readers = [Box(SoundReader()), Box(SoundReader())]

  public init() {}

  deinit {
    ReadingThread.shared.remove(work)
    for sound in work.present { sound.remove(readers) }
  }

  /// Reads ahead for a sound from now on. [control thread]
  ///
  /// The last ones are kept, because they may be in use until the next one has begun.
  public func add(_ sound: FileSound) throws(AudioFileError) {
    sound.add(readers)
    let before = work.sounds.withLock { sounds in
      defer { sounds = sounds.filter { $0 !== sound }.suffix(Self.mostSounds - 1) + [sound] }
      return sounds
    }
    let isFirst = before.isEmpty
    for former in before.filter({ $0 !== sound }).dropLast(Self.mostSounds - 1) { former.remove(readers) }
    guard isFirst else { return ReadingThread.shared.wake() }
    do throws(AudioFileError) {
      try ReadingThread.shared.add(work)
    } catch {
      work.sounds.withLock { $0 = [] }
      sound.remove(readers)
      throw error
    }
  }

  /// A sound is used by the one quantum in which another takes its place, and by the 5 ms of its fade.
  private static let mostSounds = 4

  /// Reads ahead at once, for rendering by hand.
  public func fill() { for sound in work.present { sound.follow() } }

  private final class Work: ReadAhead {
    let sounds = CheckedMutex<[FileSound]>([])

    var present: [FileSound] { sounds.withLock { $0 } }

    /// A sound can be read anywhere at any time, so it is always looked after.
    var need: ReadingNeed { present.compactMap(\.lead).min().map { .now(lead: $0) } ?? .later }

    func readPiece() {
      let urgent = present.min { $0.lead ?? .infinity < $1.lead ?? .infinity }
      urgent?.follow(mostPages: 1)
    }
  }
}
