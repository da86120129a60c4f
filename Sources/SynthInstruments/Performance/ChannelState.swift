import SynthMIDI

/// What a channel was told. Values without a unit go from 0 to 1.
public struct ChannelState: BitwiseCopyable, Sendable {
  /// Controller 7.
  public internal(set) var volume: Float = 100 / 127
  /// Controller 11.
  public internal(set) var expression: Float = 1
  /// 0 left, 1 right.
  public internal(set) var pan: Float = 0.5
  /// Controller 1.
  public internal(set) var modulation: Float = 0
  /// Channel pressure.
  public internal(set) var pressure: Float = 0
  /// −1 to 1.
  public internal(set) var bend: Float = 0
  /// The sound controllers, −1 to 1 about their middle.
  public internal(set) var brightness: Float = 0
  /// Controller 71.
  public internal(set) var resonance: Float = 0
  /// Controller 73.
  public internal(set) var attack: Float = 0
  /// Controller 75.
  public internal(set) var decay: Float = 0
  /// Controller 72.
  public internal(set) var release: Float = 0
  /// Controller 76.
  public internal(set) var vibratoRate: Float = 0
  /// Controller 77.
  public internal(set) var vibratoDepth: Float = 0
  /// Controller 78.
  public internal(set) var vibratoDelay: Float = 0

  /// Whether the sustain pedal, controller 64, is down.
  public internal(set) var isSustaining = false
  /// Whether the sostenuto pedal, controller 66, is down.
  public internal(set) var isSostenuto = false
  /// Whether the soft pedal, controller 67, is down.
  public internal(set) var isSoft = false
  /// Whether notes are tied, by controller 68.
  public internal(set) var isLegato = false
  /// Whether one note at a time sounds, by controllers 126 and 127.
  public internal(set) var isMono = false
  /// Whether notes glide from the one before, by controller 65.
  public internal(set) var isGliding = false
  /// Controller 5. `Performance.glideTime` has what it means.
  public internal(set) var glideTime: Float = 0
  /// Whether controller 37 was sent, so that both are one number.
  var hasFineGlideTime = false
  /// The key that was struck last; `noKey` for none.
  public internal(set) var lastKey = noKey
  /// The key the next note glides from, by Portamento Control; `noKey` for none.
  public internal(set) var glideSource = noKey

  /// The bank, 0 to 16383, and the program that were asked for.
  public internal(set) var bank: UInt16 = 0
  /// 0 to 127.
  public internal(set) var program: UInt8 = 0
  var parameters = RegisteredParameters()
  /// What the last program change chose.
  var preset = PresetRequest(isDrum: false, bank: 0, program: 0)

  @_noLocks
  init() {}

  /// Stands for no key.
  public static var noKey: UInt8 {
    @_noLocks get { 255 }
  }

  /// Follows a controller that only sets a value; false for any other.
  @_noLocks
  mutating func follow(_ controller: Controller, _ value32: UInt32) -> Bool {
    switch controller {
    case .volume: volume = unit(value32)
    case .expression: expression = unit(value32)
    case .pan: pan = unit(value32)
    case .modulation: modulation = unit(value32)
    case .brightness: brightness = signed(value32)
    case .resonance: resonance = signed(value32)
    case .attackTime: attack = signed(value32)
    case .decayTime: decay = signed(value32)
    case .releaseTime: release = signed(value32)
    case .vibratoRate: vibratoRate = signed(value32)
    case .vibratoDepth: vibratoDepth = signed(value32)
    case .vibratoDelay: vibratoDelay = signed(value32)
    case .portamentoControl: glideSource = UInt8(truncatingIfNeeded: value32 >> 25)
    case .portamentoTime: glideTime = unit(value32)
    case .portamentoTimeLSB: hasFineGlideTime = true
    case .portamento: isGliding = isOn(value32)
    case .legato: isLegato = isOn(value32)
    case .soft: isSoft = isOn(value32)
    case .bankSelect: bank = bank & 0x7F | UInt16(value32 >> 25) << 7
    case .bankSelectLSB: bank = bank & 0x3F80 | UInt16(value32 >> 25)
    default: return parameters.follow(controller, UInt16(value32 >> 25))
    }
    return true
  }

  /// Resets the controllers that Reset All Controllers applies to. Source: RP-015, MIDI Manufacturers Association.
  @_noLocks
  mutating func resetControllers() {
    modulation = 0
    expression = 1
    pressure = 0
    bend = 0
    isSustaining = false
    isSostenuto = false
    isSoft = false
    isLegato = false
    isGliding = false
    glideTime = 0
    hasFineGlideTime = false
    glideSource = Self.noKey
    parameters.deselect()
  }

  /// The channel's own bend and tuning, in semitones.
  var pitchOffset: Float {
    @_noLocks get { bend * parameters.bendRange + parameters.tuning }
  }
}

/// 0 to 1.
@_noLocks
func unit(_ value32: UInt32) -> Float { Float(Int32(truncatingIfNeeded: value32 >> 8)) / 16_777_215 }

/// −1 to 1; the centre, 0x8000_0000, is 0.
@_noLocks
func signed(_ value32: UInt32) -> Float { Float(Int32(bitPattern: value32 ^ 0x8000_0000)) / 2_147_483_648 }

/// Whether a switch is on: from 64 of 127.
@_noLocks
func isOn(_ value32: UInt32) -> Bool { value32 >= 0x8000_0000 }
