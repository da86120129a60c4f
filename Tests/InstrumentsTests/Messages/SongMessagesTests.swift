import SynthMIDI
import TestSupport
import Testing

@testable import SynthInstruments

/// What a song says is counted by kind, and what nothing follows is told.
@Suite("Messages of songs", .timeLimit(.minutes(1)))
struct SongMessagesTests {
  private func exclusive(_ payload: [UInt8]) -> [UInt8] { [0, 0xF0] + vlq(payload.count + 1) + payload + [0xF7] }

  private func controls(_ pairs: (UInt8, UInt8)...) -> [UInt8] { pairs.flatMap { [0, 0xB0, $0.0, $0.1] } }

  /// "GS 40 1x 14 3 ignored" for each kind.
  private func kinds(_ bytes: [UInt8]) throws -> [String] {
    let song = Song(try MIDIFile(bytes: smf(tracks: [bytes + end(after: 480)])))
    return SongMessages(song, loops: song.loopPoints).entries.map {
      "\($0.kind): \($0.count)" + ($0.isIgnored ? ", ignored" : "")
    }
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let payload: [UInt8]
    let kinds: [String]

    var testDescription: String { kinds.joined(separator: "; ") }
  }

  private static let exclusives = [
    Case(payload: PartMessages.gmOn, kinds: ["universal 7E 09 01: 1"]),
    Case(payload: PartMessages.gsReset, kinds: ["GS 40 00 7F: 1"]),
    // A reset is one whatever its checksum.
    Case(payload: [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0], kinds: ["GS 40 00 7F: 1"]),
    Case(payload: PartMessages.xgOn, kinds: ["XG 00 00 7E: 1"]),
    Case(payload: [0x7F, 0x7F, 4, 1, 0, 100], kinds: ["universal 7F 04 01: 1"]),
    Case(
      payload: PartMessages.gs((0x40, 1, 0x0F), 32, 2), kinds: ["GS 40 01 00: 1, ignored", "GS 40 01 10: 1, ignored"]),
    // Every reader of GS: parts, the master, equalizers, effects, drum keys.
    Case(payload: PartMessages.gs((0x40, 0x12, 0x19), 100), kinds: ["GS 40 1x 19: 1"]),
    Case(payload: PartMessages.gs((0x40, 0, 4), 100), kinds: ["GS 40 00 04: 1"]),
    Case(payload: PartMessages.gs((0x40, 2, 1), 70), kinds: ["GS 40 02 01: 1"]),
    Case(payload: PartMessages.gs((0x40, 0x41, 0x20), 0), kinds: ["GS 40 4x 20: 1"]),
    Case(payload: PartMessages.gs((0x40, 1, 0x33), 100), kinds: ["GS 40 01 33: 1"]),
    Case(payload: PartMessages.gs((0x40, 1, 0x3C), 100), kinds: ["GS 40 01 3C: 1, ignored"]),
    Case(payload: PartMessages.gs((0x41, 0x12, 36), 100), kinds: ["GS 41 m2 rr: 1"]),
    Case(payload: PartMessages.gs((0x40, 3, 0), 1, 2), kinds: ["GS 40 03 xx: 1, ignored"]),
    Case(payload: [0x41, 0x10, 0x42, 0x12, 0x40, 0x11, 0x19, 100, 0], kinds: ["GS, damaged: 1, ignored"]),
    // Of XG likewise; a type has two bytes.
    Case(payload: PartMessages.xg((8, 9, 0x0B), 100), kinds: ["XG 08 nn 0B: 1"]),
    Case(payload: PartMessages.xg((0, 0, 4), 100), kinds: ["XG 00 00 04: 1"]),
    Case(payload: PartMessages.xg((8, 9, 0x72), 70), kinds: ["XG 08 nn 72: 1"]),
    Case(payload: PartMessages.xg((2, 0x40, 1), 70), kinds: ["XG 02 40 01: 1"]),
    Case(payload: PartMessages.xg((2, 1, 0x4E), 70), kinds: ["XG 02 01 4E: 1, ignored"]),
    Case(payload: PartMessages.xg((2, 1, 0), 1, 0), kinds: ["XG 02 01 00: 1", "XG 02 01 01: 1"]),
    Case(payload: PartMessages.xg((0x31, 36, 2), 100), kinds: ["XG 3n rr 02: 1"]),
    Case(payload: PartMessages.xg((6, 0, 0), 65), kinds: ["XG 06 00 xx: 1, ignored"]),
    Case(payload: [0x43, 0, 0x4C, 0, 1, 8, 0, 0, 0, 0], kinds: ["XG bulk dump 08: 1, ignored"]),
    // Pairs are counted each.
    Case(
      payload: [0x7F, 0x7F, 4, 5, 1, 1, 1, 1, 1, 0, 4, 9, 4],
      kinds: ["universal 7F 04 05 01 00: 1", "universal 7F 04 05 01 09: 1, ignored"]),
    Case(
      payload: [0x7F, 0x7F, 0x0A, 1, 9, 36, 7, 64, 0x10, 64],
      kinds: ["universal 7F 0A 01 07: 1", "universal 7F 0A 01 10: 1, ignored"]),
    Case(payload: [0x41, 0x10, 0x16, 0x12, 8, 0, 0, 1, 2], kinds: ["Roland 16 12 08: 1, ignored"]),
    Case(payload: [0x7D, 1, 2], kinds: ["SysEx of maker 7D: 1, ignored"]),
    Case(payload: [0, 0x20, 0x29, 1], kinds: ["SysEx of maker 00 20 29: 1, ignored"]),
    Case(payload: [], kinds: ["SysEx without bytes: 1, ignored"]),
  ]

