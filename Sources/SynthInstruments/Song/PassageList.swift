import SynthRealtime

/// What a quantum has of a song that sounds by itself, on its way from the song's reader to the node that plays it,
/// which renders the same quantum after the instruments.
public final class PassageList: @unchecked Sendable {
  // Unchecked because of the memory, which the audio thread alone uses.
  private let state: Box<State>

  init() { state = Box(State()) }

  fileprivate struct State: ~Copyable {
    var first = Passage()
    var second = Passage()
    var count = 0
  }

  /// The passages of the present quantum. It does not keep the list alive. [audio thread]
  public var memory: Memory { Memory(state: state.pointer) }

  /// The passages of the present quantum, two at most: those before and behind the end of a loop. [audio thread]
  public struct Memory: BitwiseCopyable, @unchecked Sendable {
    // Unchecked because of the pointer, see the list.
    fileprivate let state: UnsafeMutablePointer<State>

    /// How many passages this quantum has. [audio thread]
    public var count: Int {
      @_noLocks get { state.pointee.count }
    }

    /// In the order in which they are played.
    public subscript(index: Int) -> Passage {
      @_noLocks get { index == 0 ? state.pointee.first : state.pointee.second }
    }

    @_noLocks
    func clear() { state.pointee.count = 0 }

    @_noLocks
    func add(_ passage: Passage) {
      if state.pointee.count == 0 { state.pointee.first = passage } else { state.pointee.second = passage }
      state.pointee.count = min(state.pointee.count &+ 1, 2)
    }
  }
}

/// Some frames of a quantum, and what of a song sounds in them.
public struct Passage: BitwiseCopyable, @unchecked Sendable {
  // Unchecked because of the pointer, to what the audio thread reads.

  /// `SongSound.memory`; valid in this quantum.
  public var sound: UnsafeRawPointer?
  /// From the start of the quantum, in frames.
  public var offset = 0
  /// How many frames it takes, 1 to 64.
  public var count = 0
  /// The frame of the song that sounds in the first of them, at the rate of the instruments and the tempo of the file.
  public var songFrame: Double = 0
  /// Frames of the song in a frame of the instruments.
  public var rate: Double = 1
  /// In semitones.
  public var transposition = 0
  /// Whether it begins where a loop has gone back to its start.
  public var isLoop = false

  @_noLocks
  public init() {}
}

/// Writes down what of a song is played, as its reader walks it. [audio thread]
///
/// As a `BeatCursor`, it is asked for all up to a time before the song's time jumps.
struct PassageWriter {
  private let list: PassageList.Memory
  private var time: Int64 = 0
  private var told: Int64 = 0
  private var isLoop = false

  /// - Parameter list: must outlive the writer.
  init(_ list: PassageList) { self.list = list.memory }

  @_noLocks
  mutating func beginQuantum(at time: Int64) {
    (self.time, told) = (time, time)
    list.clear()
  }

  /// Writes down what sounds before a time.
  ///
  /// - Parameter place: what comes before it in the song is not played.
  @_noLocks
  mutating func tell(
    before time: Int64, _ anchor: SongAnchor, _ plan: Playback.Plan, from place: Double, _ transposition: Int
  ) {
    let start = max(told, anchor.frame)
    told = max(told, time)
    guard let sound = plan.sound, anchor.rate > 0, start < time else { return }
    let end = min(time, anchor.frame(ofSong: plan.end))
    guard start < end, anchor.songFrame(at: start) >= place - 1 else { return }
    var passage = Passage()
    (passage.sound, passage.rate, passage.transposition) = (sound, anchor.rate, transposition)
    (passage.offset, passage.count) = (Int(start &- self.time), Int(end &- start))
    passage.songFrame = anchor.songFrame(at: start)
    passage.isLoop = isLoop
    isLoop = false
    list.add(passage)
  }

  /// The passage that is repeated begins again.
  @_noLocks
  mutating func jump() { isLoop = true }
}
