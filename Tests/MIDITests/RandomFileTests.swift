import SynthMIDI
import TestSupport
import Testing

@Suite("Random and mutated files never trap")
struct RandomFileTests {
  /// Reads the bytes and walks everything that came of them; whatever is read must be in order.
  private func exercise(_ bytes: [UInt8]) {
    guard let file = try? MIDIFile(bytes: bytes) else { return }
    #expect(file.events.count <= bytes.count)
    for track in file.tracks {
      let ticks = file.events[track.events].map(\.tick)
      #expect(ticks == ticks.sorted() && ticks.last ?? 0 <= track.endTick)
    }
    let info = SongInfo(file)
    #expect(info.noteCount <= bytes.count && info.loopPoints.allSatisfy { $0.start.tick < $0.end.tick })
    #expect(info.lyrics.lines.allSatisfy { !$0.syllables.isEmpty })
    let song = info.song
    // The beats of weeks take minutes where nothing is optimised: some such songs will do.
    guard song.duration < 3600 || bytes.count % 16 == 0 else { return }
    let timeline = Timeline(song, sampleRate: 48_000)
    let events = timeline.copiedEvents
    #expect(events.count == song.events.count)
    let times = events.map(\.time) + [timeline.duration]
    #expect(times == times.sorted())
    #expect(events.map { Int($0.payloadCount) }.reduce(0, +) <= bytes.count)
  }

  /// A file of two tracks in which every kind of event occurs.
  private let valid = smf(tracks: [
    text(3, "Title") + tempo(400_000) + tempo(600_000, after: 100) + text(5, "la", after: 9) + end(after: 5),
    [0, 0xC1, 4, 3, 0xF0, 3, 1, 2, 3, 3, 0xF7, 2, 4, 0xF7] + note(60) + [5, 61, 0, 0, 0xE0, 0, 64, 1, 0xD0, 3]
      + [0, 0xB0, 7, 100, 0, 0xA0, 60, 1, 2, 0xF7, 2, 0xF3, 1, 0, 0xFF, 0x7F, 2, 0, 0] + end(after: 0x3FFF),
  ])

  @Test("the file the mutations start from is valid")
  func start() throws {
    #expect(try MIDIFile(bytes: valid).warnings.isEmpty)
  }

  @Test("2000 tracks of random bytes")
  func randomBytes() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<2000 {
      let track = (0..<Int.random(in: 0...200, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
      exercise(smf(division: UInt16.random(in: 0...0xFFFF, using: &random), tracks: [track, track]))
      exercise(track)
    }
  }

  @Test("8000 mutations: bytes changed, cut out, repeated, and the end cut off")
  func mutations() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<8000 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.remove(at: index)
        case 3: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 9)], at: index)
        default: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0...20, using: &random)))
        }
      }
      exercise(bytes)
    }
  }

  @Test("every file cut short at every byte")
  func prefixes() {
    for count in 0...valid.count { exercise(Array(valid.prefix(count))) }
  }
}
