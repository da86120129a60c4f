/// How a delay with taps on the left, in the middle and on the right repeats, as the audio thread takes it.
public struct DelaySetting: BitwiseCopyable, Sendable {
  /// No tap is later, in seconds. Source: SC-88Pro owner's manual, "Delay Time Ratio".
  private static var longestTap: Float { @_noLocks get { 1 } }

  /// From a sound to its echo in the middle, and from that to the next, in seconds.
  public let time: Float
  /// The share of an echo that comes again as the next.
  public let feedback: Float
  /// The times of the taps at the sides, as multiples of `time`.
  public let leftRatio: Float, rightRatio: Float
  /// The levels of the taps, as amplitudes.
  public let leftLevel: Float, centreLevel: Float, rightLevel: Float
  /// The share of it that goes to the reverb.
  public let reverbShare: Float

  /// The setting at a place among `DelayType.allCases`. [audio thread]
  ///
  /// The numbers are those of GS, 0 to 127 each.
  @_noLocks
  public init(index: Int32) {
    switch index {
    case 1: self.init(time: 106, feedback: 79)
    case 2: self.init(time: 115, feedback: 63)
    case 3: self.init(time: 83, feedback: 71)
    case 4: self.init(time: 90, ratios: (12, 24), levels: (125, 0, 60), feedback: 73)
    case 5: self.init(time: 109, ratios: (12, 24), levels: (125, 0, 60), feedback: 70)
    case 6: self.init(time: 115, ratios: (12, 24), levels: (120, 0, 64), feedback: 72)
    case 7: self.init(time: 93, ratios: (12, 24), levels: (120, 0, 64), feedback: 63)
    case 8: self.init(time: 109, ratios: (12, 24), levels: (114, 0, 60), feedback: 60, reverb: 36)
    case 9: self.init(time: 110, ratios: (21, 31), levels: (127, 97, 67), feedback: 39)
    default: self.init(time: 97, feedback: 79)
    }
  }

  /// - Parameters:
  ///   - ratios: of the left and the right tap.
  ///   - levels: on the left, in the middle and on the right.
  @_noLocks
  private init(
    time: UInt8, ratios: (UInt8, UInt8) = (1, 1), levels: (UInt8, UInt8, UInt8) = (0, 127, 0), feedback: UInt8,
    reverb: UInt8 = 0
  ) {
    self.time = Self.time(time)
    self.feedback = Self.feedback(feedback)
    (leftRatio, rightRatio) = (Self.ratio(ratios.0), Self.ratio(ratios.1))
    (leftLevel, centreLevel, rightLevel) = (Self.level(levels.0), Self.level(levels.1), Self.level(levels.2))
    reverbShare = Self.level(reverb)
  }

  /// From a sound to its echo on the left, in seconds.
  public var leftTime: Float { @_noLocks get { Self.tapTime(time, ratio: leftRatio) } }

  /// From a sound to its echo on the right, in seconds.
  public var rightTime: Float { @_noLocks get { Self.tapTime(time, ratio: rightRatio) } }

  /// From a sound to its echo at a side, in seconds. [audio thread]
  @_noLocks
  public static func tapTime(_ time: Float, ratio: Float) -> Float { min(time * ratio, longestTap) }

  /// In seconds: 0.1 ms to 1 s in nine ranges, for 1 to 115, to which the value is clamped. [audio thread]
  @_noLocks
  public static func time(_ value: UInt8) -> Float {
    let value = Float(min(max(value, 1), 115))
    let milliseconds: Float =
      switch value {
      case ..<20: 0.1 * value
      case ..<35: 2 + 0.2 * (value - 20)
      case ..<45: 5 + 0.5 * (value - 35)
      case ..<55: 10 + value - 45
      case ..<70: 20 + 2 * (value - 55)
      case ..<80: 50 + 5 * (value - 70)
      case ..<90: 100 + 10 * (value - 80)
      case ..<105: 200 + 20 * (value - 90)
      default: 500 + 50 * (value - 105)
      }
    return milliseconds / 1000
  }

  /// 1/24 to 5, for 1 to 120, to which the value is clamped. [audio thread]
  @_noLocks
  public static func ratio(_ value: UInt8) -> Float { Float(min(max(value, 1), 120)) / 24 }

  /// 0 to 1, for 0 to 127. [audio thread]
  @_noLocks
  public static func level(_ value: UInt8) -> Float { Float(value & 0x7F) / 127 }

  /// −1 to 1, for 0 to 127; 64 is 0. [audio thread]
  @_noLocks
  public static func feedback(_ value: UInt8) -> Float { (Float(value & 0x7F) - 64) / 64 }
}
