import CSynthSampling

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
  /// Paths of 9 to 31 ms; falls by 60 dB in 1.1 s.
  case smallRoom = 0
  /// Paths of 12 to 41 ms; falls by 60 dB in 1.3 s.
  case mediumRoom = 1
  /// Paths of 16 to 53 ms; falls by 60 dB in 1.5 s.
  case largeRoom = 2
  /// Paths of 21 to 71 ms; falls by 60 dB in 1.8 s.
  case mediumHall = 3
  /// Paths of 27 to 89 ms; falls by 60 dB in 1.8 s.
  case largeHall = 4
  /// Paths of 8 to 37 ms, highs that last; falls by 60 dB in 1.3 s.
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

/// What a room takes away on each way through it, more of the highs than of the lows: a first-order shelf for each
/// line, in decibels as long as the line, so that all lines decay alike (J.-M. Jot, 1991). [audio thread]
struct ReverbAbsorption {
  // In the order of `reverb_shelves`.
  private var b0 = InlineArray<16, Float>(repeating: 0)
  private var b1 = InlineArray<16, Float>(repeating: 0)
  private var a1 = InlineArray<16, Float>(repeating: 0)
  private var memory = InlineArray<16, Float>(repeating: 0)

  init() {}

  /// Sets the time in seconds in which lows fall by 60 dB, and the gain that is left to a line whose length is nothing;
  /// the memories stay.
  @_noLocks
  mutating func set(_ geometry: ReverbGeometry, time: Float, sampleRate: Float, gain: Float) {
    for line in 0..<16 {
      // 60 dB are a factor of 2 to the power of 9.97.
      let lowExponent = -9.965_784 * Float(geometry.lengths[line]) / (sampleRate * time)
      let highExponent = lowExponent / geometry.highShare
      let (low, high) = (gain * exponential2(lowExponent), gain * exponential2(highExponent))
      // Half of the shelf's decibels are reached at the corner.
      let k = geometry.corner * exponential2((highExponent - lowExponent) / 2)
      b0[line] = (high + low * k) / (1 + k)
      b1[line] = (low * k - high) / (1 + k)
      a1[line] = (k - 1) / (1 + k)
    }
  }

  /// Filters a block of each line in place; the lines lie one after the other.
  @_noLocks
  mutating func filter(_ lines: UnsafeMutablePointer<Float>) { reverb_absorb(&self, lines) }

  @_noLocks
  mutating func clear() {
    for line in 0..<16 { memory[line] = 0 }
  }
}
