import CSynthFluidSynth
import SynthMIDI
import SynthSoundFonts
import Testing

/// libfluidsynth with nothing of the library around it but its default modulators and the ends of its wheel: raw MIDI
/// messages in, quanta of 64 frames out.
final class FluidSynthAlone {
  private let settings: OpaquePointer
  private let synth: OpaquePointer
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>
  private let outputCount: Int

  /// - Parameters:
  ///   - gain: linear.
  ///   - pairCount: 1 mixes all channels inside FluidSynth; 16 keeps them apart as floats, to be added up one after the
  ///     other, as a mixer does.
  init(font: String, sampleRate: Int, gain: Double, pairCount: Int) throws {
    settings = try #require(new_fluid_settings())
    fluid_settings_setnum(settings, "synth.sample-rate", Double(sampleRate))
    fluid_settings_setnum(settings, "synth.gain", gain)
    fluid_settings_setint(settings, "synth.audio-channels", Int32(pairCount))
    fluid_settings_setint(settings, "synth.audio-groups", Int32(pairCount))
    fluid_settings_setint(settings, "synth.reverb.active", 0)
    fluid_settings_setint(settings, "synth.chorus.active", 0)
    synth = try #require(fluidsynth_create(settings))
    for modulator in ZoneModulator.controllerDefaults {
      fluidsynth_add_modulator(
        synth, modulator.source.rawValue, modulator.amountSource.rawValue, Int32(modulator.destination),
        Double(modulator.amount))
    }
    fluidsynth_bend_fully(synth)
    fluidsynth_centre_voices(synth, 256)
    try #require(fluid_synth_sfload(synth, font, 1) != FLUID_FAILED)
    outputCount = 2 * pairCount
    outputs = .allocate(capacity: outputCount)
  }

  deinit {
    delete_fluid_synth(synth)
    delete_fluid_settings(settings)
    outputs.deallocate()
  }

  func play(_ event: PlainMIDIFile.Event) {
    guard !event.isSystemExclusive else {
      return event.bytes.withUnsafeBytes { bytes in
        _ = fluid_synth_sysex(synth, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), nil, nil, nil, 0)
      }
    }
    let channel = Int32(event.bytes[0] & 0x0F)
    let (first, second) = (Int32(event.bytes[1]), Int32(event.bytes.count > 2 ? event.bytes[2] : 0))
    switch event.bytes[0] & 0xF0 {
    case 0x80: fluid_synth_noteoff(synth, channel, first)
    case 0x90: fluid_synth_noteon(synth, channel, first, second)
    case 0xA0: fluid_synth_key_pressure(synth, channel, first, second)
    case 0xB0:
      fluid_synth_cc(synth, channel, first, second)
      if first == 121 { fluid_synth_set_gen(synth, channel, Int32(GEN_FINETUNE.rawValue), 0) }
    case 0xC0: fluid_synth_program_change(synth, channel, first)
    case 0xD0: fluid_synth_channel_pressure(synth, channel, first)
    default: bend(channel, second << 7 | first)
    }
  }

  /// Upwards MIDI's wheel has 8191 steps and FluidSynth's 8192.
  private func bend(_ channel: Int32, _ value: Int32) {
    fluid_synth_pitch_bend(synth, channel, value)
    var range: Int32 = 0
    fluid_synth_get_pitch_wheel_sens(synth, channel, &range)
    let wide = MIDIMessage.pitchBend(channel: 0, bend14: UInt16(value)).value32
    let full = Float(Int32(bitPattern: wide ^ 0x8000_0000)) / 2_147_483_648 * Float(range)
    let cents = 100 * (Double(full) - Double(range) * Double(value - 8192) / 8192)
    fluid_synth_set_gen(synth, channel, Int32(GEN_FINETUNE.rawValue), Float(cents))
  }

  /// Renders the next 64 frames. FluidSynth adds to its outputs, so pairs that share their memory are added up in
  /// order.
  func render(left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>) {
    left.update(repeating: 0, count: 64)
    right.update(repeating: 0, count: 64)
    for output in 0..<outputCount { outputs[output] = output % 2 == 0 ? left : right }
    fluid_synth_process(synth, 64, 0, nil, Int32(outputCount), outputs)
  }
}
