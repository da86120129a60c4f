import TestSupport
import Testing

@testable import SynthInstruments

@Suite("System resets and part modes decide what plays drums")
struct PartModeTests {
  private static let gs: [UInt8] = [0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41]
  private static let xg: [UInt8] = [0x43, 0x10, 0x4C, 0, 0, 0x7E, 0]
  private static let gm1: [UInt8] = [0x7E, 0x7F, 9, 1]
  private static let gm2: [UInt8] = [0x7E, 0x7F, 9, 3]

  /// "Use for rhythm part" of a GS part.
  private static func rhythm(part: UInt8, _ map: UInt8) -> [UInt8] {
    let sum = 0x40 + 0x10 + part + 0x15 + map
    return [0x41, 0x10, 0x42, 0x12, 0x40, 0x10 | part, 0x15, map, (128 - sum & 0x7F) & 0x7F]
  }

  private func player() throws -> PlayedRack { try PlayedRack([], soundFonts: [try TestFiles.soundFont]) }

  private func drumChannels(_ player: PlayedRack) -> [Int] {
    _ = player.render(64)
    return (0..<16).filter { player.rack.preset(ofChannel: $0)?.bank == 128 }
  }

  @Test("at first, and after each reset, drums are on channel 10", arguments: [gs, xg, gm1, gm2])
  func resets(_ reset: [UInt8]) throws {
    let player = try player()
    #expect(drumChannels(player) == [9])
    player.play(systemExclusive: Self.rhythm(part: 2, 1))
    player.play(.programChange(channel: 4, program: 40))
    #expect(drumChannels(player) == [1, 9])
    player.play(systemExclusive: reset)
    #expect(drumChannels(player) == [9])
    #expect(player.rack.preset(ofChannel: 4)?.program == 0)
  }

  @Test("a GS part becomes drums of either map, and melodic again", arguments: [UInt8(1), 2])
  func gsParts(_ map: UInt8) throws {
    let player = try player()
    player.play(systemExclusive: Self.gs)
    // Part 0 is channel 10, part 10 is channel 11.
    for part: UInt8 in [1, 9, 10, 15] { player.play(systemExclusive: Self.rhythm(part: part, map)) }
    #expect(drumChannels(player) == [0, 8, 9, 10, 15])
    player.play(systemExclusive: Self.rhythm(part: 0, 0))
    player.play(systemExclusive: Self.rhythm(part: 9, 0))
    #expect(drumChannels(player) == [0, 10, 15])
  }

  @Test("GS parts are not for General MIDI and XG, and a wrong checksum is for nobody")
  func refusedParts() throws {
    for reset in [Self.gm1, Self.xg] {
      let player = try player()
      player.play(systemExclusive: reset)
      player.play(systemExclusive: Self.rhythm(part: 1, 1))
      #expect(drumChannels(player) == [9])
    }
    let player = try player()
    player.play(systemExclusive: Self.rhythm(part: 1, 1).dropLast() + [0x7F])
    #expect(drumChannels(player) == [9])
  }

  @Test("XG makes a channel play drums by bank 127 and by its part mode")
  func xgBanks() throws {
    let player = try player()
    player.play(systemExclusive: Self.xg)
    player.play(systemExclusive: [0x43, 0x10, 0x4C, 8, 3, 7, 1])
    player.play(.controlChange(channel: 2, .bankSelect, value7: 127), .programChange(channel: 2, program: 0))
    player.play(
      .controlChange(channel: 9, .bankSelect, value7: 0), .controlChange(channel: 9, .bankSelectLSB, value7: 0))
    player.play(.programChange(channel: 9, program: 5))
    #expect(drumChannels(player) == [2, 3])
    #expect(player.rack.preset(ofChannel: 9)?.program == 5)
  }

  @Test("a new song begins with the banks of GS, whatever the one before it asked for")
  func banksOfTheNextSong() throws {
    let sampler = try BankFont.withFile { try PlayedSampler($0) }
    sampler.play(Self.xg)
    sampler.reset()
    sampler.play(.controlChange(channel: 0, .bankSelect, value7: 8), .programChange(channel: 0, program: 0))
    #expect(sampler.program(of: 0)[0] == 8)
  }

  @Test("omni off and mono on one channel leave the others as they are")
  func modes() throws {
    let player = try player()
    player.separateFirstChannels()
    player.play(.controlChange(channel: 0, .omniOff, value7: 0), .controlChange(channel: 0, .monoOn, value7: 1))
    player.play(.noteOn(channel: 1, note: 60, velocity7: 100), .noteOn(channel: 1, note: 67, velocity7: 100))
    _ = player.render(4800)
    let voices = player.rack.activeVoiceCount
    player.play(.noteOff(channel: 1, note: 60, velocity7: 0))
    #expect(player.renderStereo(4800).right.contains { abs($0) > 0.001 })
    #expect(voices >= 2)
  }

  @Test("a channel tells its preset's name, or its patches'")
  func names() throws {
    let player = try PlayedRack(
      [InstrumentAssignment(.patch(.bare()), channel: 1), InstrumentAssignment(.patch(.bare(.saw)), channel: 1)],
      soundFonts: [try TestFiles.soundFont])
    #expect(player.rack.preset(ofChannel: 0) == ChannelPreset(name: "Piano 1", bank: 0, program: 0))
    #expect(player.rack.preset(ofChannel: 1) == ChannelPreset(name: "Bare + Bare", bank: nil, program: nil))
    player.play(.programChange(channel: 0, program: 48))
    _ = player.render(64)
    #expect(player.rack.preset(ofChannel: 0)?.program == 48)
    #expect(player.rack.preset(ofChannel: 0)?.name != "Piano 1")
    #expect(player.rack.preset(ofChannel: 16) == nil)
    let none = try PlayedRack(RackConfiguration(sampler: SamplerConfiguration(soundFonts: [])))
    #expect(none.rack.preset(ofChannel: 0) == nil)
  }
}
