import MIDI
import TestSupport
import Testing

@Suite("RMID containers")
struct ContainerTests {
  private func riff(_ tag: String, _ bytes: [UInt8]) -> [UInt8] {
    Array(tag.utf8) + bigEndian32(bytes.count).reversed() + bytes + (bytes.count % 2 == 1 ? [0] : [])
  }

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
