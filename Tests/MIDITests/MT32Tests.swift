import TestSupport
import Testing

@testable import SynthMIDI

@Suite("Songs for the MT-32")
struct MT32Tests {
  /// A display message for the MT-32, and the resets of others.
  private static let mt32: [UInt8] = [0x41, 0x10, 0x16, 0x12, 0x20, 0, 0, 0x41, 0x1F]
  private static let gm: [UInt8] = [0x7E, 0x7F, 9, 1]
  private static let gs: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41]

  private func song(_ messages: [UInt8]...) throws -> Song {
    Song(try MIDIFile(bytes: smf(tracks: [messages.flatMap { [0] + $0 } + end()])))
  }

  private func exclusive(_ payload: [UInt8]) -> [UInt8] { [0xF0] + vlq(payload.count + 1) + payload + [0xF7] }

  @Test("are those that address one before they reset another kind of synthesizer")
  func detection() throws {
    #expect(try song(exclusive(Self.mt32), exclusive(Self.gm)).isForMT32)
    #expect(try song(exclusive(Self.mt32), exclusive(Self.gm)).standards == [.mt32, .gm])
    #expect(try !song(exclusive(Self.gs), exclusive(Self.mt32)).isForMT32)
    #expect(try !song([0xC1, 48]).isForMT32)
  }

  @Test("have programs, pan and drums of General MIDI instead, until a reset")
  func mapping() throws {
    let song = try song(
      exclusive(Self.mt32), [0xC1, 68], [0xB1, 10, 0], [0xB1, 10, 64], [0xC9, 68], [0x99, 73, 100], [0x89, 73, 0],
      [0x91, 73, 100], exclusive(Self.gm), [0xC1, 68])
    let messages = MT32Mapping.auto.applied(to: song).events.map(\.message).filter { $0.kind != .systemExclusive }
    #expect(
      messages == [
        .programChange(channel: 1, program: 36), .controlChange(channel: 1, .pan, value7: 127),
        .controlChange(channel: 1, .pan, value7: 64), .programChange(channel: 9, program: 68),
        .noteOn(channel: 9, note: 58, velocity7: 100), .noteOff(channel: 9, note: 58, velocity7: 0),
        .noteOn(channel: 1, note: 73, velocity7: 100), .programChange(channel: 1, program: 68),
      ])
    #expect(MT32Mapping.off.applied(to: song).hasEvents(of: song))
  }

  @Test("have every program in General MIDI; other songs stay as they are, unless all are to be mapped")
  func table() throws {
    #expect(MT32Programs.programs.count == 128 && MT32Programs.programs.allSatisfy { $0 < 128 })
    let plain = try song([0xC1, 48])
    #expect(MT32Mapping.auto.applied(to: plain).hasEvents(of: plain))
    #expect(MT32Mapping.on.applied(to: try song([0xC1, 127])).events[0].message.program == 104)
  }
}
