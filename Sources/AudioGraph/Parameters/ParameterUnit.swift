import DSP

/// What a parameter's number means.
public enum ParameterUnit: Sendable {
  case decibels
  case hertz
  /// -1 is left, 0 the centre, 1 right.
  case pan
  /// 0 is off, anything else on.
  case toggle
  case seconds
  /// Which of several named things, counted from 0.
  case index([String])
  /// A share of an amplitude, 0 to 1.
  case ratio

  var suffix: String {
    switch self {
    case .decibels: " dB"
    case .hertz: " Hz"
    case .seconds: " s"
    case .pan, .toggle, .index, .ratio: ""
    }
  }

  /// The number a kernel calculates with.
  func renderValue(_ value: Float) -> Float {
    switch self {
    // Below this a 24-bit converter has nothing left to play.
    case .decibels: value <= -120 ? 0 : Float(Decibels(Double(value)).amplitude)
    case .toggle: value == 0 ? 0 : 1
    case .hertz, .pan, .seconds, .index, .ratio: value
    }
  }
}
