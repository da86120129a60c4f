import SynthDSP
import SynthText

/// What a parameter's number means.
public enum ParameterUnit: Sendable, Hashable {
  /// A level; -120 and below is silence. Kernels calculate with the amplitude.
  case decibels
  /// Of frequencies and rates.
  case hertz
  /// Of delays and durations.
  case seconds
  /// Of tempos.
  case beatsPerMinute
  /// A full turn is 360.
  case degrees
  /// Of places around a listener.
  case metres
  /// Of the node's own rate.
  case frames
  /// A factor: 1 changes nothing.
  case ratio
  /// Hundredths of a semitone. Kernels calculate with the ratio of frequencies: 2 at 1200.
  case cents
  /// Kernels calculate with the part: 0.5 at 50.
  case percent
  /// -1 is left, 0 the centre, 1 right.
  case pan
  /// 0 is off, anything else on.
  case toggle
  /// Which of several named things, counted from 0.
  case index([String])

  /// What follows a number in this unit; empty where the number says it all.
  public var symbol: String {
    switch self {
    case .decibels: "dB"
    case .hertz: "Hz"
    case .seconds: "s"
    case .beatsPerMinute: "bpm"
    case .degrees: "degrees"
    case .metres: "m"
    case .frames: "frames"
    case .cents: "cents"
    case .percent: "%"
    case .ratio, .pan, .toggle, .index: ""
    }
  }

  /// Whether values are names.
  var isIndex: Bool {
    if case .index = self { true } else { false }
  }

  /// A value as people read it: "−6 dB", "on", "sawtooth".
  public func text(_ value: Float) -> String {
    switch self {
    case .toggle: return value == 0 ? "off" : "on"
    case .index(let names):
      let index = Int(exactly: value.rounded()) ?? -1
      return names.indices.contains(index) ? names[index] : NumberFormatting.text(Double(value))
    default: return NumberFormatting.text(Double(value)) + (symbol.isEmpty ? "" : " \(symbol)")
    }
  }

  /// The value that stands for one in this unit: switches and indices are whole.
  func rounded(_ value: Float) -> Float {
    switch self {
    case .toggle: value == 0 ? 0 : 1
    case .index: value.rounded()
    default: value
    }
  }

  /// How a kernel's number becomes a value again.
  var scale: RenderScale {
    switch self {
    case .decibels: .decibels
    case .cents: .cents
    case .percent: .percent
    case .hertz, .seconds, .beatsPerMinute, .degrees, .metres, .frames, .ratio, .pan, .toggle, .index: .same
    }
  }

  /// The number a kernel calculates with.
  func renderValue(_ value: Float) -> Float {
    switch self {
    // Below this a 24-bit converter has nothing left to play.
    case .decibels: value <= -120 ? 0 : Float(Decibels(Double(value)).amplitude)
    // 1200 cents are an octave, as 20·log₁₀ 2 decibels are a factor of two.
    case .cents: Float(Decibels(Double(value) / 1200 * Decibels(amplitude: 2).value).amplitude)
    case .percent: value / 100
    case .hertz, .seconds, .beatsPerMinute, .degrees, .metres, .frames, .ratio, .pan, .toggle, .index: value
    }
  }
}

/// What a kernel calculates with in place of a value. [audio thread]
enum RenderScale: UInt8, BitwiseCopyable, Sendable {
  case same, decibels, cents, percent

  @_noLocks
  func value(of renderValue: Float) -> Float {
    switch self {
    case .same: renderValue
    case .decibels: renderValue <= 1e-6 ? -120 : 6.020_6 * logarithm2(renderValue)
    case .cents: 1200 * logarithm2(max(renderValue, .leastNormalMagnitude))
    case .percent: renderValue * 100
    }
  }
}
