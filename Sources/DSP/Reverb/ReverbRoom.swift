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

/// The rooms of General MIDI 2, by the numbers of its Global Parameter Control.
public enum ReverbType: UInt8, CaseIterable, Sendable {
  case smallRoom = 0
  case mediumRoom = 1
  case largeRoom = 2
  case mediumHall = 3
  case largeHall = 4
  case plate = 8

  /// What people type: "large-hall".
  public var name: String {
    switch self {
    case .smallRoom: "small-room"
    case .mediumRoom: "medium-room"
    case .largeRoom: "large-room"
    case .mediumHall: "medium-hall"
    case .largeHall: "large-hall"
    case .plate: "plate"
    }
  }

  /// How long a sound takes to fall by 60 dB in it, in seconds, as General MIDI 2 recommends.
  public var standardTime: Float { ReverbRoom.standardTime(index: Int32(Self.allCases.firstIndex(of: self) ?? 0)) }

  /// The shape of the room. Times in milliseconds: between the shortest and the longest path that comes back, and the
  /// time over which the first reflections are spread. The share is how long the highest frequencies last beside the
  /// lowest; the corner, in hertz, lies between them.
  var room: Room {
    switch self {
    case .smallRoom: Room(paths: 9...31, spread: 13, highShare: 0.30, corner: 4000)
    case .mediumRoom: Room(paths: 12...41, spread: 19, highShare: 0.28, corner: 3800)
    case .largeRoom: Room(paths: 16...53, spread: 27, highShare: 0.26, corner: 3500)
    case .mediumHall: Room(paths: 21...71, spread: 38, highShare: 0.24, corner: 3200)
    case .largeHall: Room(paths: 27...89, spread: 52, highShare: 0.22, corner: 3000)
    case .plate: Room(paths: 8...37, spread: 9, highShare: 0.45, corner: 6000)
    }
  }

  struct Room {
    let paths: ClosedRange<Double>
    let spread: Double
    let highShare: Double
    let corner: Double
  }
}
