import AudioGraph

/// When a song is over: once its last notes have become silent.
public struct Tail: Sendable, Hashable {
  /// Below -90 dB for 0.1 s, or 30 s after the last event, whichever comes first.
  public static let standard = Tail(threshold: 3.162_278e-5, hold: 0.1, maximum: 30)

  /// So many seconds after the last event, whatever sounds then.
  public static func exactly(_ seconds: Double) -> Tail { Tail(threshold: 0, hold: .infinity, maximum: seconds) }

  /// Samples whose absolute value stays below this are silence; 1 is full scale.
  public var threshold: Float
  /// How long it must be silent, in seconds.
  public var hold: Double
  /// How long after the last event it ends in any case, in seconds.
  public var maximum: Double

  public init(threshold: Float, hold: Double, maximum: Double) {
    self.threshold = threshold
    self.hold = hold
    self.maximum = maximum
  }
}

/// Finds the frame a song ends at; the same one for every slice size. [audio thread]
public struct TailDetector: BitwiseCopyable, Sendable {
  private let threshold: Float
  private let hold: Int64
  private let maximum: Int64
  /// The frame of the last event; `Int64.max` while it is not known.
  var songEnd: Int64
  /// The frame the next slice begins with.
  var time: Int64 = 0
  private var silentFrames: Int64 = 0

  /// - Parameter songEnd: the frame of the last event.
  public init(_ tail: Tail, songEnd: Int64, sampleRate: Double) {
    threshold = tail.threshold
    hold = Self.frames(tail.hold, sampleRate)
    self.songEnd = songEnd
    maximum = Self.frames(tail.maximum, sampleRate)
  }

  /// Endless where the seconds are.
  private static func frames(_ seconds: Double, _ sampleRate: Double) -> Int64 {
    let frames = max(0, seconds * sampleRate).rounded(.down)
    return Int64(exactly: frames) ?? .max
  }

  /// How many frames of the slice belong to the song; fewer than it has when the song ends in it.
  @_noLocks
  public mutating func frames(of slice: RenderSlice) -> Int {
    let start = time
    time &+= Int64(slice.frameCount)
    guard time > songEnd else {
      silentFrames = 0
      return slice.frameCount
    }
    let first = max(0, songEnd &- start)
    for frame in Int(first)..<slice.frameCount {
      silentFrames = isSilent(slice, frame) ? silentFrames &+ 1 : 0
      if silentFrames >= hold || start &+ Int64(frame) &- songEnd >= maximum { return frame }
    }
    return slice.frameCount
  }

  @_noLocks
  private func isSilent(_ slice: RenderSlice, _ frame: Int) -> Bool {
    for channel in 0..<slice.channelCount where abs(slice.channels[channel][frame]) >= threshold { return false }
    return true
  }
}
