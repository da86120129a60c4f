import CSynthFluidSynth
import SynthInstruments
import SynthMIDI

/// Drum setups for FluidSynth, which knows none: the generators of each voice are set as its note begins. [audio
/// thread]
///
/// A level above that of velocity 127 is out of its reach: its attenuation is never below 0.
struct SamplerDrums: ~Copyable {
  /// In time cents, 0.3 s for 96 dB: a note that another one of its group ends.
  private static var groupRelease: Float { @_noLocks get { -2000 } }

  private let voices: UnsafeMutablePointer<OpaquePointer?>
  private let capacity: Int32
  /// FluidSynth's number of the note that was set up last. The first has 0.
  private var lastNote = -1

  /// - Parameter polyphony: FluidSynth's.
  init(polyphony: Int) {
    capacity = Int32(polyphony + 1)
    voices = .allocate(capacity: polyphony + 1)
    voices.initialize(repeating: nil, count: polyphony + 1)
  }

  deinit { voices.deallocate() }

  /// Sets up the voices of a note that FluidSynth has just begun.
  @_noLocks
  mutating func shape(
    _ key: UInt8, _ channel: UInt8, _ performance: borrowing Performance, _ synth: OpaquePointer
  ) {
    let drum = performance.drumNote(key, channel)
    guard !drum.isPlain else { return }
    fluid_synth_get_voicelist(synth, voices, capacity, -1)
    var newest = lastNote
    for index in 0..<Int(capacity) {
      guard let voice = voices[index] else { break }
      if plays(voice, channel, key) { newest = max(newest, Int(fluid_voice_get_id(voice))) }
    }
    guard newest > lastNote else { return }
    lastNote = newest
    for index in 0..<Int(capacity) {
      guard let voice = voices[index] else { break }
      if Int(fluid_voice_get_id(voice)) == newest { set(voice, drum) }
    }
    if let group = drum.group, group > 0 { endOthers(of: group, key, channel, performance, synth) }
    // The settings of a voice take effect at the next call of the synth.
    _ = fluid_synth_get_active_voice_count(synth)
  }

  @_noLocks
  private func plays(_ voice: OpaquePointer, _ channel: UInt8, _ key: UInt8) -> Bool {
    fluid_voice_get_channel(voice) == Int32(channel) && fluid_voice_get_actual_key(voice) == Int32(key)
  }

  @_noLocks
  private func set(_ voice: OpaquePointer, _ drum: DrumNote) {
    let mode = Int32(fluid_voice_gen_get(voice, Int32(GEN_SAMPLEMODE.rawValue)))
    // The font's own class is not the group.
    if drum.group != nil { fluid_voice_gen_set(voice, Int32(GEN_EXCLUSIVECLASS.rawValue), 0) }
    var left = DrumNote.generators
    while left != 0 {
      let generator = left.trailingZeroBitCount
      left &= left &- 1
      let zone = fluid_voice_gen_get(voice, Int32(generator))
      let value = drum.value(of: generator, zone: zone, isLooped: mode == 1 || mode == 3)
      if value != zone { set(voice, Int32(generator), value) }
    }
  }

  @_noLocks
  private func set(_ voice: OpaquePointer, _ generator: Int32, _ value: Float) {
    fluid_voice_gen_set(voice, generator, value)
    fluid_voice_update_param(voice, generator)
  }

  /// Ends the other keys of a group.
  @_noLocks
  private func endOthers(
    of group: UInt8, _ key: UInt8, _ channel: UInt8, _ performance: borrowing Performance, _ synth: OpaquePointer
  ) {
    for index in 0..<Int(capacity) {
      guard let voice = voices[index] else { break }
      let other = UInt8(truncatingIfNeeded: fluid_voice_get_actual_key(voice)) & 127
      guard fluid_voice_get_channel(voice) == Int32(channel), other != key else { continue }
      guard performance.drumGroup(other, channel) == group else { continue }
      set(voice, Int32(GEN_VOLENVRELEASE.rawValue), Self.groupRelease)
      fluid_synth_noteoff(synth, Int32(channel), Int32(other))
    }
  }
}
