import Glibc
import SynthInstruments
import SynthMIDI
import Testing

@Suite("What parts were told, on oscillators")
struct PartSettingTests {
  /// The root mean square of a filtered sawtooth, in decibels, after messages.
  private func level(_ player: PlayedRack) -> Double {
    player.play(.noteOn(channel: 0, note: 57, velocity7: 100))
    let samples = player.render(9600)[4800...]
    player.play(.noteOff(channel: 0, note: 57))
    _ = player.render(9600)
    return 20 * log10(rms(samples))
  }

  private func filtered() throws -> PlayedRack {
    var patch = Patch.bare(.saw)
    patch.filter = Patch.Filter(cutoff: 440)
    return try PlayedRack(patch)
  }

  /// The highest deviation of a second of a note, in cents.
  private func swing(_ player: PlayedRack) -> Double {
    player.play(.noteOn(channel: 0, note: 93, velocity7: 100))
    let track = pitchTrack(player.render(48000)).dropFirst(20).map { abs($0.pitch - 93) * 100 }
    player.play(.noteOff(channel: 0, note: 93))
    _ = player.render(9600)
    return track.max() ?? .nan
  }

  private static let sources: [(UInt8, MIDIMessage)] = [
    (0x00, .controlChange(channel: 0, .modulation, value7: 127)), (0x20, .channelPressure(channel: 0, value7: 127)),
    (0x40, .controlChange(channel: 0, Controller(rawValue: 16), value7: 127)),
    (0x50, .controlChange(channel: 0, Controller(rawValue: 17), value7: 127)),
  ]

  @Test("a controller moves the cutoff as controller 74 does: two octaves are 32 steps of both", arguments: sources)
  func cutoffRoute(place: UInt8, message: MIDIMessage) throws {
    let routed = try filtered()
    let plain = level(routed)
    // 16 steps of 150 cents.
    routed.play(systemExclusive: PartMessages.gs((0x40, 0x21, place | 1), 0x50))
    #expect(abs(level(routed) - plain) < 0.01)
    routed.play(message)
    let told = try filtered()
    told.play(.controlChange(channel: 0, .brightness, value32: 0xC000_0000))
    let expected = level(told)
    #expect(expected > plain + 1)
    #expect(abs(level(routed) - expected) < 0.05)
  }

  @Test("a controller has a vibrato of its own, 600 cents at most", arguments: sources.dropFirst())
  func vibratoRoute(place: UInt8, message: MIDIMessage) throws {
    var patch = Patch.bare()
    patch.lfo.rate = 5
    let player = try PlayedRack(patch)
    player.play(systemExclusive: PartMessages.gs((0x40, 0x21, place | 4), 21))
    #expect(swing(player) < 1)
    player.play(message)
    #expect(abs(swing(player) - 600 * 21.0 / 127) < 3)
  }

  @Test("a controller moves the level, and bends")
  func levelAndPitch() throws {
    let player = try filtered()
    let plain = level(player)
    player.play(systemExclusive: PartMessages.gs((0x40, 0x21, 0x42), 0x20))
    player.play(.controlChange(channel: 0, Controller(rawValue: 16), value7: 127))
    #expect(abs(level(player) - plain + 6.02) < 0.05)
    player.play(systemExclusive: PartMessages.gs((0x40, 0x21, 0x40), 0x40 + 12))
    player.play(.noteOn(channel: 0, note: 57, velocity7: 100))
    _ = player.render(4800)
    let track = pitchTrack(player.render(9600)).map(\.pitch).sorted()
    #expect(abs((track.isEmpty ? 0 : track[track.count / 2]) - 69) < 0.1)
  }

  @Test("the soft pedal takes 3 dB, and half an octave of cutoff, from notes to come")
  func softPedal() throws {
    let bare = try PlayedRack(Patch.bare())
    let loud = level(bare)
    bare.play(.controlChange(channel: 0, .soft, value7: 127))
    #expect(abs(level(bare) - loud + 3.1) < 0.05)
    bare.play(.controlChange(channel: 0, .soft, value7: 0))
    #expect(abs(level(bare) - loud) < 0.01)
    let (soft, darker) = (try filtered(), try filtered())
    soft.play(.controlChange(channel: 0, .soft, value7: 127))
    // An eighth of four octaves down.
    darker.play(.controlChange(channel: 0, .brightness, value32: 0x7000_0000))
    #expect(abs(level(soft) - level(darker) + 3.1) < 0.05)
  }

  private static let ways: [(controller: UInt8, nrpn: UInt8, gs: UInt8, xg: UInt8)] = [
    (71, 0x21, 0x33, 0x19), (72, 0x66, 0x36, 0x1C), (73, 0x63, 0x34, 0x1A), (74, 0x20, 0x32, 0x18),
    (75, 0x64, 0x35, 0x1B), (76, 0x08, 0x30, 0x15), (77, 0x09, 0x31, 0x16), (78, 0x0A, 0x37, 0x17),
  ]

  @Test("sound controllers have the same effect as controllers, NRPN, and by GS and XG", arguments: ways)
  func soundControllers(_ way: (controller: UInt8, nrpn: UInt8, gs: UInt8, xg: UInt8)) throws {
    var patch = Patch.bare(.saw)
    patch.filter = Patch.Filter(cutoff: 440)
    patch.amplitude = Patch.Envelope(attack: 0.05, decay: 0.1, sustain: 0.5, release: 0.1)
    (patch.lfo.rate, patch.lfo.pitch, patch.lfo.delay) = (5, 20, 0.1)
    func sound(_ tell: (PlayedRack) -> Void) throws -> [Float] {
      let player = try PlayedRack(patch)
      tell(player)
      player.play(.noteOn(channel: 0, note: 57, velocity7: 100))
      let held = player.render(9600)
      player.play(.noteOff(channel: 0, note: 57))
      return held + player.render(9600)
    }
    func control(_ player: PlayedRack, _ number: UInt8, _ value: UInt8) {
      player.play(.controlChange(channel: 0, Controller(rawValue: number), value7: value))
    }
    let expected = try sound { control($0, way.controller, 100) }
    #expect(try sound { _ in } != expected)
    #expect(
      try sound {
        control($0, 99, 1)
        control($0, 98, way.nrpn)
        control($0, 6, 100)
      } == expected)
    #expect(try sound { $0.play(systemExclusive: PartMessages.gs((0x40, 0x11, way.gs), 100)) } == expected)
    #expect(try sound { $0.play(systemExclusive: PartMessages.xg((8, 0, way.xg), 100)) } == expected)
  }
}
