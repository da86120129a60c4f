import Synchronization
import SynthRealtime

/// Which tracks of songs are heard: those that are not muted, and of them, where any is soloed, only soloed ones.
///
/// A track that is silenced lets go of the keys it holds with the next quantum, and plays no notes. Its controllers,
/// programs and bends are played, so that it is as it should be when it is heard again. It stays so from song to song.
public final class SongTracks: Sendable {
  /// How many tracks can be silenced, the first ones of a song.
  public static let count = 1024

  private let marks = CheckedMutex((muted: Set<Int>(), soloed: Set<Int>()))
  private let bits = Box(SilentBits())

  /// Mutes a track, counted from 0, or lets it sound again; nil is all of them. [control thread]
  public func mute(_ track: Int?, _ isOn: Bool) { mark(\.muted, track, isOn) }

  /// Adds a track to those that alone are heard, or takes it out; nil is all of them. [control thread]
  public func solo(_ track: Int?, _ isOn: Bool) { mark(\.soloed, track, isOn) }

  /// Those that are muted, in order. [control thread]
  public var muted: [Int] { marks.withLock { $0.muted.sorted() } }

  /// Those that are soloed, in order. [control thread]
  public var soloed: [Int] { marks.withLock { $0.soloed.sorted() } }

  /// Whether a track, counted from 0, is muted. [any thread]
  package func isMuted(_ track: Int) -> Bool { marks.withLock { $0.muted.contains(track) } }

  /// Whether a track, counted from 0, is soloed. [any thread]
  package func isSoloed(_ track: Int) -> Bool { marks.withLock { $0.soloed.contains(track) } }

  private func mark(_ set: WritableKeyPath<(muted: Set<Int>, soloed: Set<Int>), Set<Int>>, _ track: Int?, _ isOn: Bool)
  {
    marks.withLock { marks in
      let tracks = track.map { Set([$0]) } ?? Set(0..<Self.count)
      if isOn { marks[keyPath: set].formUnion(tracks) } else { marks[keyPath: set].subtract(tracks) }
      for word in 0..<SilentBits.wordCount {
        let silent = (0..<64).reduce(UInt64(0)) { bits, bit in
          let track = word * 64 + bit
          let isHeard = !marks.muted.contains(track) && (marks.soloed.isEmpty || marks.soloed.contains(track))
          return isHeard ? bits : bits | 1 << UInt64(bit)
        }
        self.bits.pointer.pointee.words[word].store(silent, ordering: .relaxed)
      }
      self.bits.pointer.pointee.changeCount.add(1, ordering: .releasing)
    }
  }

  /// The audio thread's end. It does not keep the tracks alive.
  var silent: SilentTracks { SilentTracks(bits: bits.pointer) }
}

/// A bit for each track.
struct SilentBits: ~Copyable {
  static var wordCount: Int {
    @_noLocks get { 16 }
  }

  let words: UnsafeMutablePointer<Atomic<UInt64>>
  let changeCount = Atomic(0)

  init() {
    words = .allocate(capacity: Self.wordCount)
    for word in 0..<Self.wordCount { (words + word).initialize(to: Atomic(0)) }
  }

  deinit {
    words.deinitialize(count: Self.wordCount)
    words.deallocate()
  }
}

/// The tracks that are not to be heard. [audio thread]
struct SilentTracks: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointer: what is behind it is atomic.
  fileprivate let bits: UnsafeMutablePointer<SilentBits>

  /// Changes when any track does.
  var changeCount: Int {
    @_noLocks get { bits.pointee.changeCount.load(ordering: .acquiring) }
  }

  @_noLocks
  func contains(_ track: UInt32) -> Bool {
    let word = Int(track / 64)
    guard word < SilentBits.wordCount else { return false }
    return bits.pointee.words[word].load(ordering: .relaxed) & 1 &<< UInt64(track % 64) != 0
  }
}
