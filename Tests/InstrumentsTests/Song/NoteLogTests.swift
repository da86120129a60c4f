import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

/// A tick is 50 frames.
@Suite("The log of a song's notes", .timeLimit(.minutes(5)))
struct NoteLogTests {
  enum Engine: CaseIterable {
    case fluidSynth, oscillators

    func rack(polyphony: Int) throws -> PlayedRack {
      switch self {
      case .oscillators: return try PlayedRack(.bare(), polyphony: polyphony)
      case .fluidSynth:
        var sampler = SamplerConfiguration(soundFonts: [try TestFiles.soundFont])
        sampler.polyphony = polyphony
        return try PlayedRack(RackConfiguration(sampler: sampler))
      }
    }
  }

  /// What becomes of the notes of a song, after as many frames.
  private func traces(
    _ rack: PlayedRack, frames: Int = 48000, _ events: [UInt8]...
  ) throws -> [UInt8: NoteTrace] {
    let track = [0, 0xC0, 16] + events.flatMap(\.self) + end(after: 960)
    let song = Song(try MIDIFile(bytes: smf(format: 0, tracks: [track])))
    let timeline = Timeline(song, sampleRate: 48000)
    let log = NoteLog(of: timeline)
    rack.rack.events.play(timeline, notes: log)
    _ = rack.render(frames)
    let notes = song.events.indices.filter { song.events[$0].message.kind == .noteOn }
    return Dictionary(uniqueKeysWithValues: notes.map { (song.events[$0].message.note, log[$0]) })
  }

  @Test("of more notes than voices, those that yield are told of, and end as others begin", arguments: Engine.allCases)
  func stolen(_ engine: Engine) throws {
    // Ten keys, held, 1000 frames apart.
    let strikes = (UInt8(50)..<60).flatMap { key -> [UInt8] in [20, 0x90, key, 100] }
    let notes = try traces(try engine.rack(polyphony: 4), strikes)
    #expect(notes.values.allSatisfy { $0.start < $0.end })
    let (stolen, kept) = (notes.filter(\.value.isStolen), notes.filter { !$0.value.isStolen })
    #expect(stolen.count >= 6 && kept[59] != nil)
    #expect(stolen.values.allSatisfy { $0.end < 12000 } && kept.values.allSatisfy { $0.end >= 48000 - 64 })
    // With a voice for each there is no need.
    #expect(try traces(try engine.rack(polyphony: 64), strikes).values.allSatisfy { !$0.isStolen })
  }

  @Test("voices that yield are counted, and none where there are enough", arguments: Engine.allCases)
  func count(_ engine: Engine) throws {
    let strikes = (UInt8(50)..<60).flatMap { key -> [UInt8] in [20, 0x90, key, 100] }
    let few = try engine.rack(polyphony: 4)
    _ = try traces(few, strikes)
    #expect((few.rack.stolenVoiceCount, few.rack.lostVoiceCount) == (6, 0))
    let enough = try engine.rack(polyphony: 64)
    _ = try traces(enough, strikes)
    #expect(enough.rack.stolenVoiceCount == 0 && enough.rack.lostVoiceCount == 0)
  }

  @Test("All Sound Off and a key that is struck again steal nothing", arguments: Engine.allCases)
  func ended(_ engine: Engine) throws {
    let notes = try traces(
      try engine.rack(polyphony: 64), [0, 0x90, 50, 100], [0, 0x90, 60, 100], [20, 0xB0, 120, 0], [20, 0x90, 61, 100])
    #expect(notes.values.allSatisfy { !$0.isStolen })
    #expect([50, 60].allSatisfy { (1000..<3000).contains(notes[$0]?.end ?? 0) })
  }

  @Test("in mono mode a note ends as the next begins, and is recorded when it comes back", arguments: Engine.allCases)
  func mono(_ engine: Engine) throws {
    let notes = try traces(
      try engine.rack(polyphony: 64), [0, 0xB0, 126, 1], [0, 0x90, 60, 100], [10, 0x90, 64, 100], [20, 0x80, 64, 0],
      [170, 0x80, 60, 0])
    let (first, second) = (try #require(notes[60]), try #require(notes[64]))
    #expect(first.start == 0 && (448...500).contains(second.start))
    #expect((1472..<9000).contains(second.end))
    #expect(first.end > 10000)
  }
}
