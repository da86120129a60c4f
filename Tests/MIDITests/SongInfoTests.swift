import SynthMIDI
import TestSupport
import Testing

@Suite("Song info")
struct SongInfoTests {
  private func info(_ tracks: [UInt8]..., division: UInt16 = 480) throws -> SongInfo {
    SongInfo(try MIDIFile(bytes: smf(division: division, tracks: tracks.map { $0 + end() })))
  }

  private func meta(_ type: UInt8, _ bytes: UInt8..., after delta: Int = 0) -> [UInt8] {
    vlq(delta) + [0xFF, type, UInt8(bytes.count)] + bytes
  }

  @Test("tells tracks with names, instruments, channels and counts")
  func tracks() throws {
    let info = try info(
      text(3, "Song") + text(2, "1999 me"),
      text(3, " ") + text(3, "Keys") + text(4, "Piano") + [0, 0xC3, 1, 0, 0x90, 60, 1, 0, 0x90, 60, 0])
    #expect(info.tracks.map(\.name) == ["Song", "Keys"])
    #expect(info.tracks.map(\.channels) == [[], [0, 3]])
    #expect(info.tracks.map(\.eventCount) == [2, 6])
    #expect(info.tracks.map(\.noteCount) == [0, 1])
    #expect(info.tracks[1].instrumentNames == ["Piano"])
    #expect(info.title == "Song" && info.copyright == "1999 me" && info.format == .simultaneous)
  }

  @Test("tells tempos with their time, bar and beat; the same again is no change")
  func tempos() throws {
    let info = try info(
      tempo(1_000_000) + tempo(1_000_000, after: 480) + meta(0x58, 3, 2, 24, 8, after: 0)
        + tempo(500_000, after: 480 * 4))
    #expect(info.tempos.map(\.value) == [60, 120])
    #expect(info.tempos.map(\.start.seconds) == [0, 5])
    // A time signature amid a bar begins one.
    #expect(info.tempos.map { $0.start.position?.description } == ["1:1", "3:2"])
    #expect(try self.info(note(60)).tempos.map(\.value) == [120])
  }

  @Test("tells time signatures and keys where they change, and no meaningless ones")
  func signatures() throws {
    let info = try info(
      meta(0x58, 6, 3, 24, 8) + meta(0x59, 0xFE, 0) + meta(0x58, 4, 2, 24, 8, after: 1440) + meta(0x59, 3, 1),
      meta(0x58, 4, 2, after: 1440) + meta(0x58, 0, 2) + meta(0x58, 4, 200) + meta(0x59, 9, 0) + meta(0x59, 1))
    #expect(info.timeSignatures.map(\.value.description) == ["6/8", "4/4"])
    #expect(info.timeSignatures.map { $0.start.position?.description } == ["1:1", "2:1"])
    #expect(info.keySignatures.map(\.value.description) == ["B flat major", "F sharp minor"])
    #expect(info.moment(at: 1440 + 480 * 5 + 7).position?.description == "3:2")
    #expect(info.moment(at: 1440 + 480 * 5 + 7).position?.ticks == 7)
  }

  @Test(
    "names all keys",
    arguments: [
      (-7, false, "C flat major"), (0, false, "C major"), (7, false, "C sharp major"), (-7, true, "A flat minor"),
      (0, true, "A minor"), (7, true, "A sharp minor"), (-1, false, "F major"), (1, true, "E minor"),
    ])
  func keys(sharps: Int, isMinor: Bool, name: String) throws {
    let info = try info(meta(0x59, UInt8(bitPattern: Int8(sharps)), isMinor ? 1 : 0))
    #expect(info.keySignatures.map(\.value.description) == [name])
  }

  @Test("has no bars and no tempo in a file of SMPTE time")
  func smpte() throws {
    let info = try info(tempo(1_000_000) + meta(0x58, 3, 2, 24, 8) + note(60, after: 1000), division: 0xE728)
    #expect(info.tempos.isEmpty && info.moment(at: 1000).position == nil && info.song.duration == 1)
  }

  @Test("tells the programs of a channel in the order of their notes, with banks, and the range of keys")
  func channels() throws {
    let info = try info(
      [
        0, 0x90, 60, 1, 0, 0xC0, 5, 0, 0xB0, 0, 8, 0, 0x90, 72, 1, 0, 0xC0, 48, 0, 0x90, 48, 1, 0, 50, 1, 0, 0x99, 36,
        1,
      ])
    #expect(info.channels.map(\.number) == [0, 9])
    #expect(info.channels[0].programs.map(\.number) == [nil, 5, 48])
    // A bank counts from the next program change on.
    #expect(info.channels[0].programs.map(\.bank) == [0, 0, 8])
    #expect(info.channels[0].programs.map(\.noteCount) == [1, 1, 2])
    #expect(info.channels[0].keys == 48...72 && info.noteCount == 5)
    #expect(info.channels.map { $0.programs.map(\.isDrums) } == [[false, false, false], [true]])
  }

  @Test("knows what resets make of banks, and where GS and XG have drums")
  func standards() throws {
    let xg: [UInt8] = [0, 0xF0, 8, 0x43, 0x10, 0x4C, 0, 0, 0x7E, 0, 0xF7]
    let gm: [UInt8] = [0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]
    let drums: [UInt8] = [0, 0xF0, 10, 0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x15, 1, 0x19, 0xF7]
    let bank: [UInt8] = [0, 0xB0, 0, 3, 0, 0xB0, 32, 7, 0, 0xC0, 1]
    #expect(try info(bank + note(60)).channels[0].programs.map(\.bank) == [3])
    #expect(try info(xg + bank + note(60)).channels[0].programs.map(\.bank) == [7])
    #expect(try info(gm + bank + note(60)).channels[0].programs.map(\.bank) == [0])
    #expect(try info(xg + [0, 0xB0, 0, 127, 0, 0xC0, 1] + note(60)).channels[0].programs.map(\.isDrums) == [true])
    #expect(try info(drums + note(60)).channels[0].programs.map(\.isDrums) == [true])
    #expect(try info(drums + gm + note(60)).channels[0].programs.map(\.isDrums) == [false])
  }

  @Test("counts the keys that are held at once, a key that is struck again once")
  func polyphony() throws {
    let struck: [UInt8] = [0, 0x90, 60, 1, 0, 60, 1, 0, 62, 1, 9, 0x80, 60, 0, 0, 0x91, 60, 1, 0, 0x90, 64, 1]
    let info = try info(struck + [0, 0xB0, 123, 0] + note(65))
    #expect(info.polyphony == 3)
    #expect(info.channels.map(\.polyphony) == [2, 1])
    #expect(try self.info(text(1, "x")).polyphony == 0)
  }

  @Test("tells markers and cue points, and takes the title from karaoke or container first")
  func texts() throws {
    let info = try info(
      text(3, "Soft karaoke") + text(1, "@TDaisy") + text(6, "Verse", after: 480) + text(7, "Curtain") + text(6, " "))
    #expect(info.markers.map(\.string) == ["Verse", "Curtain"])
    #expect(info.title == "Daisy")
  }

  @Test("General MIDI has 128 names")
  func names() {
    #expect(GeneralMIDI.name(ofProgram: 0) == "Acoustic Grand Piano")
    #expect(GeneralMIDI.name(ofProgram: 48) == "String Ensemble 1")
    #expect(GeneralMIDI.name(ofProgram: 127) == "Gunshot")
    #expect(Set((0..<128).map { GeneralMIDI.name(ofProgram: $0) }).count == 128)
  }
}
