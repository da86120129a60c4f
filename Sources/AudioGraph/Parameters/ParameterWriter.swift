/// A parameter as the audio thread sets it, for one whose render value is the value itself: a ratio, a time, a choice.
public struct ParameterWriter: @unchecked Sendable {
  private let cell: UnsafeMutablePointer<ParameterCell>
  private let range: ClosedRange<Float>

  init(cell: UnsafeMutablePointer<ParameterCell>, range: ClosedRange<Float>) {
    self.cell = cell
    self.range = range
  }

  /// What lies outside the range is clamped to it; what is not finite then is ignored. [audio thread]
  @_noLocks
  public func set(_ value: Float) {
    let clamped = min(max(value, range.lowerBound), range.upperBound)
    guard clamped.isFinite else { return }
    cell.pointee.store(ParameterWord(bits: UInt64(clamped.bitPattern) << 32 | UInt64(clamped.bitPattern)))
  }
}
