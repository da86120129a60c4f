import Synchronization
import SynthRealtime

/// Where a song is on the clock of its instruments. The audio thread writes it, and reads it once it has rendered: what
/// it holds belongs together there only.
public final class SongClock: Sendable {
  private let frame = Atomic<Int64>(0)
  private let songFrame = Atomic<UInt64>(0)
  private let rate = Atomic<UInt64>(1.0.bitPattern)
  private let number = Atomic<Int>(0)
  private let endFrame = Atomic<Int64>(.max)
  private let countedPlace = Atomic<UInt64>(0)
  private let silentNumber = Atomic<Int>(0)
  /// Odd while what follows is written.
  private let turn = Atomic<UInt64>(0)
  private let time = Atomic<Int64>(0)
  private let position = Atomic<UInt64>(0)
  private let sliceTime = Atomic<Int64>(0)
  private let sliceHostTime = Atomic<UInt64>(0)
  private let sliceLength = Atomic<Int64>(0)

  /// The frame of the song's timeline that sounds at a frame of the instruments; its start while bars are counted
  /// before it. Without a song, theirs. [audio thread]
  @_noLocks
  public func songFrame(at time: Double) -> Double {
    let elapsed = time - Double(frame.load(ordering: .relaxed))
    let start = Double(bitPattern: songFrame.load(ordering: .relaxed))
    let place = Double(bitPattern: countedPlace.load(ordering: .relaxed))
    return max(start + elapsed * Double(bitPattern: rate.load(ordering: .relaxed)), place)
  }

  /// The frame of the instruments at which a song has ended; `Int64.max` while it has not. [audio thread]
  ///
  /// - Parameter number: of the song, as `EventInput.play` gave it.
  @_noLocks
  public func end(ofSong number: Int) -> Int64 {
    self.number.load(ordering: .acquiring) == number ? endFrame.load(ordering: .relaxed) : .max
  }

  /// The number of the song that is played; 0 for none. [any thread]
  public var song: Int {
    @_noLocks get { number.load(ordering: .acquiring) }
  }

  /// Says that a song has ended and died away: what is queued after it begins with the next quantum. [audio thread]
  @_noLocks
  public func noteSilence(ofSong number: Int) { silentNumber.store(number, ordering: .relaxed) }

  /// Whether a song has died away. [audio thread]
  @_noLocks
  func isSilent(_ number: Int) -> Bool { silentNumber.load(ordering: .relaxed) == number }

  /// Where the instruments and the song are at the end of a quantum.
  struct Moment {
    /// The next frame of the instruments.
    var time: Int64
    /// Of the song.
    var position: Double
    /// When the present slice was asked for, in nanoseconds; 0 offline.
    var sliceHostTime: UInt64
    /// The first frame of the instruments that was rendered for it.
    var sliceTime: Int64
    /// The frames from the slice before it to it.
    var sliceLength: Int64

    /// Whether an output asks for slices.
    var isLive: Bool { sliceHostTime > 0 && HostClock.now < sliceHostTime + 250_000_000 }

    /// How many frames slices under way may have: what is sent now is taken over by all by then.
    var lead: Int64 { isLive ? 2 * sliceLength : 0 }
  }

  /// After the last quantum. [any thread]
  var moment: Moment {
    while true {
      let turn = turn.load(ordering: .acquiring)
      let moment = Moment(
        time: time.load(ordering: .acquiring), position: Double(bitPattern: position.load(ordering: .acquiring)),
        sliceHostTime: sliceHostTime.load(ordering: .acquiring), sliceTime: sliceTime.load(ordering: .acquiring),
        sliceLength: sliceLength.load(ordering: .acquiring))
      if turn % 2 == 0, self.turn.load(ordering: .relaxed) == turn { return moment }
    }
  }

  /// Whether a song is over, as it is when the clock has its number and its end. [any thread]
  func isOver(_ number: Int) -> Bool { end(ofSong: number) <= time.load(ordering: .relaxed) }

  /// [audio thread]
  @_noLocks
  func note(time: Int64, position: Double) {
    turn.wrappingAdd(1, ordering: .acquiringAndReleasing)
    self.time.store(time, ordering: .releasing)
    self.position.store(position.bitPattern, ordering: .releasing)
    turn.wrappingAdd(1, ordering: .releasing)
  }

  /// A quantum is rendered for a slice that was asked for at a time. [audio thread]
  @_noLocks
  func note(sliceHostTime hostTime: UInt64, at time: Int64) {
    let before = sliceTime.load(ordering: .relaxed)
    guard hostTime != sliceHostTime.load(ordering: .relaxed) else { return }
    turn.wrappingAdd(1, ordering: .acquiringAndReleasing)
    sliceHostTime.store(hostTime, ordering: .releasing)
    sliceTime.store(time, ordering: .releasing)
    sliceLength.store(max(time &- before, 0), ordering: .releasing)
    turn.wrappingAdd(1, ordering: .releasing)
  }

  /// No song, at frame 0. Only while nothing renders. [control thread]
  func reset() {
    noteSilence(ofSong: 0)
    publish(SongAnchor(), end: .max, number: 0)
    note(sliceHostTime: 0, at: 0)
    note(time: 0, position: 0)
  }

  /// [audio thread]
  @_noLocks
  func publish(_ anchor: SongAnchor, end: Int64, number: Int, countedPlace: Double = 0) {
    frame.store(anchor.frame, ordering: .relaxed)
    songFrame.store(anchor.songFrame.bitPattern, ordering: .relaxed)
    rate.store(anchor.rate.bitPattern, ordering: .relaxed)
    endFrame.store(end, ordering: .relaxed)
    self.countedPlace.store(countedPlace.bitPattern, ordering: .relaxed)
    // Last: who has seen it sees its end.
    self.number.store(number, ordering: .releasing)
  }
}

/// A point at which the time of a song and that of its instruments are known, and how fast the song goes from there on.
struct SongAnchor: BitwiseCopyable {
  /// The instruments'.
  var frame: Int64 = 0
  var songFrame: Double = 0
  /// Frames of the song in a frame of the instruments; 0 where it stands still.
  var rate: Double = 1

  @_noLocks init() {}

  @_noLocks init(frame: Int64, songFrame: Double, rate: Double) {
    self.frame = frame
    self.songFrame = songFrame
    self.rate = rate
  }

  /// The instruments' frame nearest to a frame of the song; `Int64.max` where that never comes.
  @_noLocks
  func frame(ofSong songFrame: Int64) -> Int64 {
    let elapsed = elapsed(to: songFrame)
    // Whole numbers are exact below 2⁵³. Half up, also before the anchor.
    guard rate > 0, elapsed < 4e15 else { return .max }
    return frame &+ (elapsed < 0 ? -Int64(0.5 - elapsed) : Int64(elapsed + 0.5))
  }

  /// The frames of the instruments from the anchor to a frame of the song.
  @_noLocks
  func elapsed(to songFrame: Int64) -> Double { (Double(songFrame) - self.songFrame) / rate }

  @_noLocks
  func songFrame(at frame: Int64) -> Double { songFrame + Double(frame &- self.frame) * rate }
}
