import CSynthFluidSynth
import SynthMIDI

// Sends a new FluidSynth what its channels were told before, notes apart. Only what differs is sent, each once.

extension Sampler {
  /// Takes over the channels of a sampler that played before; this one has not yet.
  @_noLocks
  mutating func takeOver(_ old: borrowing Sampler, _ style: BankStyle) {
    takeOver(style)
    takeOverModes(old.synth)
    for channel in 0..<Int32(midiChannelCount) {
      takeOverControllers(old, channel)
      takeOverGenerators(old.synth, channel)
      takeOverBend(old.synth, channel)
      takeOverParameter(old, channel)
      takeOverPressures(old, channel)
      takeOverProgram(old, channel)
    }
  }

  /// Takes over a performance that no sampler played before.
  @_noLocks
  mutating func takeOver(_ performance: borrowing Performance) {
    takeOver(performance.bankStyle)
    for channel in 0..<Int32(midiChannelCount) {
      let state = performance.channels[Int(channel)]
      if state.isMono { control(.monoOn, 1, channel) }
      set(.volume, to: state.volume, channel)
      set(.expression, to: state.expression, channel)
      set(.pan, to: state.pan, channel)
      set(.modulation, to: state.modulation, channel)
      set(.sustain, to: state.isSustaining ? 1 : 0, channel)
      set(.sostenuto, to: state.isSostenuto ? 1 : 0, channel)
      set(.soft, to: state.isSoft ? 1 : 0, channel)
      setPressure(UInt8(state.pressure * 127 + 0.5), channel)
      fluid_synth_pitch_bend(synth, channel, Int32(min(max(8192 + state.bend * 8192 + 0.5, 0), 16383)))
      setBendRange(Int32(state.parameters.bendRange), channel)
      fluid_synth_set_gen(synth, channel, Int32(GEN_FINETUNE.rawValue), state.parameters.tuning * 100)
      let message = MIDIMessage.programChange(channel: UInt8(channel), program: state.program, bank: state.bank)
      changeProgram(message, performance.bankStyle)
    }
  }

  @_noLocks
  private mutating func takeOver(_ style: BankStyle) {
    switch style {
    case .gs: break
    case .gm, .xg: reset(to: style)
    }
  }

  /// A controller from 0 to 1.
  @_noLocks
  private func set(_ controller: Controller, to share: Float, _ channel: Int32) {
    control(controller, Int32(share * 127 + 0.5), channel)
  }

  /// Mono and poly.
  @_noLocks
  private func takeOverModes(_ old: OpaquePointer) {
    for channel in 0..<Int32(midiChannelCount) {
      var (basic, there, here, count): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
      fluid_synth_get_basic_channel(old, channel, &basic, &there, &count)
      fluid_synth_get_basic_channel(synth, channel, &basic, &here, &count)
      if there != here { fluid_synth_set_basic_channel(synth, channel, there, 1) }
    }
  }

  @_noLocks
  private func takeOverControllers(_ old: borrowing Sampler, _ channel: Int32) {
    for number in Int32(1)..<120 where isPlain(number) {
      var (there, here): (Int32, Int32) = (0, 0)
      fluid_synth_get_cc(old.synth, channel, number, &there)
      fluid_synth_get_cc(synth, channel, number, &here)
      if there != here { fluid_synth_cc(synth, channel, number, there) }
    }
  }

  /// Whether a controller only has a value: not bank select, data entry and parameter numbers.
  @_noLocks
  private func isPlain(_ controller: Int32) -> Bool {
    switch controller {
    case 6, 32, 98...101: false
    default: true
    }
  }

  /// Tunings by registered parameters, and SoundFont generators by assignable ones.
  @_noLocks
  private func takeOverGenerators(_ old: OpaquePointer, _ channel: Int32) {
    for generator in 0..<Int32(GEN_LAST.rawValue) {
      let value = fluid_synth_get_gen(old, channel, generator)
      if value != 0 { fluid_synth_set_gen(synth, channel, generator, value) }
    }
  }

  @_noLocks
  private func takeOverBend(_ old: OpaquePointer, _ channel: Int32) {
    var (bend, range): (Int32, Int32) = (0, 0)
    fluid_synth_get_pitch_bend(old, channel, &bend)
    fluid_synth_get_pitch_wheel_sens(old, channel, &range)
    if bend != 8192 { fluid_synth_pitch_bend(synth, channel, bend) }
    if range != 2 { setBendRange(range, channel) }
  }

  /// In semitones, 0 to 127. No parameter is selected then.
  @_noLocks
  func setBendRange(_ semitones: Int32, _ channel: Int32) {
    control(.registeredParameter, 0, channel)
    control(.registeredParameterLSB, 0, channel)
    control(.dataEntry, semitones, channel)
    control(.dataEntryLSB, 0, channel)
    control(.registeredParameter, 127, channel)
    control(.registeredParameterLSB, 127, channel)
  }

  /// The parameter that data entry is for: the kind that was selected last is selected last again.
  @_noLocks
  private func takeOverParameter(_ old: borrowing Sampler, _ channel: Int32) {
    let isAssignable = old.channels[Int(channel)].isAssignable
    if !isAssignable { selectAssignable(old, channel) }
    control(.registeredParameter, old.setting(of: .registeredParameter, channel), channel)
    control(.registeredParameterLSB, old.setting(of: .registeredParameterLSB, channel), channel)
    if isAssignable { selectAssignable(old, channel) }
  }

  @_noLocks
  private func selectAssignable(_ old: borrowing Sampler, _ channel: Int32) {
    let high = old.setting(of: .assignableParameter, channel)
    let generator = old.channels[Int(channel)].generator
    control(.assignableParameter, high, channel)
    if high != 120 {
      control(.assignableParameterLSB, old.setting(of: .assignableParameterLSB, channel), channel)
    } else if generator > 0, generator < 100 {
      control(.assignableParameterLSB, generator, channel)
    }
  }

  @_noLocks
  private func takeOverPressures(_ old: borrowing Sampler, _ channel: Int32) {
    let state = old.channels[Int(channel)]
    if state.pressure > 0 { setPressure(state.pressure, channel) }
    guard state.hasKeyPressures else { return }
    for key in 0..<Int32(128) {
      let pressure = old.keyPressures[128 &* Int(channel) &+ Int(key)]
      if pressure > 0 { setPressure(of: key, pressure, channel) }
    }
  }

  @_noLocks
  private mutating func takeOverProgram(_ old: borrowing Sampler, _ channel: Int32) {
    var (font, bank, program): (Int32, Int32, Int32) = (0, 0, 0)
    fluid_synth_get_program(old.synth, channel, &font, &bank, &program)
    setDrums(old.channels[Int(channel)].isDrum, channel)
    fluid_synth_bank_select(synth, channel, bank)
    changeProgram(channel, old.channels[Int(channel)].awaited ?? program)
  }
}
