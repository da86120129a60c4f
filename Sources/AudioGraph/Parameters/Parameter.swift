import Synchronization

/// A real-time value of a node: named, ranged, with a unit; set by any thread, ramped by the kernel.
///
/// Set at once through `value`, at a frame through `AudioEngine.schedule`. Changes can be observed.
public final class Parameter: @unchecked Sendable, CustomStringConvertible {
  /// Of all names of the node no other is the same: "input 3 gain".
  public let name: String
  /// What it is about.
  public let element: NodeElement
  /// Its name among those of the same element: "gain".
  public let shortName: String
  /// What its number means.
  public let unit: ParameterUnit
  /// Values outside become the nearest within. In `unit`.
  public let range: ClosedRange<Float>
  /// What it is until it is set. In `unit`.
  public let defaultValue: Float
  /// How exactly a scheduled change is followed.
  public let precision: ParameterPrecision
  let cell: UnsafeMutablePointer<ParameterCell>

  /// - Parameters:
  ///   - defaultValue: clamped to the range; what is not finite then is the range's lower bound, or 0.
  ///   - precision: `frame` if the kernel follows the parameter's `course`, and does not read its value alone.
  ///   - rampDuration: in seconds, 0 to 3600.
  ///   - element: what it is about.
  ///   - shortName: its name among those of the same element; nil is `name`.
  public init(
    _ name: String, unit: ParameterUnit, range: ClosedRange<Float>, default defaultValue: Float,
    precision: ParameterPrecision = .quantum, rampDuration: Double = 0, of element: NodeElement = .global,
    shortName: String? = nil
  ) {
    self.name = name
    self.element = element
    self.shortName = shortName ?? name
    self.unit = unit
    self.range = range
    let defaultValue =
      Self.held(defaultValue, in: range) ?? Self.held(range.lowerBound, in: range) ?? 0
    self.defaultValue = defaultValue
    self.precision = precision
    cell = .allocate(capacity: 1)
    let duration = min(max(0, rampDuration), 3600)  // in this order what is not a number becomes 0
    cell.initialize(to: ParameterCell(ParameterWord(defaultValue, unit: unit), rampDuration: duration))
  }

  /// One of several named values, which are numbered from 0; the default is the first.
  public convenience init(
    _ name: String, values: [String], precision: ParameterPrecision = .quantum, of element: NodeElement = .global,
    shortName: String? = nil
  ) {
    let last = Float(Int32(clamping: max(0, values.count - 1)))
    self.init(
      name, unit: .index(values), range: 0...last, default: 0, precision: precision, of: element, shortName: shortName)
  }

  /// A level, or what else a kernel draws frame by frame, over 20 ms unless a scheduled change says otherwise.
  convenience init(
    ramped name: String, unit: ParameterUnit, range: ClosedRange<Float>, default defaultValue: Float,
    of element: NodeElement = .global, shortName: String? = nil
  ) {
    self.init(
      name, unit: unit, range: range, default: defaultValue, precision: .frame, rampDuration: levelRampDuration,
      of: element, shortName: shortName)
  }

  deinit {
    cell.deinitialize(count: 1)
    cell.deallocate()
  }

  /// In the parameter's unit. What lies outside the range is clamped to it; NaN is ignored, and infinity where the
  /// range is endless. [any thread]
  public var value: Float {
    get { cell.pointee.load().value }
    set { if let word = word(for: newValue) { cell.pointee.store(word) } }
  }

  /// How long a scheduled change takes that does not say it, in seconds: as long as one that is set at once.
  /// [any thread]
  public internal(set) var rampDuration: Double {
    get { cell.pointee.rampDurationInSeconds }
    set { cell.pointee.rampDuration.store(newValue.bitPattern, ordering: .relaxed) }
  }

  /// Whether it has its default value.
  public var isDefault: Bool { value == defaultValue }

  /// The kernel's view of the value. It does not keep the parameter alive: let the kernel retain it.
  public var reader: ParameterReader { ParameterReader(cell: cell) }

  /// The audio thread's way to set the value. It does not keep the parameter alive: let the kernel retain it.
  public var writer: ParameterWriter { ParameterWriter(cell: cell, range: range, unit: unit) }

  /// Calls `tell` with the new value after each change, from any source. [any thread]
  ///
  /// - Returns: the observation, which ends when it is released. See `ValueObservation` for thread and rate.
  public func observe(_ tell: @escaping @Sendable (Float) -> Void) -> ValueObservation {
    ValueObservation(of: { [self] in value }, tell: tell)
  }

  public var description: String {
    switch unit {
    case .toggle, .index: "\(name) \(unit.text(value))"
    default: "\(name) \(unit.text(value)) (\(unit.text(range.lowerBound)) … \(unit.text(range.upperBound)))"
    }
  }

  /// Whether a ramp has anything to go through: half a switch is heard only where the kernel makes a gain of it.
  var hasValuesBetween: Bool {
    switch unit {
    case .index: false
    case .toggle: precision == .frame
    default: true
    }
  }

  /// Both forms of a value brought into the range; nil for one that is not finite then.
  func word(for value: Float) -> ParameterWord? {
    Self.held(value, in: range).map { ParameterWord(unit.rounded($0), unit: unit) }
  }

  private static func held(_ value: Float, in range: ClosedRange<Float>) -> Float? {
    let held = min(max(value, range.lowerBound), range.upperBound)
    return held.isFinite ? held : nil
  }
}

/// When a scheduled change takes effect.
public enum ParameterPrecision: Sendable, Hashable {
  /// At the frame, and frame by frame from there: levels, pans, switches of sound, frequencies.
  case frame
  /// With the quantum that holds the frame, and quantum by quantum from there: what an effect takes over once in 64
  /// frames. The effect's own smoothing then keeps it from clicking.
  case quantum
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

  /// Of a toggle: whether it is not 0. [audio thread]
  public var isOn: Bool {
    @_noLocks @inlinable get { renderValue != 0 }
  }

  /// In seconds.
  var rampDuration: Double {
    @_noLocks get { cell.pointee.rampDurationInSeconds }
  }
}
