import Synchronization

/// A real-time value of a node: named, ranged, with a unit; set by any thread, ramped by the kernel.
public final class Parameter: @unchecked Sendable, CustomStringConvertible {
  public let name: String
  public let unit: ParameterUnit
  public let range: ClosedRange<Float>
  public let defaultValue: Float
  private let cell: UnsafeMutablePointer<ParameterCell>

  public init(_ name: String, unit: ParameterUnit, range: ClosedRange<Float>, default defaultValue: Float) {
    self.name = name
    self.unit = unit
    self.range = range
    self.defaultValue = defaultValue
    cell = .allocate(capacity: 1)
    cell.initialize(to: ParameterCell(defaultValue, unit: unit))
  }

  deinit {
    cell.deinitialize(count: 1)
    cell.deallocate()
  }

  /// In the parameter's unit. What lies outside the range is clamped to it; NaN is ignored.
  public var value: Float {
    get { Float(bitPattern: cell.pointee.value.load(ordering: .relaxed)) }
    set {
      guard !newValue.isNaN else { return }
      cell.pointee.store(min(max(newValue, range.lowerBound), range.upperBound), unit: unit)
    }
  }

  /// The kernel's view of the value. It does not keep the parameter alive: let the kernel retain it.
  public var reader: ParameterReader { ParameterReader(cell: cell) }

  /// The audio thread's way to set the value. It does not keep the parameter alive: let the kernel retain it.
  public var writer: ParameterWriter { ParameterWriter(cell: cell, range: range) }

  public var description: String { "\(name) \(value)\(unit.suffix) (\(range.lowerBound)…\(range.upperBound))" }
}

/// A parameter as its kernel reads it. [audio thread]
public struct ParameterReader: @unchecked Sendable {
  @usableFromInline let cell: UnsafeMutablePointer<ParameterCell>

  /// The value as the kernel calculates with it: decibels have become an amplitude, a switch 0 or 1.
  public var renderValue: Float {
    @_noLocks @inlinable get { Float(bitPattern: cell.pointee.renderValue.load(ordering: .relaxed)) }
  }

  public var isOn: Bool {
    @_noLocks @inlinable get { renderValue != 0 }
  }
}

/// Both forms of a value. The conversion happens on the control side, since it needs `pow`.
@usableFromInline struct ParameterCell: ~Copyable {
  @usableFromInline let value: Atomic<UInt32>
  @usableFromInline let renderValue: Atomic<UInt32>

  init(_ value: Float, unit: ParameterUnit) {
    self.value = Atomic(value.bitPattern)
    renderValue = Atomic(unit.renderValue(value).bitPattern)
  }

  func store(_ newValue: Float, unit: ParameterUnit) {
    value.store(newValue.bitPattern, ordering: .relaxed)
    renderValue.store(unit.renderValue(newValue).bitPattern, ordering: .relaxed)
  }
}
