import AudioGraph
import Glibc

/// A parameter or a command, and what turns or calls it.
public struct LearnedControl: Sendable, Equatable {
  /// What is turned or called.
  public enum Target: Sendable, Hashable {
    /// A parameter of a node, by their names.
    case parameter(node: String, name: String)
    /// As it would be typed.
    case command(String)

    /// As it is written behind "unlearn".
    var text: String {
      switch self {
      case .parameter(let node, let name): "\(CommandWords.quoted(node)) \(CommandWords.quoted(name))"
      case .command(let line): line
      }
    }
  }

  /// What the control turns or calls.
  public var target: Target
  /// The control.
  public var trigger: LearnedTrigger
  /// Where the control's two ends lead, in the parameter's unit; nil for what suits the unit.
  public var ends: [Float]?
  /// Whether each press changes what it is, on to off or the reverse.
  public var isToggle = false
  /// Whether instruments get it too.
  public var isPassedOn = false
  /// Who asked for a command to be learned: it is performed with that asker's rights. All may set parameters.
  public var asker = Asker.page

  init(_ target: Target, _ trigger: LearnedTrigger) { (self.target, self.trigger) = (target, trigger) }
}

/// From the positions of a control, 0 to 1, to the values of a parameter, and back.
struct ControlRange: Sendable {
  private enum Course {
    case linear, logarithmic
    /// As MIDI's volume controller: 40·log₁₀ of the position. (General MIDI 2, section 3.3.5)
    case fader
  }

  private let course: Course
  private let low: Float
  private let high: Float
  private let silence: Float

  /// - Parameter ends: nil for what suits the unit: levels up to 6 dB, frequencies by octaves, else the whole range.
  init(of parameter: Parameter, ends: [Float]?) {
    let range = parameter.range
    silence = range.lowerBound
    if let ends, ends.count == 2 {
      (course, low, high) = (.linear, ends[0], ends[1])
    } else if case .decibels = parameter.unit {
      (course, low, high) = (.fader, range.lowerBound, min(6, range.upperBound))
    } else if case .hertz = parameter.unit, range.lowerBound > 0 {
      (course, low, high) = (.logarithmic, range.lowerBound, range.upperBound)
    } else {
      (course, low, high) = (.linear, range.lowerBound, range.upperBound)
    }
  }

  func value(at position: Float) -> Float {
    switch course {
    case .linear: low + (high - low) * position
    case .logarithmic: low * pow(high / low, position)
    case .fader: position <= 0 ? silence : max(silence, high + 40 * log10(position))
    }
  }

  func position(of value: Float) -> Float {
    switch course {
    case .linear: high == low ? 0 : (value - low) / (high - low)
    case .logarithmic: log(value / low) / log(high / low)
    case .fader: value <= silence ? 0 : pow(10, (value - high) / 40)
    }
  }
}

/// Keeps a value from jumping to where a control happens to stand: the control turns it once it has come near the value
/// or has passed it, until something else sets the value.
struct Pickup: Sendable {
  /// Three steps of 127, which a quick turn leaves out.
  private static let band: Float = 3 / 127

  private var last: Float
  /// What the control has set.
  var written: Float?

  /// - Parameter position: where the control stands; NaN where it is not known.
  init(at position: Float = .nan) { last = position }

  /// Whether a control that is moved to a position may set the value.
  mutating func reaches(_ position: Float, _ value: Float, at present: Float) -> Bool {
    defer { last = position }
    if written == value { return true }
    return (last - present) * (position - present) <= 0 || abs(position - present) <= Self.band
  }
}
