import CSynthFluidSynth
import SynthInstruments
import SynthMIDI

/// The rack's tuning for FluidSynth, whose own calls for it allocate: the pitch of each voice is set as it starts.
///
/// A voice's pitch is `s·(key − root) + root`, where s is the scale tuning of its sound; as in FluidSynth, both keys
/// are tuned. Tuned by less than half a semitone a note is FluidSynth's own, to the bit; with more, that takes the
/// sample of the key it is tuned to, and here it is its own key's. FluidSynth plays whole cents, the next below. [audio
/// thread]
struct SamplerTuning: ~Copyable {
  private let voices: UnsafeMutablePointer<OpaquePointer?>
  private let capacity: Int32
  private var isInUse = false
  /// FluidSynth's number of the note started last; the first has 0.
  private var lastNote = -1

  /// - Parameter polyphony: FluidSynth's.
  init(polyphony: Int) {
    capacity = Int32(polyphony + 1)
    voices = .allocate(capacity: polyphony + 1)
    voices.initialize(repeating: nil, count: polyphony + 1)
  }

  deinit { voices.deallocate() }

  /// Tunes every note from the first one on; for a synth without voices.
  @_noLocks
  mutating func begin() {
    isInUse = true
    lastNote = -1
  }

  /// Leaves the pitches to FluidSynth, for a synth that was reset.
  @_noLocks
  mutating func end() { isInUse = false }

  /// Follows an event that FluidSynth has just played.
  @_noLocks
  mutating func follow(_ event: EngineEvent, _ performance: borrowing Performance, _ synth: OpaquePointer) {
    let message = event.message
    guard !performance.isEqualTempered else {
      isInUse = false
      return
    }
    if !isInUse {
      isInUse = true
      lastNote = -1
      listVoices(synth)
      for index in 0..<Int(capacity) {
        guard let voice = voices[index] else { break }
        lastNote = max(lastNote, Int(fluid_voice_get_id(voice)))
      }
    }
    switch event.action {
    case .tune: retune(event, performance, synth)
    case .noteOn: tuneNew(message.channel, performance, synth)
    // In mono mode the note before comes back.
    case .noteOff where performance.channels[Int(message.channel)].isMono: tuneNew(message.channel, performance, synth)
    default: break
    }
    // The settings of a voice take effect at the next call of the synth.
    _ = fluid_synth_get_active_voice_count(synth)
  }

  /// Tunes the voices of notes that began since the last call; in mono mode, where a voice may go on with another key,
  /// all of the channel.
  @_noLocks
  private mutating func tuneNew(
    _ channel: UInt8, _ performance: borrowing Performance, _ synth: OpaquePointer
  ) {
    listVoices(synth)
    var newest = lastNote
    let isMono = performance.channels[Int(channel)].isMono
    for index in 0..<Int(capacity) {
      guard let voice = voices[index] else { break }
      let note = Int(fluid_voice_get_id(voice))
      newest = max(newest, note)
      if fluid_voice_get_channel(voice) == Int32(channel), note > lastNote || isMono { tune(voice, performance) }
    }
    lastNote = newest
  }

  @_noLocks
  private func retune(_ event: EngineEvent, _ performance: borrowing Performance, _ synth: OpaquePointer) {
    listVoices(synth)
    for index in 0..<Int(capacity) {
      guard let voice = voices[index] else { break }
      let (channel, key) = place(of: voice)
      if event.retunes(key, on: channel) { tune(voice, performance) }
    }
  }

  @_noLocks
  private func tune(_ voice: OpaquePointer, _ performance: borrowing Performance) {
    let (channel, key) = place(of: voice)
    // Lets FluidSynth compute the pitch without a tuning.
    fluid_voice_update_param(voice, Int32(GEN_OVERRIDEROOTKEY.rawValue))
    let untuned = Double(fluid_voice_gen_get(voice, Int32(GEN_PITCH.rawValue)))
    let scale = Double(fluid_voice_gen_get(voice, Int32(GEN_SCALETUNE.rawValue))) / 100
    var pitch = untuned + scale * cents(key, channel, performance)
    if scale != 1 {
      // Half a cent more, so that rounding does not lose a whole key.
      let root = ((untuned - scale * 100 * Double(key)) / (1 - scale) + 0.5) / 100
      let rootKey = UInt8(truncatingIfNeeded: Int32(min(max(root, 0), 127)))
      pitch += (1 - scale) * cents(rootKey, channel, performance)
    }
    // A Float is exact to 0.0005 cents; the rest is added.
    let rounded = Float(pitch)
    fluid_voice_gen_set(voice, Int32(GEN_PITCH.rawValue), rounded)
    fluid_voice_gen_incr(voice, Int32(GEN_PITCH.rawValue), Float(pitch - Double(rounded)))
    fluid_voice_update_param(voice, Int32(GEN_PITCH.rawValue))
  }

  /// How far a key is from its equal-tempered pitch.
  @_noLocks
  private func cents(_ key: UInt8, _ channel: UInt8, _ performance: borrowing Performance) -> Double {
    (Double(performance.tunedPitch(key, channel)) - Double(Int32(key))) * 100
  }

  @_noLocks
  private func place(of voice: OpaquePointer) -> (channel: UInt8, key: UInt8) {
    let channel = UInt8(truncatingIfNeeded: fluid_voice_get_channel(voice)) & 15
    return (channel, UInt8(truncatingIfNeeded: fluid_voice_get_actual_key(voice)) & 127)
  }

  /// The voices that sound, and after them nil.
  @_noLocks
  private func listVoices(_ synth: OpaquePointer) { fluid_synth_get_voicelist(synth, voices, capacity, -1) }
}
