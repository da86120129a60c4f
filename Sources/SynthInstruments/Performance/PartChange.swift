import SynthMIDI

/// One setting of a part (a channel of the instruments), as a System Exclusive message of GS, XG or General MIDI 2
/// makes it. [any thread]
public struct PartChange: BitwiseCopyable, Sendable {
  /// What is set. Values are in the units of `PartState`.
  enum Setting: BitwiseCopyable, Sendable {
    /// The same as a controller of the channel.
    case control(Controller, UInt8)
    /// The same as a program change.
    case program(UInt8)
    /// The same as a registered parameter, with 14 bits.
    case registered(UInt16, UInt16)
    /// Each note is panned at random.
    case randomPan
    /// Drums, by one of four setups, or nil for melodic sounds, if the standard is in force.
    case drums(setup: UInt8?, BankStyle)
    case assignMode(AssignMode)
    case keyShift(Int8)
    /// In hertz.
    case detune(Float)
    /// Nil receives nothing.
    case receiveChannel(UInt8?)
    /// By the number of a `PartReceiveSwitch`.
    case receives(UInt8, Bool)
    case velocityDepth(UInt8)
    case velocityOffset(UInt8)
    case lowestKey(UInt8)
    case highestKey(UInt8)
    /// A note of the octave, 0 to 11, and what it is off by, in semitones.
    case scale(UInt8, Float)
    case route(ControllerRoutes.Source, ControllerRoutes.Target, Float)
    /// Which controller a source of routes is.
    case assign(ControllerRoutes.Source, UInt8)
    /// Of all parts, in semitones.
    case masterTuning(Float)
    /// Of all melodic parts, in semitones.
    case masterKeyShift(Int8)
  }

  /// 0 to 15.
  package let part: UInt8
  let setting: Setting

  @_noLocks
  init(_ setting: Setting, part: UInt8) {
    self.part = part & 15
    self.setting = setting
  }

  /// The message of the channel that sets the same; nil for what channel messages cannot say.
  var message: MIDIMessage? {
    @_noLocks get {
      switch setting {
      case .control(let controller, let value): .controlChange(channel: part, controller, value7: value)
      case .program(let program): .programChange(channel: part, program: program)
      case .registered(let number, let value):
        .registeredController(channel: part, parameter: number, value32: UInt32(value) << 18)
      default: nil
      }
    }
  }

  /// Whether it gives the part drums, or melodic sounds.
  package var choosesDrums: Bool {
    @_noLocks get { if case .drums = setting { true } else { false } }
  }

  /// The channels whose notes it concerns, a bit each.
  package var scope: UInt16 {
    @_noLocks get {
      switch setting {
      case .masterTuning, .masterKeyShift: .max
      default: 1 &<< UInt16(part)
      }
    }
  }
}

/// What a part may be told to ignore, in the order that GS (40 1x 03 to 12) and XG (08 nn 30 to 3F) share.
enum PartReceiveSwitch: UInt8, BitwiseCopyable {
  case pitchBend, channelPressure, program, control, keyPressure, note, registered, assignable
  case modulation, volume, pan, expression, sustain, portamento, sostenuto, soft
  case bankSelect, bankSelectLSB

  /// The switch of a kind of message; nil for what cannot be switched off.
  @_noLocks
  init?(of message: MIDIMessage) {
    switch message.kind {
    case .pitchBend: self = .pitchBend
    case .channelPressure: self = .channelPressure
    case .programChange: self = .program
    case .polyPressure: self = .keyPressure
    case .noteOn: self = .note
    case .registeredController: self = .registered
    case .assignableController: self = .assignable
    case .controlChange: self.init(of: message.controller)
    default: return nil
    }
  }

  /// Channel modes and pedals going up always arrive.
  @_noLocks
  private init?(of controller: Controller) {
    switch controller {
    case .registeredParameter, .registeredParameterLSB: self = .registered
    case .assignableParameter, .assignableParameterLSB: self = .assignable
    case .modulation: self = .modulation
    case .volume: self = .volume
    case .pan: self = .pan
    case .expression: self = .expression
    case .sustain: self = .sustain
    case .portamento: self = .portamento
    case .sostenuto: self = .sostenuto
    case .soft: self = .soft
    case .bankSelect: self = .bankSelect
    case .bankSelectLSB: self = .bankSelectLSB
    default: if controller.isChannelMode { return nil } else { self = .control }
    }
  }

  /// Its bit in `PartState.switches`.
  var bit: UInt32 {
    @_noLocks get { 1 &<< UInt32(rawValue) }
  }
}
