/// The delays of GS that repeat in the middle, by the numbers of its delay macro. Source: SC-88Pro owner's manual,
/// "Delay Macro".
public enum DelayType: UInt8, CaseIterable, Sendable {
  /// In the order of their numbers, from 0.
  case delay1, delay2, delay3, delay4

  /// What people type: "delay-1".
  public var name: String {
    switch self {
    case .delay1: "delay-1"
    case .delay2: "delay-2"
    case .delay3: "delay-3"
    case .delay4: "delay-4"
    }
  }

  /// Its setting.
  public var setting: DelaySetting { DelaySetting(index: Int32(rawValue)) }
}

/// How a delay repeats, as the audio thread takes it.
public struct DelaySetting: BitwiseCopyable, Sendable {
  /// From a sound to its echo, in seconds.
  public let time: Float
  /// The share of an echo that comes again as the next.
  public let feedback: Float

  /// The setting at a place among `DelayType.allCases`. [audio thread]
  @_noLocks
  public init(index: Int32) {
    switch index {
    case 1: self.init(timeValue: 106, feedbackValue: 79)
    case 2: self.init(timeValue: 115, feedbackValue: 63)
    case 3: self.init(timeValue: 83, feedbackValue: 71)
    default: self.init(timeValue: 97, feedbackValue: 79)
    }
  }

  /// What the numbers of GS mean: times of 0.1 ms to 1 s in nine ranges, and feedbacks about 64. [audio thread]
  @_noLocks
  public init(timeValue: UInt8, feedbackValue: UInt8) {
    time = Self.time(timeValue)
    feedback = Self.feedback(feedbackValue)
  }

  /// In seconds, for 1 to 115, to which it is clamped. [audio thread]
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

  /// −1 to 1, for 0 to 127; 64 is 0. [audio thread]
  @_noLocks
  public static func feedback(_ value: UInt8) -> Float { (Float(value & 0x7F) - 64) / 64 }
}
