import CSynthFluidSynth
import SynthMIDI

// How events become calls of FluidSynth.
//
// FluidSynth receives System Exclusive for device 0 and the broadcast only, while GS and XG files mostly speak to
// device 16; so resets and part modes are passed on by its own functions. It has no part modes of XG (08 nn 07): there,
// bank 127 makes a channel play drums.

extension Sampler {
  /// Plays one event. Messages that FluidSynth has no call for (per-note controllers, relative controllers) are
  /// ignored.
  @_noLocks
  mutating func play(_ message: MIDIMessage, _ style: BankStyle, _ systemExclusive: SystemExclusive = .other) {
    let channel = Int32(message.channel)
    switch message.kind {
    case .noteOn: fluid_synth_noteon(synth, channel, Int32(message.note), Int32(message.velocity7))
    case .noteOff: fluid_synth_noteoff(synth, channel, Int32(message.note))
    case .polyPressure: setPressure(of: Int32(message.note), message.value7, channel)
    case .channelPressure: setPressure(message.value7, channel)
    case .pitchBend: fluid_synth_pitch_bend(synth, channel, Int32(message.bend14))
    case .controlChange: control(message.controller, Int32(message.value7), channel, style)
    case .programChange: changeProgram(message, style)
    case .registeredController: setParameter(message, select: (.registeredParameter, .registeredParameterLSB))
    case .assignableController: setParameter(message, select: (.assignableParameter, .assignableParameterLSB))
    case .systemExclusive: play(systemExclusive, style)
    default: break
    }
  }

  @_noLocks
  mutating func changeProgram(_ message: MIDIMessage, _ style: BankStyle) {
    let channel = Int32(message.channel)
    if let bank = message.bank {
      control(.bankSelect, Int32(bank >> 7), channel, style)
      control(.bankSelectLSB, Int32(bank & 0x7F), channel)
    }
    changeProgram(channel, Int32(message.program))
  }

  /// Makes a channel play drums, or melodic presets again; the preset is selected by the next program.
  @_noLocks
  func setDrums(_ isDrum: Bool, _ channel: Int32) {
    let type = isDrum ? CHANNEL_TYPE_DRUM : CHANNEL_TYPE_MELODIC
    fluid_synth_set_channel_type(synth, channel, Int32(type.rawValue))
    channels[Int(channel)].isDrum = isDrum
  }

  @_noLocks
  func setPressure(_ value: UInt8, _ channel: Int32) {
    fluid_synth_channel_pressure(synth, channel, Int32(value))
    channels[Int(channel)].pressure = value
  }

  @_noLocks
  func setPressure(of key: Int32, _ value: UInt8, _ channel: Int32) {
    fluid_synth_key_pressure(synth, channel, key, Int32(value))
    keyPressures[128 &* Int(channel) &+ Int(key)] = value
    channels[Int(channel)].hasKeyPressures = true
  }

  /// A MIDI 2.0 controller as the four control changes MIDI 1.0 has for it.
  @_noLocks
  private func setParameter(_ message: MIDIMessage, select: (msb: Controller, lsb: Controller)) {
    let channel = Int32(message.channel)
    control(select.msb, Int32(message.parameter >> 7), channel)
    control(select.lsb, Int32(message.parameter & 0x7F), channel)
    control(.dataEntry, Int32(message.value32 >> 25), channel)
    control(.dataEntryLSB, Int32((message.value32 >> 18) & 0x7F), channel)
  }

  @_noLocks
  func control(_ controller: Controller, _ value: Int32, _ channel: Int32, _ style: BankStyle) {
    switch (style, controller) {
    case (.xg, .bankSelect): channels[Int(channel)].isDrum = value >= 120
    default: break
    }
    control(controller, value, channel)
  }

  /// A controller that is no bank select.
  @_noLocks
  func control(_ controller: Controller, _ value: Int32, _ channel: Int32) {
    switch controller {
    // Each channel is its own basic channel, so omni and mono modes only let its keys go.
    case .omniOff, .omniOn: fluid_synth_cc(synth, channel, Int32(Controller.allNotesOff.rawValue), 0)
    case .monoOn: fluid_synth_cc(synth, channel, Int32(controller.rawValue), 1)
    default: fluid_synth_cc(synth, channel, Int32(controller.rawValue), value)
    }
    let followed = channels + Int(channel)
    switch controller {
    case .registeredParameter, .registeredParameterLSB: followed.pointee.isAssignable = false
    case .assignableParameter:
      followed.pointee.isAssignable = true
      followed.pointee.generator = 0
    case .assignableParameterLSB:
      followed.pointee.isAssignable = true
      if setting(of: .assignableParameter, channel) == 120 { followed.pointee.generator &+= generatorStep(value) }
    case .dataEntry:
      let isGenerator = setting(of: .assignableParameter, channel) == 120
      if followed.pointee.isAssignable, isGenerator, setting(of: .assignableParameterLSB, channel) < 100 {
        followed.pointee.generator = 0
      }
    case .resetAllControllers: clearPressures(channel)
    default: break
    }
  }

  /// What a controller is set to.
  @_noLocks
  func setting(of controller: Controller, _ channel: Int32) -> Int32 {
    var value: Int32 = 0
    fluid_synth_get_cc(synth, channel, Int32(controller.rawValue), &value)
    return value
  }

  /// What the fine part of a generator's number adds to it. Source: SoundFont 2.04, section 9.6.3.
  @_noLocks
  private func generatorStep(_ value: Int32) -> Int32 {
    switch value {
    case ..<100: value
    case 100: 100
    case 101: 1000
    case 102: 10000
    default: 0
    }
  }

  // MARK: - System Exclusive

  @_noLocks
  private mutating func play(_ message: SystemExclusive, _ style: BankStyle) {
    if case (.partMode(let channel, let drumMap), .gs) = (message, style) {
      setPartMode(Int32(channel), isDrum: drumMap != 0)
    }
  }

  @_noLocks
  private mutating func setPartMode(_ channel: Int32, isDrum: Bool) {
    setDrums(isDrum, channel)
    // A former drum channel still has the bank of drums.
    if !isDrum, bank(of: channel) == 128 { fluid_synth_bank_select(synth, channel, 0) }
    changeProgram(channel, 0)
  }

  /// Returns all channels to their initial state; sounds end.
  @_noLocks
  mutating func reset(to style: BankStyle) {
    switch style {
    case .gm: fluidsynth_reset_gm(synth)
    case .gs: fluidsynth_reset_gs(synth)
    case .xg: fluidsynth_reset_xg(synth)
    }
    separateChannels()
    forgetChannels()
  }
}
