import SynthMIDI
import TestSupport
import Testing

@Suite("RMID containers")
struct ContainerTests {
  private func container(_ chunks: [UInt8]...) throws -> MIDIFile.Container? {
    let file = try MIDIFile(bytes: riff("RIFF", Array("RMID".utf8) + chunks.flatMap { $0 }))
    #expect(file.events.count == 1)
    return file.container
  }

  private let song = smf(tracks: [note(60) + end()])

  @Test("tell title, artist and copyright, before the song or after it, in any encoding")
  func info() throws {
    let list = riff(
      "LIST",
      Array("INFO".utf8) + riff("INAM", Array("Daisy\0".utf8)) + riff("IART", [0x4D, 0xFC, 0x6C, 0])
        + riff("ICMT", [0]))
    for container in [try container(list, riff("data", song)), try container(riff("data", song), list)] {
      #expect(container?.info == [.init(tag: "INAM", text: "Daisy"), .init(tag: "IART", text: "Mül")])
      #expect(container?["IART"] == "Mül" && container?["ICOP"] == nil)
    }
  }

  @Test(
    "tell of the bank they hold",
    arguments: [("sfbk", MIDIFile.Container.Bank.Kind.soundFont), ("DLS ", .downloadableSounds)])
  func bank(form: String, kind: MIDIFile.Container.Bank.Kind) throws {
    let bank = try container(riff("data", song), riff("RIFF", Array(form.utf8) + Array(repeating: 1, count: 100)))?.bank
    #expect(bank?.kind == kind && bank?.byteCount == 104)
  }

  private func entry(_ text: String, _ tag: String) -> (tag: String, bytes: [UInt8]) { (tag, Array(text.utf8)) }

  /// Its presets by bank, each of program 0: what follows the list ends it.
  private func soundFont(_ banks: [UInt8]) -> [UInt8] {
    let records = (banks + [0]).flatMap { bank in
      [UInt8](repeating: 65, count: 20) + [0, 0, bank, 0] + [UInt8](repeating: 0, count: 14)
    }
    let lists =
      riff("LIST", Array("INFO".utf8) + riff("INAM", Array("Pads\0".utf8)))
      + riff("LIST", Array("pdta".utf8) + riff("phdr", records))
    return riff("RIFF", Array("sfbk".utf8) + lists)
  }

  @Test("move their SoundFont's banks up, by 1 or as they say; drums stay, and what goes beyond 127 is in bank 0")
  func bankOffset() throws {
    func banks(_ info: (tag: String, bytes: [UInt8])...) throws -> [UInt8] {
      let bank = try MIDIFile(bytes: rmid(song, bank: soundFont([0, 5, 127, 128]), info: info)).container?.bank
      #expect(bank?.bytes == soundFont([0, 5, 127, 128]) && bank?.name == "Pads")
      let font = try #require(bank?.soundFont)
      return (0..<4).map { font[58 + 38 * $0 + 22] }
    }
    #expect(try banks() == [1, 6, 0, 128])
    #expect(try banks(("DBNK", [0, 0])) == [0, 5, 127, 128])
    #expect(try banks(("DBNK", [5, 0])) == [5, 10, 0, 128])
    #expect(try banks(("DBNK", [0, 9])) == [127, 0, 0, 128])
    // No number of two bytes: as if it were not there.
    #expect(try banks(("DBNK", [3])) == [1, 6, 0, 128])
  }

  @Test("with a DLS bank have no SoundFont; damaged ones have what is there")
  func noSoundFont() throws {
    let dls = riff("RIFF", Array("DLS ".utf8) + [1, 2, 3, 4])
    #expect(try container(riff("data", song), dls)?.bank?.soundFont == nil)
    for count in [12, 20, 60, 90] {
      let cut = Array(soundFont([0, 1]).prefix(count))
      let bank = try MIDIFile(bytes: rmid(song, bank: cut)).container?.bank
      #expect(bank?.soundFont?.count == count)
    }
  }

  @Test("say how their texts are encoded, and those of the song; what is no text is left out")
  func encodings() throws {
    let name: [UInt8] = [0xC8, 0xF1]
    func title(_ encoding: String) throws -> String? {
      let info = [("INAM", name), entry(encoding, "IENC"), ("DBNK", [65, 66])]
      let container = try MIDIFile(bytes: rmid(song, info: info)).container
      #expect(container?["DBNK"] == nil)
      return container?["INAM"]
    }
    #expect(try title("windows-1251") == "Ис" && title("Windows-1250") == "Čń" && title("windows-1253") == "Θρ")
    // One that is not known is not believed.
    #expect(try title("../../x") == title(""))
    let bytes = smf(tracks: [[0, 0xFF, 3, 2] + name + end()])
    #expect(Song(try MIDIFile(bytes: rmid(bytes, info: [entry("windows-1250", "MENC")]))).title == "Čń")
  }

  @Test("give what they hold to the song, and a byte of padding within their data is no defect")
  func songOfContainer() throws {
    let file = try MIDIFile(bytes: rmid(song + [0], bank: soundFont([0]), info: [entry("Daisy", "INAM")]))
    #expect(file.warnings.isEmpty)
    #expect(Song(file).container == file.container && Song(file).withNotes(ofTrack: 0).container == file.container)
  }

  @Test("may be empty, and a plain file has none")
  func none() throws {
    #expect(try container(riff("data", song)) == MIDIFile.Container())
    #expect(try MIDIFile(bytes: song).container == nil)
  }

  @Test("with lists and lengths that are wrong are read as far as they go")
  func damaged() throws {
    let data = riff("data", song)
    #expect(try container(data, riff("LIST", Array("INF".utf8)))?.info == [])
    #expect(try container(data, riff("LIST", Array("INFO".utf8) + [1]))?.info == [])
    let cut =
      Array("LIST".utf8) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("INFOINAM".utf8) + [0xFF, 0, 0, 0] + Array("Da".utf8)
    #expect(try container(data, cut)?.info.map(\.text) == ["Da"])
  }
}
