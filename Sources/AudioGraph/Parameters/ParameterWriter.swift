/// A parameter as the audio thread sets it, for one whose render value is the value itself or a part of it: a ratio, a
/// time, a choice, a percentage.
public struct ParameterWriter: @unchecked Sendable {
  private let cell: UnsafeMutablePointer<ParameterCell>
  private let range: ClosedRange<Float>
  /// The render value of 1.
  private let scale: Float

  init(cell: UnsafeMutablePointer<ParameterCell>, range: ClosedRange<Float>, unit: ParameterUnit) {
    self.cell = cell
    self.range = range
    if case .percent = unit { scale = 1 / 100 } else { scale = 1 }
  }

  /// What lies outside the range is clamped to it; what is not finite then is ignored. [audio thread]
  @_noLocks
  public func set(_ value: Float) {
    let clamped = min(max(value, range.lowerBound), range.upperBound)
    guard clamped.isFinite else { return }
    let renderValue = clamped * scale
    cell.pointee.store(ParameterWord(bits: UInt64(clamped.bitPattern) << 32 | UInt64(renderValue.bitPattern)))
  }
}
