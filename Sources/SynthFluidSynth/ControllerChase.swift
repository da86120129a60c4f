import CSynthFluidSynth
import SynthInstruments
import SynthMIDI

// Sends a new FluidSynth what its channels were told before, notes apart. Only what differs is sent, each once.

extension Sampler {
  /// Takes over the channels of a sampler that played before; this one has not yet.
  @_noLocks
  mutating func takeOver(_ old: borrowing Sampler, _ performance: borrowing Performance) {
    takeOverModes(old.synth)
    for channel in 0..<Int32(midiChannelCount) {
      takeOverControllers(old, channel)
      takeOverGenerators(old.synth, channel)
      takeOverBend(old.synth, channel)
      takeOverParameter(old, channel)
      takeOverPressures(old, channel)
      select(performance.presetRequest(UInt8(truncatingIfNeeded: channel)), channel)
    }
  }

  /// Takes over a performance that no sampler played before.
  @_noLocks
  mutating func takeOver(_ performance: borrowing Performance) {
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
      // Sound controllers, 71 to 78.
      for number in UInt8(71)...78 {
        let value = performance.controller(number, UInt8(truncatingIfNeeded: channel)) >> 25
        control(Controller(rawValue: number), Int32(value), channel)
      }
      select(performance.presetRequest(UInt8(truncatingIfNeeded: channel)), channel)
      setOffsets(UInt8(truncatingIfNeeded: channel), performance)
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
    if range != 2 { fluid_synth_pitch_wheel_sens(synth, channel, range) }
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
}
