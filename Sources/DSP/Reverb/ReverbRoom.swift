/// A room and how long it sounds, as the audio thread takes it.
public struct ReverbRoom: BitwiseCopyable, Sendable, Equatable {
  /// The place of the type among all.
  let index: Int32
  /// How long the lows take to fall by 60 dB, in seconds: 0.1 to 20.
  public let time: Float

  /// A room of a type; what lies outside the range of `time` is clamped to it.
  public init(_ type: ReverbType, time: Float) {
    self.init(index: Int32(ReverbType.allCases.firstIndex(of: type) ?? 0), time: time)
  }

  /// The room at a place among `ReverbType.allCases`. [audio thread]
  @_noLocks
  public init(index: Int32, time: Float) {
    self.index = min(max(index, 0), 5)
    self.time = time > 0.1 ? min(time, 20) : 0.1
  }

  /// The time of the room at a place among `ReverbType.allCases`, in seconds, as General MIDI 2 recommends it.
  /// [audio thread]
  @_noLocks
  public static func standardTime(index: Int32) -> Float {
    switch index {
    case 0: time(44)
    case 1, 5: time(50)
    case 2: time(56)
    default: time(64)
    }
  }

  /// The time General MIDI 2 has for a value of 0 to 127: 0.37 to 8.8 s, in steps of 2.5 %. [audio thread]
  @_noLocks
  public static func time(_ value: Float) -> Float { exponential2((value - 40) * 0.025 * 1.442_695) }

  @_noLocks
  public static func == (a: ReverbRoom, b: ReverbRoom) -> Bool { a.index == b.index && a.time == b.time }
}
