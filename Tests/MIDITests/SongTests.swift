import SynthMIDI
import TestSupport
import Testing

@Suite("Song")
struct SongTests {
  private func song(_ format: UInt8, _ tracks: [UInt8]...) throws -> Song {
    Song(try MIDIFile(bytes: smf(format: format, tracks: tracks)))
  }

  @Test("tracks are merged by tick, lower tracks first, each in its own order")
  func merge() throws {
    let song = try song(
      1, note(60) + note(61) + note(62, after: 480) + end(),
      note(70) + note(71, after: 240) + note(72, after: 240) + end())
    #expect(song.events.map(\.message.note) == [60, 61, 70, 71, 62, 72])
    #expect(song.events.map(\.seconds) == [0, 0, 0, 0.25, 0.5, 0.5])
    #expect(song.events.map(\.track) == [0, 0, 1, 1, 0, 1])
  }

  @Test("the end of the longest track is the duration, notes or not")
  func duration() throws {
    #expect(try song(1, note(60) + end(after: 960), note(60, after: 480) + end()).duration == 1)
    #expect(try song(1, note(60, after: 480)).duration == 0.5)
    #expect(try song(1).duration == 0)
  }

  @Test("the tracks of format 2 follow one another, each at its own tempo")
  func independentTracks() throws {
    let song = try song(2, tempo(1_000_000) + note(60) + end(after: 480), note(61) + end(after: 480))
    #expect(song.events.map(\.message.note) == [60, 61])
    #expect(song.events.map(\.seconds) == [0, 1])
    #expect(song.duration == 1.5)
  }

  @Test("texts have their kind, track and time; the first track's name is the title")
  func texts() throws {
    let song = try song(
      1, text(3, " ") + text(3, "Song") + text(6, "Verse", after: 480) + end(),
      text(3, "Piano") + text(5, "la", after: 240) + end())
    #expect(song.title == "Song")
    #expect(song.texts.map(\.string) == [" ", "Song", "Piano", "la", "Verse"])
    #expect(song.texts.map(\.type) == [.trackName, .trackName, .trackName, .lyric, .marker])
    #expect(song.texts.map(\.seconds) == [0, 0, 0, 0.25, 0.5])
    #expect(song.texts.map(\.track) == [0, 0, 1, 1, 0])
    #expect(try self.song(1, text(1, "no name") + end()).title == nil)
  }

  @Test("text is UTF-8 or else Windows-1252, without what a terminal would interpret")
  func encodings() throws {
    let bytes: [UInt8] = [0, 0xFF, 1, 2, 0xE9, 0x07] + text(1, "é\u{1B}[2J\r\n")
    #expect(try song(1, bytes + end()).texts.map(\.string) == ["é", "é[2J\r\n"])
  }

  @Test("System Exclusive messages play with their bytes")
  func systemExclusive() throws {
    let song = try song(1, [0, 0xF0, 3, 1, 2, 0xF7] + note(60) + [0, 0xF0, 2, 9, 0xF7] + end())
    #expect(song.events.map(\.message.kind) == [.systemExclusive, .noteOn, .systemExclusive])
    #expect(song.events.map { Array(song.payload(of: $0)) } == [[1, 2], [], [9]])
  }

  @Test("tells the ports that its tracks with notes are for")
  func ports() throws {
    func port(_ number: UInt8) -> [UInt8] { [0, 0xFF, 0x21, 1, number] }
    func ports(_ tracks: [UInt8]...) throws -> [UInt8] {
      Song(try MIDIFile(bytes: smf(tracks: tracks.map { $0 + end() }))).ports
    }
    #expect(try ports(note(60)) == [0] && ports([]) == [])
    #expect(try ports(port(1) + note(60), port(0) + note(60), port(5)) == [0, 1])
    // It holds for its track, from there on.
    #expect(try ports(note(60) + port(2) + note(61), port(2) + note(60)) == [0, 2])
    #expect(try ports([0, 0xFF, 0x21, 0] + note(60), port(255) + note(60)) == [0, 255])
  }
}
