import SynthDSP

/// Reverb, chorus and delay, in this order; the fourth is not used.
typealias DrumSends = SIMD4<UInt8>

/// What a drum setup makes of a note that begins: what it adds to generators of SoundFonts, or puts in their place.
/// [audio thread]
package struct DrumNote: BitwiseCopyable {
  /// The generators of which `value` may differ from the zone's, a bit each: 8, 9, 17, 34, 36, 38, 48 and 52.
  package static var generators: UInt64 {
    @_noLocks get { 1 << 8 | 1 << 9 | 1 << 17 | 1 << 34 | 1 << 36 | 1 << 38 | 1 << 48 | 1 << 52 }
  }

  private static var cutoffStep: Float { @_noLocks get { 50 } }
  private static var resonanceStep: Float { @_noLocks get { 2 } }
  private static var timeStep: Float { @_noLocks get { 75 } }
  /// 100 s for 96 dB: the sample ends long before that.
  private static var endlessRelease: Float { @_noLocks get { 7973 } }

  /// Whether all is as the font has it.
  package let isPlain: Bool
  /// 1 to 127: notes of one group end each other on their channel. 0 for none; nil leaves it to the font.
  package let group: UInt8?
  /// Of what the channel sends to reverb, chorus and delay, 127 for all of it.
  let sends: DrumSends
  private let cents: Float
  /// In centibels.
  private let attenuation: Float
  /// Of 500 to the right; not a number where the font decides.
  private let pan: Float
  private let cutoff: Float
  private let resonance: Float
  private let attack: Float
  private let decay: Float
  private let outlastsKey: Bool

  /// A note that is as the font has it.
  @_noLocks
  init() { self.init(DrumKey(), strike: 0, isPlain: true) }

  /// - Parameter strike: a number that no other note has, from which a random pan is drawn.
  @_noLocks
  init(_ key: DrumKey, strike: UInt32) { self.init(key, strike: strike, isPlain: false) }

  @_noLocks
  private init(_ key: DrumKey, strike: UInt32, isPlain: Bool) {
    self.isPlain = isPlain
    group = key.group == DrumKey.unset ? nil : key.group
    sends = key.sends
    cents = 100 * key.semitones + key.cents
    // 20 · log₁₀ of the amplitude in decibels; 1440 cB are silence.
    attenuation = key.level > 0 ? -60.205_999 * logarithm2(key.level) : 1440
    switch key.pan {
    case DrumKey.unset: pan = .nan
    case DrumKey.randomPan: pan = Self.random(strike)
    default: pan = max(-500, (Float(key.pan) - 64) * (500 / 63))
    }
    cutoff = key.cutoff * Self.cutoffStep
    resonance = key.resonance * Self.resonanceStep
    attack = key.attack * Self.timeStep
    decay = key.decay * Self.timeStep
    outlastsKey = !key.receivesNoteOff
  }

  /// −500 to 500, the same for the same number. Source: the finalizer of MurmurHash3, A. Appleby.
  @_noLocks
  private static func random(_ number: UInt32) -> Float {
    var bits = number &* 0x9E37_79B9
    bits = (bits ^ bits >> 16) &* 0x85EB_CA6B
    bits = (bits ^ bits >> 13) &* 0xC2B2_AE35
    bits ^= bits >> 16
    return Float(Int32(truncatingIfNeeded: bits >> 8)) * (1000 / 16_777_215) - 500
  }

  /// The value of a generator, by its number.
  ///
  /// - Parameters:
  ///   - zone: the value of the zone.
  ///   - isLooped: whether the zone repeats its sample while the key is held: then it would never end by itself.
  @_noLocks
  package func value(of generator: Int, zone: Float, isLooped: Bool) -> Float {
    switch generator {
    case 8: zone + cutoff
    case 9: zone + resonance
    case 17: pan.isNaN ? zone : pan
    case 34: zone + attack
    case 36: zone + decay
    case 38: outlastsKey && !isLooped ? Self.endlessRelease : zone
    case 48: zone + attenuation
    case 52: zone + cents
    default: zone
    }
  }
}
