import SynthMIDI
import TestSupport
import Testing

@Suite("A file that is read and written is the same song")
struct RoundTripTests {
  private func check(_ file: MIDIFile, runningStatus: Bool) throws {
    let sequence = MusicSequence(file)
    let written = try MIDIFile(bytes: MIDIFile(sequence).bytes(runningStatus: runningStatus))
    #expect(written.warnings.isEmpty)
    #expect(written.format == file.format && written.division == file.division)
    #expect(written.tracks == file.tracks)
    #expect(MusicSequence(written) == sequence)
    let (a, b) = (Song(file), Song(written))
    #expect(b.hasEvents(of: a) && b.duration == a.duration && b.texts == a.texts && b.textEncoding == a.textEncoding)
  }

  @Test("every song of openttd-openmsx: events, ticks, texts and times", arguments: RealSongTests.names)
  func songs(name: String) throws {
    let file = try MIDIFile(path: TestFiles.song(name))
    for runningStatus in [true, false] { try check(file, runningStatus: runningStatus) }
    let single = try MIDIFile(bytes: MIDIFile(MusicSequence(file), format: .single).bytes())
    #expect(single.tracks.count == 1)
    // The tracks of the events apart, it is the same song.
    let (a, b) = (Song(file), Song(single))
    #expect(a.events.map(\.message) == b.events.map(\.message) && a.events.map(\.seconds) == b.events.map(\.seconds))
    #expect(a.duration == b.duration)
  }

  @Test("8000 mutations of a file of all kinds of events: whatever is read is written so, or refused")
  func mutations() throws {
    let valid = smf(tracks: [
      text(3, "Title") + tempo(400_000) + tempo(600_000, after: 100) + text(5, "la", after: 9) + end(after: 5),
      [0, 0xC1, 4, 3, 0xF0, 3, 1, 2, 3, 3, 0xF7, 2, 4, 0xF7] + note(60) + [5, 61, 0, 0, 0xE0, 0, 64, 1, 0xD0, 3]
        + [2, 0xA0, 60, 4, 1, 0xF7, 1, 0xF8, 1, 0xFF, 0x7F, 2, 0, 1] + end(after: 0x12345),
    ])
    var random = SplitMix64(seed: 5)
    var (same, refused) = (0, 0)
    for _ in 0..<8000 {
      var bytes = valid
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 8..<bytes.count, using: &random)
        if Bool.random(using: &random) {
          bytes[index] = UInt8.random(in: 0...255, using: &random)
        } else {
          bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
        }
      }
      guard let file = try? MIDIFile(bytes: bytes) else { continue }
      let sequence = MusicSequence(file)
      do {
        let written = try MIDIFile(bytes: MIDIFile(sequence).bytes())
        #expect(MusicSequence(written) == sequence)
        same += 1
      } catch let error as MIDIFileWritingError {
        guard case .deltaTooLong = error.cause else {
          Issue.record(error)
          continue
        }
        refused += 1
      }
    }
    #expect(same > 7000 && refused > 10)
  }
}
