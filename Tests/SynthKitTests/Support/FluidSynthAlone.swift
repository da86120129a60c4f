import CSynthFluidSynth
import SynthInstruments
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
  private var tunings = [PlainTuning](repeating: PlainTuning(), count: 16)

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
    guard !event.isSystemExclusive else { return playSystemExclusive(event.bytes) }
    let channel = Int32(event.bytes[0] & 0x0F)
    let (first, second) = (Int32(event.bytes[1]), Int32(event.bytes.count > 2 ? event.bytes[2] : 0))
    switch event.bytes[0] & 0xF0 {
    case 0x80: fluid_synth_noteoff(synth, channel, first)
    case 0x90: fluid_synth_noteon(synth, channel, first, second)
    case 0xA0: fluid_synth_key_pressure(synth, channel, first, second)
    case 0xB0: control(channel, first, second)
    case 0xC0: fluid_synth_program_change(synth, channel, first)
    case 0xD0: fluid_synth_channel_pressure(synth, channel, first)
    default:
      fluid_synth_pitch_bend(synth, channel, second << 7 | first)
      tune(channel)
    }
  }

  /// The sounding voices keep the generators of their channels, but not the tuning.
  private func playSystemExclusive(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      _ = fluid_synth_sysex(synth, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), nil, nil, nil, 0)
    }
    let isReset = bytes.withUnsafeBufferPointer { if case .reset = SystemExclusive($0) { true } else { false } }
    guard isReset else { return }
    for channel in 0..<Int32(16) {
      tunings[Int(channel)] = PlainTuning()
      fluid_synth_set_gen(synth, channel, Int32(GEN_FINETUNE.rawValue), 0)
    }
  }

  private func control(_ channel: Int32, _ controller: Int32, _ value: Int32) {
    // FluidSynth has no cents of a bend range, and rounds tunings.
    if tunings[Int(channel)].follow(controller, UInt16(value)) {
      fluid_synth_pitch_wheel_sens(synth, channel, Int32(tunings[Int(channel)].range >> 7))
      return tune(channel)
    }
    fluid_synth_cc(synth, channel, controller, value)
    let generator = Int32(GEN_FINETUNE.rawValue)
    switch controller {
    case 6: tunings[Int(channel)].noteGenerator(fluid_synth_get_gen(synth, channel, generator))
    case 121:
      fluid_synth_pitch_wheel_sens(synth, channel, Int32(tunings[Int(channel)].range >> 7))
      fluid_synth_set_gen(synth, channel, generator, 0)
    default: return
    }
    tune(channel)
  }

  /// The channel's tuning, and what the bend of FluidSynth lacks: upwards MIDI's wheel has 8191 steps and FluidSynth's
  /// 8192.
  private func tune(_ channel: Int32) {
    var (bend, range): (Int32, Int32) = (0, 0)
    fluid_synth_get_pitch_bend(synth, channel, &bend)
    fluid_synth_get_pitch_wheel_sens(synth, channel, &range)
    let wide = MIDIMessage.pitchBend(channel: 0, bend14: UInt16(bend)).value32
    let full = tunings[Int(channel)].semitones(bend: Float(Int32(bitPattern: wide ^ 0x8000_0000)) / 2_147_483_648)
    let cents = 100 * (Double(full) - Double(range) * Double(bend - 8192) / 8192)
    let told = tunings[Int(channel)].setGenerator(adding: Float(cents))
    fluid_synth_set_gen(synth, channel, Int32(GEN_FINETUNE.rawValue), told)
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
