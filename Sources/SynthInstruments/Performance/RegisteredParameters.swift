import SynthMIDI

/// The registered parameters of a channel, and which one data entry is for. Values have 14 bits.
///
/// Known are bend range (0), fine tuning (1), coarse tuning (2), tuning program (3) and bank (4) and modulation depth
/// range (5); `Performance` receives the MPE configuration (6). Every other parameter, registered or assignable, can be
/// selected and is ignored.
struct RegisteredParameters: BitwiseCopyable {
  private static var none: UInt16 { 0x3FFF }
  static var configuration: UInt16 {
    @_noLocks get { 6 }
  }

  /// Semitones and cents, seven bits each.
  private var bendRangeValue: UInt16 = 2 << 7
  private var fineValue: UInt16 = 0x2000
  private var coarseValue: UInt16 = 0x2000
  private var tuningProgram: UInt16 = 0
  private var tuningBank: UInt16 = 0
  /// Semitones and 128ths of them.
  private var modulationValue: UInt16 = 0x40
  private var hasModulationRange = false
  /// The registered parameter that was selected last.
  private(set) var selected = none
  /// The assignable parameter that was selected last.
  private var assignable = none
  /// Whether no assignable one was selected after it.
  private(set) var isRegistered = true

  @_noLocks
  init() {}

  /// In semitones.
  var wholeBendRange: Int32 {
    @_noLocks get { Int32(bendRangeValue >> 7) }
  }

  /// In semitones.
  var bendRange: Float {
    @_noLocks get { number(bendRangeValue >> 7) + number(bendRangeValue & 0x7F) / 100 }
  }

  /// Fine and coarse together, in semitones.
  var tuning: Float {
    @_noLocks get { number(fineValue) / 8192 + number(coarseValue >> 7) - 65 }
  }

  /// Bank × 128 + program.
  var tuningAddress: UInt16 {
    @_noLocks get { tuningBank &<< 7 | tuningProgram }
  }

  /// What the modulation wheel bends by, in semitones; nil until it is set.
  var modulationRange: Float? {
    @_noLocks get { hasModulationRange ? number(modulationValue) / 128 : nil }
  }

  @_noLocks
  mutating func setBendRange(semitones: UInt16) { bendRangeValue = semitones << 7 }

  @_noLocks
  mutating func copyBendRange(from other: RegisteredParameters) { bendRangeValue = other.bendRangeValue }

  @_noLocks
  mutating func copyTuning(from other: RegisteredParameters) {
    tuningProgram = other.tuningProgram
    tuningBank = other.tuningBank
  }

  @_noLocks
  mutating func deselect() {
    selected = Self.none
    assignable = Self.none
  }

  /// Follows a controller that selects a parameter or enters data; false for any other.
  @_noLocks
  mutating func follow(_ controller: Controller, _ value: UInt16) -> Bool {
    switch controller {
    case .registeredParameter: select(selected & 0x7F | value << 7)
    case .registeredParameterLSB: select(selected & 0x3F80 | value)
    case .assignableParameter: selectAssignable(assignable & 0x7F | value << 7)
    case .assignableParameterLSB: selectAssignable(assignable & 0x3F80 | value)
    case .dataEntry: if isRegistered { set(selected, to: value << 7) }
    case .dataEntryLSB: if isRegistered { set(selected, to: self.value(selected) & 0x3F80 | value) }
    case .dataIncrement: step(up: true)
    case .dataDecrement: step(up: false)
    default: return false
    }
    return true
  }

  /// Sets a parameter by its number; false for one that is not known.
  @_noLocks
  @discardableResult
  mutating func set(_ parameter: UInt16, to value: UInt16) -> Bool {
    switch parameter {
    case 0: bendRangeValue = value
    case 1: fineValue = value
    case 2: coarseValue = value
    case 3: tuningProgram = value >> 7
    case 4: tuningBank = value >> 7
    case 5:
      modulationValue = value
      hasModulationRange = true
    default: return false
    }
    return true
  }

  /// Whether data entry is for the tuning program or bank now.
  var selectsTuning: Bool {
    @_noLocks get { isRegistered && Self.isTuning(selected) }
  }

  @_noLocks
  static func isTuning(_ parameter: UInt16) -> Bool { parameter == 3 || parameter == 4 }

  /// Whether data entry is for the MPE configuration now.
  var configures: Bool {
    @_noLocks get { isRegistered && selected == Self.configuration }
  }

  @_noLocks
  private mutating func select(_ parameter: UInt16) {
    selected = parameter
    isRegistered = true
  }

  @_noLocks
  private mutating func selectAssignable(_ parameter: UInt16) {
    assignable = parameter
    isRegistered = false
  }

  /// The assignable parameter that data entry is for now; nil where it is for a registered one.
  var selectedAssignable: UInt16? {
    @_noLocks get { isRegistered ? nil : assignable }
  }

  @_noLocks
  private func value(_ parameter: UInt16) -> UInt16 {
    switch parameter {
    case 0: bendRangeValue
    case 1: fineValue
    case 2: coarseValue
    case 3: tuningProgram << 7
    case 4: tuningBank << 7
    case 5: modulationValue
    default: 0
    }
  }

  /// By a cent of bend range, the finest step of fine tuning or modulation depth, else by one. Source: RP-018.
  @_noLocks
  private mutating func step(up: Bool) {
    guard isRegistered else { return }
    switch selected {
    case 0:
      let cents = (bendRangeValue >> 7) &* 100 &+ (bendRangeValue & 0x7F)
      let stepped = up ? min(cents &+ 1, 12700) : max(cents, 1) &- 1
      bendRangeValue = (stepped / 100) << 7 | stepped % 100
    case 1: fineValue = up ? min(fineValue &+ 1, 0x3FFF) : max(fineValue, 1) &- 1
    case 2: coarseValue = up ? min(coarseValue &+ 128, 0x3F80) : max(coarseValue, 128) &- 128
    case 3: tuningProgram = up ? min(tuningProgram &+ 1, 127) : max(tuningProgram, 1) &- 1
    case 4: tuningBank = up ? min(tuningBank &+ 1, 127) : max(tuningBank, 1) &- 1
    case 5: set(5, to: up ? min(modulationValue &+ 1, 0x3FFF) : max(modulationValue, 1) &- 1)
    default: break
    }
  }

  @_noLocks
  private func number(_ value: UInt16) -> Float { Float(Int32(value)) }
}
