import CSynthFluidSynth
import Glibc

/// A soundfont of one preset that plays a signal as it is: what is put into FluidSynth's effects.
///
/// It is made of FluidSynth's own callbacks, without a file. The signal is heard once per note, on every key at its own
/// pitch, and only in the effects: all of it is sent to reverb or to chorus.
final class SampleFont {
  private let sample: OpaquePointer
  private let destination: fluid_gen_type
  fileprivate private(set) var preset: OpaquePointer?

  /// - Parameters:
  ///   - signal: within ±1; kept as 16 bits.
  ///   - destination: `GEN_REVERBSEND` or `GEN_CHORUSSEND`.
  init(_ signal: [Float], sampleRate: Double, to destination: fluid_gen_type) {
    self.destination = destination
    sample = new_fluid_sample()
    var words = signal.map { Int16(max(-1, min(1, $0)) * 32767) }
    fluid_sample_set_sound_data(sample, &words, nil, UInt32(words.count), UInt32(sampleRate), 1)
    fluid_sample_set_pitch(sample, 60, 0)
  }

  deinit { delete_fluid_sample(sample) }

  /// Adds the font to a synth, which must not outlive it, and selects its preset on the first channel.
  func add(to synth: OpaquePointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    let font = new_fluid_sfont(
      { _ in SampleFont.name }, { font, _, _ in SampleFont.of(fluid_sfont_get_data(font)).preset }, nil, nil,
      { font in
        delete_fluid_sfont(font)
        return 0
      })
    fluid_sfont_set_data(font, context)
    preset = new_fluid_preset(
      font, { _ in SampleFont.name }, { _ in 0 }, { _ in 0 },
      { preset, synth, channel, key, velocity in
        SampleFont.of(fluid_preset_get_data(preset)).start(synth, channel, key, velocity)
      }, { _ in })
    fluid_preset_set_data(preset, context)
    fluid_synth_add_sfont(synth, font)
    fluid_synth_program_select(synth, 0, fluid_sfont_get_id(font), 0, 0)
  }

  private func start(_ synth: OpaquePointer?, _ channel: Int32, _ key: Int32, _ velocity: Int32) -> Int32 {
    guard let voice = fluid_synth_alloc_voice(synth, sample, channel, key, velocity) else { return FLUID_FAILED }
    fluid_voice_gen_set(voice, Int32(destination.rawValue), 1000)
    // No filter: beyond what can be heard.
    fluid_voice_gen_set(voice, Int32(GEN_FILTERFC.rawValue), 13500)
    fluid_synth_start_voice(synth, voice)
    return FLUID_OK
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> SampleFont {
    Unmanaged<SampleFont>.fromOpaque(context!).takeUnretainedValue()
  }

  nonisolated(unsafe) private static let name = UnsafePointer(strdup("signal"))
}
