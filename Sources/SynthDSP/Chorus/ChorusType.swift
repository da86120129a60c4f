/// The choruses of General MIDI 2, by the numbers of its Global Parameter Control.
public enum ChorusType: UInt8, CaseIterable, Sendable {
  /// In the order of their numbers, from 0.
  case chorus1, chorus2, chorus3, chorus4, feedbackChorus, flanger

  /// What people type: "chorus-3".
  public var name: String {
    switch self {
    case .chorus1: "chorus-1"
    case .chorus2: "chorus-2"
    case .chorus3: "chorus-3"
    case .chorus4: "chorus-4"
    case .feedbackChorus: "feedback-chorus"
    case .flanger: "flanger"
    }
  }

  /// Its setting, as General MIDI 2 has it.
  public var setting: ChorusSetting { ChorusSetting(index: Int32(rawValue)) }
}

/// How a chorus moves, as the audio thread takes it.
public struct ChorusSetting: BitwiseCopyable, Sendable {
  /// How often it goes up and down, in hertz.
  public var rate: Float
  /// How far the delay swings from one end to the other, in milliseconds.
  public var depth: Float
  /// The share of the output that goes in again, 0 to 0.97.
  public var feedback: Float

  /// The setting at a place among `ChorusType.allCases`. [audio thread]
  ///
  /// The numbers are General MIDI 2's, 0 to 127 each.
  @_noLocks
  public init(index: Int32) {
    switch index {
    case 0: self.init(rateValue: 3, depthValue: 5, feedbackValue: 0)
    case 1: self.init(rateValue: 9, depthValue: 19, feedbackValue: 5)
    case 3: self.init(rateValue: 9, depthValue: 16, feedbackValue: 16)
    case 4: self.init(rateValue: 2, depthValue: 24, feedbackValue: 64)
    case 5: self.init(rateValue: 1, depthValue: 5, feedbackValue: 112)
    default: self.init(rateValue: 3, depthValue: 19, feedbackValue: 8)
    }
  }

  /// What the numbers of General MIDI 2 mean: steps of 0.122 Hz, of 0.3125 ms from there on, and of 0.763 %.
  @_noLocks
  public init(rateValue: Float, depthValue: Float, feedbackValue: Float) {
    self.init(rate: rateValue * 0.122, depth: (depthValue + 1) / 3.2, feedback: feedbackValue * 0.00763)
  }

  /// What lies outside the ranges is clamped to them; rates reach to 16 Hz, depths to 40 ms.
  @_noLocks
  public init(rate: Float, depth: Float, feedback: Float) {
    self.rate = rate > 0 ? min(rate, 16) : 0
    self.depth = depth > 0 ? min(depth, 40) : 0
    self.feedback = feedback > 0 ? min(feedback, 0.97) : 0
  }
}
