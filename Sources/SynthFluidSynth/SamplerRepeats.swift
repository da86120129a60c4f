import CSynthFluidSynth
import SynthInstruments

/// What becomes of the notes of a key that is struck again, for FluidSynth, which always lets them go: in a part that
/// has one note a key they end. [audio thread]
struct SamplerRepeats: ~Copyable {
  /// In centibels: silence, whatever controllers lower it by.
  private static var silence: Float { @_noLocks get { 10000 } }

  private let voices: UnsafeMutablePointer<OpaquePointer?>
  private let capacity: Int

  /// - Parameter polyphony: FluidSynth's.
  init(polyphony: Int) {
    capacity = polyphony + 1
    voices = .allocate(capacity: capacity)
    voices.initialize(repeating: nil, count: capacity)
  }

  deinit { voices.deallocate() }

  /// Before FluidSynth begins a note: a pedal may hold those that end, so they fall silent, in 64 frames.
  @_noLocks
  func end(_ key: UInt8, _ channel: UInt8, _ performance: borrowing Performance, _ synth: OpaquePointer) {
    guard case .single = performance.assignMode(channel), !performance.channels[Int(channel)].isMono else { return }
    fluid_synth_get_voicelist(synth, voices, Int32(truncatingIfNeeded: capacity), -1)
    for index in 0..<capacity {
      guard let voice = voices[index] else { break }
      guard fluid_voice_get_channel(voice) == Int32(channel), fluid_voice_get_key(voice) == Int32(key) else { continue }
      fluid_voice_gen_set(voice, Int32(GEN_ATTENUATION.rawValue), Self.silence)
      fluid_voice_update_param(voice, Int32(GEN_ATTENUATION.rawValue))
    }
  }
}