  @Test("System Exclusive is counted by what it sets, as its readers read it", arguments: exclusives)
  func exclusive(_ example: Case) throws { #expect(try kinds(exclusive(example.payload)).sorted() == example.kinds) }

  @Test("data entry is counted by the parameter that is selected; drum keys are one kind")
  func parameters() throws {
    let bytes =
      controls((101, 0), (100, 1), (6, 64), (38, 0), (100, 9), (6, 1), (6, 2))
      + controls((99, 1), (98, 0x20), (6, 64), (98, 0x2A), (6, 64), (99, 0x18), (98, 36), (6, 1), (98, 38), (6, 1))
      + controls((99, 120), (98, 8), (6, 64), (99, 127), (98, 127), (6, 0))
    let expected = [
      "NRPN 01 20: 1", "NRPN 01 2A: 1, ignored", "NRPN 18 rr: 2", "NRPN 78 08: 1", "RPN 00 01: 1",
      "RPN 00 09: 2, ignored",
    ]
    #expect(try kinds(bytes).sorted() == expected)
  }

  @Test("a controller is followed by the engines, the effects, modulators that all sounds have, or the song's loops")
  func controllers() throws {
    let engines = try kinds(controls((7, 100), (64, 0), (66, 127), (91, 40), (94, 40), (8, 64), (121, 0), (123, 0)))
    #expect(engines.count == 8 && engines.allSatisfy { $0.hasSuffix(": 1") })
    let others = ["CC 16: 1, ignored", "CC 2: 1, ignored", "CC 70: 1, ignored"]
    #expect(try kinds(controls((2, 1), (16, 1), (70, 1))).sorted() == others)
    #expect(try kinds(controls((111, 0))) == ["CC 111: 1"])
  }

  @Test("routes of GS and XG let key pressure and the controllers that they choose be followed")
  func routes() throws {
    let played: [UInt8] = controls((16, 1), (20, 1)) + [0, 0xA0, 60, 1]
    #expect(try kinds(played).filter { $0.hasSuffix("ignored") }.count == 3)
    let setUp =
      exclusive(PartMessages.gs((0x40, 0x21, 0x30), 70)) + exclusive(PartMessages.gs((0x40, 0x21, 0x40), 70))
      + exclusive(PartMessages.gs((0x40, 0x11, 0x20), 20))
    #expect(try kinds(setUp + played).filter { $0.hasSuffix("ignored") } == [])
  }
}
