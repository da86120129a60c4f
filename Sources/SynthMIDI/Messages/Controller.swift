/// The number of a MIDI controller, 0–127, with the standard's names. Source: MIDI 1.0 control change table.
public struct Controller: RawRepresentable, BitwiseCopyable, Hashable, Sendable {
  /// The controller number, 0–127.
  public let rawValue: UInt8

  /// A controller by number; the eighth bit is ignored.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue & 0x7F }
}

// Computed, not stored: the audio thread may read them without the lazy initialiser of a global.
extension Controller {
  /// Bank select, MSB (0).
  @inlinable public static var bankSelect: Controller { Controller(rawValue: 0) }
  /// Modulation wheel (1).
  @inlinable public static var modulation: Controller { Controller(rawValue: 1) }
  /// Breath controller (2).
  @inlinable public static var breath: Controller { Controller(rawValue: 2) }
  /// Foot controller (4).
  @inlinable public static var foot: Controller { Controller(rawValue: 4) }
  /// Portamento time (5).
  @inlinable public static var portamentoTime: Controller { Controller(rawValue: 5) }
  /// Data entry of the selected parameter, MSB (6).
  @inlinable public static var dataEntry: Controller { Controller(rawValue: 6) }
  /// Channel volume (7).
  @inlinable public static var volume: Controller { Controller(rawValue: 7) }
  /// Balance (8).
  @inlinable public static var balance: Controller { Controller(rawValue: 8) }
  /// Pan (10).
  @inlinable public static var pan: Controller { Controller(rawValue: 10) }
  /// Expression (11).
  @inlinable public static var expression: Controller { Controller(rawValue: 11) }
  /// Bank select, LSB (32).
  @inlinable public static var bankSelectLSB: Controller { Controller(rawValue: 32) }
  /// Portamento time, LSB (37).
  @inlinable public static var portamentoTimeLSB: Controller { Controller(rawValue: 37) }
  /// Data entry of the selected parameter, LSB (38).
  @inlinable public static var dataEntryLSB: Controller { Controller(rawValue: 38) }
  /// Sustain pedal (64).
  @inlinable public static var sustain: Controller { Controller(rawValue: 64) }
  /// Portamento switch (65).
  @inlinable public static var portamento: Controller { Controller(rawValue: 65) }
  /// Sostenuto pedal (66).
  @inlinable public static var sostenuto: Controller { Controller(rawValue: 66) }
  /// Soft pedal (67).
  @inlinable public static var soft: Controller { Controller(rawValue: 67) }
  /// Legato footswitch (68).
  @inlinable public static var legato: Controller { Controller(rawValue: 68) }
  /// Filter resonance, sound controller 2 (71).
  @inlinable public static var resonance: Controller { Controller(rawValue: 71) }
  /// Release time, sound controller 3 (72).
  @inlinable public static var releaseTime: Controller { Controller(rawValue: 72) }
  /// Attack time, sound controller 4 (73).
  @inlinable public static var attackTime: Controller { Controller(rawValue: 73) }
  /// Brightness, sound controller 5 (74).
  @inlinable public static var brightness: Controller { Controller(rawValue: 74) }
  /// Decay time, sound controller 6 (75).
  @inlinable public static var decayTime: Controller { Controller(rawValue: 75) }
  /// Vibrato rate, sound controller 7 (76).
  @inlinable public static var vibratoRate: Controller { Controller(rawValue: 76) }
  /// Vibrato depth, sound controller 8 (77).
  @inlinable public static var vibratoDepth: Controller { Controller(rawValue: 77) }
  /// Vibrato delay, sound controller 9 (78).
  @inlinable public static var vibratoDelay: Controller { Controller(rawValue: 78) }
  /// Note from which the next one glides (84).
  @inlinable public static var portamentoControl: Controller { Controller(rawValue: 84) }
  /// Reverb send level (91).
  @inlinable public static var reverbSend: Controller { Controller(rawValue: 91) }
  /// Chorus send level (93).
  @inlinable public static var chorusSend: Controller { Controller(rawValue: 93) }
  /// What a channel sends to the delay of GS, or to the variation of XG; in General MIDI 2 the depth of a detuning.
  @inlinable public static var delaySend: Controller { Controller(rawValue: 94) }
  /// Increments the selected parameter (96).
  @inlinable public static var dataIncrement: Controller { Controller(rawValue: 96) }
  /// Decrements the selected parameter (97).
  @inlinable public static var dataDecrement: Controller { Controller(rawValue: 97) }
  /// Selects an assignable parameter, LSB (98).
  @inlinable public static var assignableParameterLSB: Controller { Controller(rawValue: 98) }
  /// Selects an assignable parameter, MSB (99).
  @inlinable public static var assignableParameter: Controller { Controller(rawValue: 99) }
  /// Selects a registered parameter, LSB (100).
  @inlinable public static var registeredParameterLSB: Controller { Controller(rawValue: 100) }
  /// Selects a registered parameter, MSB (101).
  @inlinable public static var registeredParameter: Controller { Controller(rawValue: 101) }
  /// Silences a channel at once (120).
  @inlinable public static var allSoundOff: Controller { Controller(rawValue: 120) }
  /// Returns the controllers of a channel to their initial state (121).
  @inlinable public static var resetAllControllers: Controller { Controller(rawValue: 121) }
  /// Connects or disconnects the keyboard from the sound (122).
  @inlinable public static var localControl: Controller { Controller(rawValue: 122) }
  /// Releases all notes of a channel (123).
  @inlinable public static var allNotesOff: Controller { Controller(rawValue: 123) }
  /// Omni mode off (124).
  @inlinable public static var omniOff: Controller { Controller(rawValue: 124) }
  /// Omni mode on (125).
  @inlinable public static var omniOn: Controller { Controller(rawValue: 125) }
  /// One voice per channel (126).
  @inlinable public static var monoOn: Controller { Controller(rawValue: 126) }
  /// Many voices per channel (127).
  @inlinable public static var polyOn: Controller { Controller(rawValue: 127) }

  /// Whether it is a channel mode message (120–127), which speaks to the channel as a whole.
  @inlinable public var isChannelMode: Bool { rawValue >= 120 }
}
