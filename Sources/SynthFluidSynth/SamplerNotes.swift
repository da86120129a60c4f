import CSynthFluidSynth
import SynthInstruments
import SynthMIDI

/// Which notes the voices of FluidSynth belong to, while that is recorded. [audio thread]
///
/// FluidSynth numbers its notes, and each voice tells the number, its channel and its key. A number that is new belongs
/// to the note that struck the key last.
struct SamplerNotes: ~Copyable {
  private struct Sounding: BitwiseCopyable {
    /// FluidSynth's number.
    let id: UInt32
    /// That of the log of notes; 0 for a note that is not in it.
    var number: UInt32
    var key: UInt8
    var hasVoices = true
    /// Whether it has been in a quantum.
    var wasHeard = false
  }

  private let voices: UnsafeMutablePointer<OpaquePointer?>
  private let capacity: Int
  /// By `id`, ascending.
  private let sounding: UnsafeMutablePointer<Sounding>
  private var soundingCount = 0
  /// The notes that were stolen since the last quantum and had been heard before.
  private let stolen: UnsafeMutablePointer<UInt32>
  private var stolenCount = 0
  /// For each channel the notes that struck its 128 keys last.
  private let numbers: UnsafeMutablePointer<UInt32>

  /// - Parameter polyphony: FluidSynth's.
  init(polyphony: Int) {
    capacity = polyphony + 1
    voices = .allocate(capacity: capacity)
    voices.initialize(repeating: nil, count: capacity)
    sounding = .allocate(capacity: 2 * capacity)
    stolen = .allocate(capacity: capacity)
    numbers = .allocate(capacity: 128 * midiChannelCount)
    numbers.initialize(repeating: 0, count: 128 * midiChannelCount)
  }

  deinit {
    voices.deallocate()
    sounding.deallocate()
    stolen.deallocate()
    numbers.deallocate()
  }

  /// Before a note that is recorded begins.
  @_noLocks
  mutating func prepare(_ event: EngineEvent, _ synth: OpaquePointer) {
    look(at: synth)
    sweep(areStolen: false)
    numbers[Int(event.message.channel) &* 128 &+ Int(event.message.note)] = event.number
  }

  /// When it has begun: a note that has lost its last voice meanwhile has given it.
  @_noLocks
  mutating func follow(_ synth: OpaquePointer) {
    look(at: synth)
    sweep(areStolen: true)
  }

  /// Tells which notes sound in a quantum, before it is rendered.
  @_noLocks
  mutating func record(_ quantum: EngineQuantum, _ synth: OpaquePointer) {
    look(at: synth)
    sweep(areStolen: false)
    for index in 0..<soundingCount {
      sounding[index].wasHeard = true
      quantum.sounds(sounding[index].number)
    }
    for index in 0..<stolenCount { quantum.stole(stolen[index]) }
    stolenCount = 0
  }

  /// FluidSynth was reset.
  @_noLocks
  mutating func forget() { soundingCount = 0 }

  /// Finds the notes of all voices.
  @_noLocks
  private mutating func look(at synth: OpaquePointer) {
    for index in 0..<soundingCount { sounding[index].hasVoices = false }
    fluid_synth_get_voicelist(synth, voices, Int32(truncatingIfNeeded: capacity), -1)
    for index in 0..<capacity {
      guard let voice = voices[index] else { return }
      let (id, key) = (fluid_voice_get_id(voice), UInt8(truncatingIfNeeded: fluid_voice_get_key(voice)) & 127)
      let number = numbers[Int(fluid_voice_get_channel(voice) & 15) &* 128 &+ Int(key)]
      let place = place(of: id)
      if place < soundingCount, sounding[place].id == id {
        sounding[place].hasVoices = true
        // In mono mode a voice may go on with another key.
        if sounding[place].key != key { (sounding[place].number, sounding[place].key) = (number, key) }
      } else {
        insert(Sounding(id: id, number: number, key: key), at: place)
      }
    }
  }

  /// Forgets the notes without voices.
  @_noLocks
  private mutating func sweep(areStolen: Bool) {
    var kept = 0
    for index in 0..<soundingCount {
      let note = sounding[index]
      if note.hasVoices {
        sounding[kept] = note
        kept &+= 1
      } else if areStolen, note.wasHeard, stolenCount < capacity {
        stolen[stolenCount] = note.number
        stolenCount &+= 1
      }
    }
    soundingCount = kept
  }

  /// Where a note is, or would be.
  @_noLocks
  private func place(of id: UInt32) -> Int {
    var (low, high) = (0, soundingCount)
    while low < high {
      let middle = (low &+ high) / 2
      if sounding[middle].id < id { low = middle &+ 1 } else { high = middle }
    }
    return low
  }

  /// Each note in the list has a voice, or had one at the last look, and there is room for both.
  @_noLocks
  private mutating func insert(_ note: Sounding, at place: Int) {
    guard soundingCount < 2 &* capacity else { return }
    var index = soundingCount
    while index > place {
      sounding[index] = sounding[index &- 1]
      index &-= 1
    }
    sounding[place] = note
    soundingCount &+= 1
  }
}
