import CFluidSynth
import MIDI

/// Plays one event. What FluidSynth has no call for (per-note controllers, relative controllers) is passed over.
/// [audio thread]
@_noLocks
func play(_ event: MIDIEvent, on synth: OpaquePointer) {
  let message = event.message
  let channel = Int32(message.channel)
  switch message.kind {
  case .noteOn: fluid_synth_noteon(synth, channel, Int32(message.note), Int32(message.velocity7))
  case .noteOff: fluid_synth_noteoff(synth, channel, Int32(message.note))
  case .polyPressure: fluid_synth_key_pressure(synth, channel, Int32(message.note), Int32(message.value7))
  case .channelPressure: fluid_synth_channel_pressure(synth, channel, Int32(message.value7))
  case .pitchBend: fluid_synth_pitch_bend(synth, channel, Int32(message.bend14))
  case .controlChange:
    fluid_synth_cc(synth, channel, Int32(message.controller.rawValue), Int32(message.value7))
  case .programChange: changeProgram(message, on: synth)
  case .registeredController: setParameter(message, select: (.registeredParameter, .registeredParameterLSB), synth)
  case .assignableController: setParameter(message, select: (.assignableParameter, .assignableParameterLSB), synth)
  case .systemExclusive: playSystemExclusive(event.payload, on: synth)
  default: break
  }
}

@_noLocks
func changeProgram(_ message: MIDIMessage, on synth: OpaquePointer) {
  let channel = Int32(message.channel)
  if let bank = message.bank {
    control(.bankSelect, Int32(bank >> 7), channel, synth)
    control(.bankSelectLSB, Int32(bank & 0x7F), channel, synth)
  }
  fluid_synth_program_change(synth, channel, Int32(message.program))
}

/// A MIDI 2.0 controller as the four control changes MIDI 1.0 has for it.
@_noLocks
private func setParameter(
  _ message: MIDIMessage, select: (msb: Controller, lsb: Controller), _ synth: OpaquePointer
) {
  let channel = Int32(message.channel)
  control(select.msb, Int32(message.parameter >> 7), channel, synth)
  control(select.lsb, Int32(message.parameter & 0x7F), channel, synth)
  control(.dataEntry, Int32(message.value32 >> 25), channel, synth)
  control(.dataEntryLSB, Int32((message.value32 >> 18) & 0x7F), channel, synth)
}

@_noLocks
func control(_ controller: Controller, _ value: Int32, _ channel: Int32, _ synth: OpaquePointer) {
  fluid_synth_cc(synth, channel, Int32(controller.rawValue), value)
}

/// Resets and part modes. Those of the MIDI Tuning Standard (sub-ID 08) are `SamplerTuning`'s: FluidSynth allocates for
/// them.
@_noLocks
private func playSystemExclusive(_ payload: UnsafeBufferPointer<UInt8>, on synth: OpaquePointer) {
  guard let start = payload.baseAddress, payload.count > 2 else { return }
  let isUniversal = start[0] == 0x7E || start[0] == 0x7F
  if isUniversal, start[2] == 0x08 { return }
  start.withMemoryRebound(to: CChar.self, capacity: payload.count) { bytes in
    _ = fluid_synth_sysex(synth, bytes, Int32(truncatingIfNeeded: payload.count), nil, nil, nil, 0)
  }
}
