import CSynthFluidSynth
import SynthInstruments
import SynthMIDI

// How events become calls of FluidSynth.
//
// FluidSynth receives System Exclusive for device 0 and the broadcast only, while GS and XG files mostly speak to
// device 16, and knows neither parts nor the banks of General MIDI 2: presets, bend ranges and tunings come from the
// performance.

extension Sampler {
  /// Plays one event. Messages that FluidSynth has no call for (per-note controllers, relative controllers) are
  /// ignored.
  @_noLocks
  mutating func play(
    _ message: MIDIMessage, _ performance: borrowing Performance, _ systemExclusive: SystemExclusive = .other
  ) {
    let channel = Int32(message.channel)
    switch message.kind {
    case .noteOn:
      let result = fluid_synth_noteon(synth, channel, Int32(message.note), Int32(message.velocity7))
      if result != FLUID_OK { hasRefused = true }
    case .noteOff: fluid_synth_noteoff(synth, channel, Int32(message.note))
    case .polyPressure: setPressure(of: Int32(message.note), message.value7, channel)
    case .channelPressure: setPressure(message.value7, channel)
    case .pitchBend: fluid_synth_pitch_bend(synth, channel, Int32(message.bend14))
    case .controlChange: control(message.controller, Int32(message.value7), channel)
    case .programChange: select(performance.presetRequest(message.channel), channel)
    case .assignableController: setAssignable(message)
    case .systemExclusive:
      if case .part(let change) = systemExclusive, change.choosesDrums {
        select(performance.presetRequest(change.part), Int32(change.part))
      }
    default: break
    }
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
  private func setAssignable(_ message: MIDIMessage) {
    let channel = Int32(message.channel)
    control(.assignableParameter, Int32(message.parameter >> 7), channel)
    control(.assignableParameterLSB, Int32(message.parameter & 0x7F), channel)
    control(.dataEntry, Int32(message.value32 >> 25), channel)
    control(.dataEntryLSB, Int32((message.value32 >> 18) & 0x7F), channel)
  }

  /// Banks come with presets, and registered parameters as bend ranges and tunings.
  @_noLocks
  func control(_ controller: Controller, _ value: Int32, _ channel: Int32) {
    switch controller {
    case .bankSelect, .bankSelectLSB: return
    case .dataEntry, .dataEntryLSB, .dataIncrement, .dataDecrement:
      if channels[Int(channel)].isAssignable { fluid_synth_cc(synth, channel, Int32(controller.rawValue), value) }
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
}
