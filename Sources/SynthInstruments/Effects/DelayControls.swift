import AudioGraph
import SynthDSP

/// Times, levels and feedback of the delay, as GS and XG set them. [audio thread]
///
/// Sources: SC-88Pro owner's manual, 40 01 50 to 5A; XG Specifications 1.26, effect parameter list.
struct DelayControls {
  /// XG's types, by the first byte of their numbers.
  private enum XGType: UInt8 {
    /// Left, right, middle.
    case threeTaps = 5
    /// Left, right.
    case twoTaps, echo, cross
  }

  private let timeWriter: ParameterWriter
  private let leftTime: ParameterWriter
  private let rightTime: ParameterWriter
  private let centreLevel: ParameterWriter
  private let leftLevel: ParameterWriter
  private let rightLevel: ParameterWriter
  private let feedback: ParameterWriter
  /// In seconds.
  private var time: Float = 0
  private var leftRatio: Float = 1
  private var rightRatio: Float = 1
  private var xgType = XGType.threeTaps

  init(_ node: TapDelayNode) {
    timeWriter = node.time.writer
    (leftTime, rightTime) = (node.leftTime.writer, node.rightTime.writer)
    centreLevel = node.centreLevel.writer
    (leftLevel, rightLevel) = (node.leftLevel.writer, node.rightLevel.writer)
    feedback = node.feedback.writer
  }

  @_noLocks
  mutating func set(_ setting: DelaySetting) {
    (time, leftRatio, rightRatio) = (setting.time, setting.leftRatio, setting.rightRatio)
    setTimes()
    setLevels(setting.leftLevel, setting.centreLevel, setting.rightLevel)
    feedback.set(100 * setting.feedback)
  }

  // MARK: - GS

  /// 40 01 52 to 57 and 59.
  @_noLocks
  mutating func receiveGS(_ address: UInt32, _ value: UInt8) {
    switch address {
    case 0x52: time = DelaySetting.time(value)
    case 0x53: leftRatio = DelaySetting.ratio(value)
    case 0x54: rightRatio = DelaySetting.ratio(value)
    case 0x55: centreLevel.set(DelaySetting.level(value))
    case 0x56: leftLevel.set(DelaySetting.level(value))
    case 0x57: rightLevel.set(DelaySetting.level(value))
    default: feedback.set(100 * DelaySetting.feedback(value))
    }
    if (0x52...0x54).contains(address) { setTimes() }
  }

  /// The times of the taps are multiples of the time in the middle.
  @_noLocks
  private func setTimes() {
    timeWriter.set(time)
    leftTime.set(DelaySetting.tapTime(time, ratio: leftRatio))
    rightTime.set(DelaySetting.tapTime(time, ratio: rightRatio))
  }

  @_noLocks
  private func setLevels(_ left: Float, _ centre: Float, _ right: Float) {
    leftLevel.set(left)
    centreLevel.set(centre)
    rightLevel.set(right)
  }

  // MARK: - XG

  /// Takes the times, levels and feedback that a type has at first.
  ///
  /// - Returns: false for a type that is not a delay; it sets nothing.
  @_noLocks
  mutating func setXGType(_ number: UInt8) -> Bool {
    guard let type = XGType(rawValue: number) else { return false }
    xgType = type
    switch type {
    case .threeTaps: setXG(0.5, left: 0.333_3, right: 0.166_7, levels: (1, DelaySetting.level(100), 1), feedback: 74)
    case .twoTaps: setXG(0.375_2, left: 0.25, right: 0.375, levels: (1, 0, 1), feedback: 87)
    case .echo: setXG(0.17, levels: (0, 1, 0), feedback: 80)
    case .cross: setXG(0.17, levels: (0, 1, 0), feedback: 111)
    }
    return true
  }

  @_noLocks
  private func setXG(
    _ time: Float, left: Float = 0, right: Float = 0, levels: (Float, Float, Float), feedback value: UInt8
  ) {
    timeWriter.set(time)
    leftTime.set(left)
    rightTime.set(right)
    setLevels(levels.0, levels.1, levels.2)
    feedback.set(100 * DelaySetting.feedback(value))
  }

  /// 02 01 42 to 4D, two bytes each: times in 0.1 ms; feedbacks and levels by the second byte.
  ///
  /// Echoes come again after the middle's time: the times of feedback are left out, as are crossing sides.
  ///
  /// - Returns: false for what is left out; the second bytes count with the first.
  @_noLocks
  func receiveXG(_ address: UInt32, _ high: UInt8, _ low: UInt8) -> Bool {
    let seconds = Float(Int32(high) << 7 | Int32(low)) / 10_000
    switch (xgType, address) {
    case (.threeTaps, 0x42), (.twoTaps, 0x42): leftTime.set(seconds)
    case (.threeTaps, 0x44), (.twoTaps, 0x44): rightTime.set(seconds)
    case (.threeTaps, 0x46), (.twoTaps, 0x46), (.echo, 0x42), (.cross, 0x42): timeWriter.set(seconds)
    case (.threeTaps, 0x4C): centreLevel.set(DelaySetting.level(low))
    case (.threeTaps, 0x4A), (.twoTaps, 0x4A), (.echo, 0x44), (.cross, 0x46):
      feedback.set(100 * DelaySetting.feedback(low))
    default: return address & 1 == 1
    }
    return true
  }
}
