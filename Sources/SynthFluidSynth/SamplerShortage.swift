import CSynthFluidSynth
import SynthInstruments

/// Counts the voices that FluidSynth ends early or leaves out because its polyphony is reached, which it does not tell.
/// [audio thread]
///
/// While a note begins, no voice ends but for others: those that it cuts off or that strike the same key fade out. So
/// what is missing of the voices before and those of the new note was stolen. FluidSynth numbers its notes in their
/// order. Voices of the new note that end for others of it are not counted.
struct SamplerShortage: ~Copyable {
  private typealias Voices = (newest: UInt32?, newestCount: Int, count: Int)

  private let polyphony: Int
  private let list: UnsafeMutablePointer<OpaquePointer?>
  /// Before the note.
  private var before: Voices = (nil, 0, 0)
  private var stolenCount = 0
  private var lostCount = 0

  /// - Parameter polyphony: FluidSynth's.
  init(polyphony: Int) {
    self.polyphony = polyphony
    list = .allocate(capacity: polyphony + 1)
    list.initialize(repeating: nil, count: polyphony + 1)
  }

  deinit { list.deallocate() }

  /// Before a note begins.
  @_noLocks
  mutating func prepare(_ synth: OpaquePointer) {
    before = isReached(synth) ? voices(synth) : (nil, 0, Int(fluid_synth_get_active_voice_count(synth)))
  }

  /// When it has begun.
  ///
  /// - Parameter isWhole: whether FluidSynth had a voice for all of it.
  @_noLocks
  mutating func follow(_ synth: OpaquePointer, isWhole: Bool) {
    guard isReached(synth) else { return }
    let now = voices(synth)
    if !isWhole { lostCount &+= 1 }
    if now.newest != before.newest { stolenCount &+= max(before.count &+ now.newestCount &- now.count, 0) }
  }

  /// Hands the counts over.
  @_noLocks
  mutating func report(in quantum: inout EngineQuantum) {
    quantum.stolenVoiceCount &+= stolenCount
    quantum.lostVoiceCount &+= lostCount
    (stolenCount, lostCount) = (0, 0)
  }

  /// Whether all voices are taken. Until the next quantum FluidSynth counts those that were stolen, too.
  @_noLocks
  private func isReached(_ synth: OpaquePointer) -> Bool {
    Int(fluid_synth_get_active_voice_count(synth)) >= polyphony
  }

  /// The voices, and those of the note that began last.
  @_noLocks
  private func voices(_ synth: OpaquePointer) -> Voices {
    fluid_synth_get_voicelist(synth, list, Int32(truncatingIfNeeded: polyphony &+ 1), -1)
    var voices: Voices = (nil, 0, 0)
    while voices.count <= polyphony, let voice = list[voices.count] {
      let id = fluid_voice_get_id(voice)
      if let newest = voices.newest, id <= newest {
        if id == newest { voices.newestCount &+= 1 }
      } else {
        (voices.newest, voices.newestCount) = (id, 1)
      }
      voices.count &+= 1
    }
    return voices
  }
}
