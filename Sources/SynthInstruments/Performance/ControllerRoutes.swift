/// What controllers of a part move beside what they always do: pitch, filter, level, and how deep the LFOs swing.
/// [audio thread]
///
/// Source: SC-88Pro owner's manual, 40 2x xx; XG specification 1.26, 08 nn 1D to 66; MMA CA-022.
struct ControllerRoutes: BitwiseCopyable {
  /// In the order of GS.
  enum Source: UInt8, BitwiseCopyable, Sendable {
    case modulation, bend, channelPressure, keyPressure
    /// Two controllers that are chosen: CC1 and CC2 of GS, AC1 and AC2 of XG.
    case first, second

    /// The source of a place in this order; nil beyond it.
    @_noLocks
    init?(place: UInt8) {
      switch place {
      case 0: self = .modulation
      case 1: self = .bend
      case 2: self = .channelPressure
      case 3: self = .keyPressure
      case 4: self = .first
      case 5: self = .second
      default: return nil
      }
    }
  }

  /// In the order of XG and General MIDI 2.
  enum Target: UInt8, BitwiseCopyable, Sendable {
    case pitch, cutoff, amplitude, vibrato, filterSwing, tremolo

    /// The target of a place in this order; nil beyond it.
    @_noLocks
    init?(place: UInt8) {
      switch place {
      case 0: self = .pitch
      case 1: self = .cutoff
      case 2: self = .amplitude
      case 3: self = .vibrato
      case 4: self = .filterSwing
      case 5: self = .tremolo
      default: return nil
      }
    }

    /// The amount of a value, 0 to 127: semitones, cents, a part of the amplitude, or the LFO's cents, cents and part.
    @_noLocks
    func amount(_ value: UInt8) -> Float {
      let number = Float(Int32(value))
      switch self {
      case .pitch: return min(max(number - 64, -24), 24)
      case .cutoff: return (number - 64) * 150
      case .amplitude: return (number - 64) / 64
      case .vibrato: return number * 600 / 127
      case .filterSwing: return number * 2400 / 127
      case .tremolo: return number / 127
      }
    }
  }

  private var amounts = InlineArray<36, Float>(repeating: 0)
  /// The numbers of the two controllers, 16 and 17 at first.
  private(set) var firstController: UInt8 = 16
  private(set) var secondController: UInt8 = 17
  /// Whether any source moves anything.
  private(set) var isActive = false
  /// Whether channel pressure has a vibrato of its own in place of the 50 cents of SoundFonts.
  private(set) var replacesPressureVibrato = false

  @_noLocks
  init() {}

  @_noLocks
  mutating func set(_ source: Source, _ target: Target, to amount: Float) {
    amounts[Int(source.rawValue) &* 6 &+ Int(target.rawValue)] = amount
    isActive = true
    switch (source, target) {
    case (.channelPressure, .vibrato): replacesPressureVibrato = true
    default: break
    }
  }

  @_noLocks
  mutating func assign(_ source: Source, to controller: UInt8) {
    switch source {
    case .first: firstController = controller & 127
    case .second: secondController = controller & 127
    default: break
    }
  }

  /// What all sources together move the targets by.
  ///
  /// - Parameter sources: in order, 0 to 1; the wheel −1 to 1.
  @_noLocks
  func offsets(_ sources: SIMD8<Float>) -> PartOffsets {
    var sums = SIMD8<Float>(repeating: 0)
    for source in 0..<6 {
      for target in 0..<6 { sums[target] += sources[source] * amounts[source &* 6 &+ target] }
    }
    var offsets = PartOffsets()
    offsets.pitch = sums[0]
    offsets.cutoff = sums[1]
    offsets.amplitude = max(1 + sums[2], 0)
    offsets.vibrato = sums[3]
    offsets.filterSwing = sums[4]
    offsets.tremolo = min(sums[5], 1)
    if replacesPressureVibrato { offsets.soundFontVibrato = -50 * sources[2] }
    return offsets
  }
}

/// What the controllers of a part move at present.
struct PartOffsets: BitwiseCopyable {
  /// In semitones.
  var pitch: Float = 0
  /// In cents.
  var cutoff: Float = 0
  /// A factor.
  var amplitude: Float = 1
  /// Of the vibrato, in cents.
  var vibrato: Float = 0
  /// What the vibrato of SoundFonts has too much, in cents.
  var soundFontVibrato: Float = 0
  /// By which the LFO moves the cutoff, in cents.
  var filterSwing: Float = 0
  /// The part of the amplitude by which the LFO moves it, 0 to 1.
  var tremolo: Float = 0

  @_noLocks
  init() {}
}
