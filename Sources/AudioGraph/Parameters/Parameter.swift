import Synchronization

/// A real-time value of a node: named, ranged, with a unit; set by any thread, ramped by the kernel.
///
/// Set at once through `value`, at a sample time through `AudioEngine.schedule`. Changes can be observed.
public final class Parameter: @unchecked Sendable, CustomStringConvertible {
  public let name: String
  public let unit: ParameterUnit
  public let range: ClosedRange<Float>
  public let defaultValue: Float
  let cell: UnsafeMutablePointer<ParameterCell>

  public init(_ name: String, unit: ParameterUnit, range: ClosedRange<Float>, default defaultValue: Float) {
    self.name = name
    self.unit = unit
    self.range = range
    self.defaultValue = defaultValue
    cell = .allocate(capacity: 1)
    cell.initialize(to: ParameterCell(ParameterWord(defaultValue, unit: unit)))
  }

  /// One of several named values, which are numbered from 0; the default is the first.
  public convenience init(_ name: String, values: [String]) {
    let last = Float(Int32(clamping: max(0, values.count - 1)))
    self.init(name, unit: .index(values), range: 0...last, default: 0)
  }

  deinit {
    cell.deinitialize(count: 1)
    cell.deallocate()
  }

  /// In the parameter's unit. What lies outside the range is clamped to it; NaN is ignored. [any thread]
  public var value: Float {
    get { cell.pointee.load().value }
    set { if let word = word(for: newValue) { cell.pointee.store(word) } }
  }

  /// Whether it has its default value.
  public var isDefault: Bool { value == defaultValue }

  /// The kernel's view of the value. It does not keep the parameter alive: let the kernel retain it.
  public var reader: ParameterReader { ParameterReader(cell: cell) }

  /// The audio thread's way to set the value. It does not keep the parameter alive: let the kernel retain it.
  public var writer: ParameterWriter { ParameterWriter(cell: cell, range: range) }

  /// Calls `tell` with the new value after each change, from any source. [any thread]
  ///
  /// - Returns: the observation, which ends when it is released. See `Observation` for thread and rate.
  public func observe(_ tell: @escaping @Sendable (Float) -> Void) -> Observation {
    Observation(of: { [self] in value }, tell: tell)
  }

  public var description: String {
    switch unit {
    case .toggle, .index: "\(name) \(unit.text(value))"
    default: "\(name) \(unit.text(value)) (\(unit.text(range.lowerBound)) … \(unit.text(range.upperBound)))"
    }
  }

  /// Both forms of a value brought into the range; nil for what is no number.
  func word(for value: Float) -> ParameterWord? {
    guard !value.isNaN else { return nil }
    return ParameterWord(unit.rounded(min(max(value, range.lowerBound), range.upperBound)), unit: unit)
  }
}

/// A parameter as its kernel reads it. [audio thread]
public struct ParameterReader: @unchecked Sendable {
  @usableFromInline let cell: UnsafeMutablePointer<ParameterCell>

  /// The value as the kernel calculates with it: decibels have become an amplitude, a switch 0 or 1.
  public var renderValue: Float {
    @_noLocks @inlinable get {
      Float(bitPattern: UInt32(truncatingIfNeeded: cell.pointee.bits.load(ordering: .relaxed)))
    }
  }

  public var isOn: Bool {
    @_noLocks @inlinable get { renderValue != 0 }
  }
}
