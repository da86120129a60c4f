import SynthMIDI
import TestSupport
import Testing

/// Files are made here by the "Extended MIDI Technical Reference" of the Miles Sound System SDK 7.2a.
@Suite("XMIDI files")
struct XMIDITests {
  /// An IFF chunk, padded to an even length.
  private func iff(_ tag: String, _ bytes: [UInt8]) -> [UInt8] { chunk(tag, bytes) + (bytes.count % 2 == 1 ? [0] : []) }

  private func file(_ songs: [UInt8]...) -> [UInt8] {
    let directory = iff("FORM", Array("XDIR".utf8) + iff("INFO", [UInt8(songs.count), 0]))
    let forms = songs.map { song in
      iff("FORM", Array("XMID".utf8) + iff("TIMB", [1, 0, 5, 0]) + iff("EVNT", song))
    }
    return directory + iff("CAT ", Array("XMID".utf8) + forms.flatMap { $0 })
  }

  /// Bytes below 128 whose sum is a time.
  private func wait(_ ticks: Int) -> [UInt8] {
    Array(repeating: 127, count: ticks / 127) + (ticks % 127 > 0 ? [UInt8(ticks % 127)] : [])
  }

  private func note(_ key: UInt8, lasting ticks: Int, on channel: UInt8 = 0) -> [UInt8] {
    [0x90 | channel, key, 100] + vlq(ticks)
  }

  private func control(_ number: UInt8, _ value: UInt8, on channel: UInt8 = 0) -> [UInt8] {
    [0xB0 | channel, number, value]
  }

  private let end: [UInt8] = [0xFF, 0x2F, 0]

  @Test("have lengths with their notes, and ticks of 1/120 s whatever tempo they tell")
  func notes() throws {
    let tempo: [UInt8] = [0xFF, 0x51, 3, 1, 0, 0]
    let song = tempo + [0xC0, 5] + note(60, lasting: 240) + wait(120) + note(64, lasting: 300) + wait(600) + end
    let file = try MIDIFile(bytes: file(song))
    #expect(file.kind == .xmidi && file.format == .single && file.warnings.isEmpty)
    #expect(
      file.summary == ["0:meta81[1, 0, 0]", "0:program5", "0:on60", "120:on64", "240:off60", "420:off64"])
    #expect(file.tracks.map(\.endTick) == [720])
    let played = Song(file)
    #expect(played.events.map(\.seconds) == [0, 0, 1, 2, 3.5] && played.duration == 6)
  }

  @Test("end a note before its key is struck again, and after it was struck")
  func orderAtOneTick() throws {
    let song = note(60, lasting: 10) + wait(10) + note(60, lasting: 0) + end
    #expect(try MIDIFile(bytes: file(song)).summary == ["0:on60", "10:off60", "10:on60", "11:off60"])
    // The song lasts as long as its notes.
    #expect(try MIDIFile(bytes: file(song)).tracks.map(\.endTick) == [11])
  }

  @Test("may hold several songs, which are played one after the other")
  func severalSongs() throws {
    let song = note(60, lasting: 60) + wait(120) + end
    let file = try MIDIFile(bytes: file(song, song))
    #expect(file.format == .independent && file.tracks.count == 2)
    #expect(Song(file).events.map(\.seconds) == [0, 0.5, 1, 1.5])
  }

  @Test("need no directory, and no padding")
  func bare() throws {
    let form = chunk("FORM", Array("XMID".utf8) + chunk("EVNT", note(60, lasting: 60) + end))
    for bytes in [form, form + form, chunk("CAT ", Array("XMID".utf8) + form)] {
      let file = try MIDIFile(bytes: bytes)
      #expect(file.summary.prefix(2) == ["0:on60", "60:off60"] && file.warnings.isEmpty)
    }
  }

  @Test("have loops that count how often they are played, nest, and reach over all channels")
  func loops() throws {
    let inner = control(116, 3, on: 1) + wait(120) + control(117, 127, on: 2)
    let song = control(116, 0) + wait(120) + inner + wait(120) + control(117, 127) + wait(10) + end
    let once = control(116, 1) + wait(120) + control(117, 127) + control(116, 2) + wait(120) + control(117, 0) + end
    let points = Song(try MIDIFile(bytes: file(song))).loopPoints
    #expect(points.map(\.convention) == [.xmidi, .xmidi])
    #expect(points.map(\.start.seconds) == [0, 1] && points.map(\.end.seconds) == [3, 2])
    #expect(points.map(\.repeats) == [nil, 2])
    // Played once, or left, it is none.
    #expect(Song(try MIDIFile(bytes: file(once))).loopPoints.isEmpty)
  }

  @Test("that are damaged play as far as they go, with one warning per defect")
  func damaged() throws {
    let song = note(60, lasting: 60) + wait(120)
    let whole = file(song + end)
    #expect(try MIDIFile(bytes: file(song)).warnings.map(\.defect) == [.missingEndOfTrack])
    let cut = try MIDIFile(bytes: Array(whole.dropLast(4)))
    #expect(cut.summary == ["0:on60", "60:off60"])
    #expect(cut.warnings.map(\.defect) == [.truncatedChunk(claimed: 8, available: 4), .missingEndOfTrack])
    let endless = try MIDIFile(bytes: file([0x90, 60, 100, 0x81]))
    #expect(endless.warnings.map(\.defect) == [.truncatedEvent, .missingEndOfTrack])
    let none = try MIDIFile(bytes: Array(whole.prefix(20)))
    #expect(none.tracks.isEmpty && none.format == .independent)
  }

  @Test("are read again as the song they are written as")
  func writing() throws {
    let read = try MIDIFile(bytes: file(note(60, lasting: 60) + wait(120) + end))
    let written = try MIDIFile(bytes: read.bytes())
    #expect(written.kind == .standard && written.summary == read.summary && written.warnings.isEmpty)
    #expect(Song(written).events.map(\.seconds) == [0, 0.5])
  }
}
