import Glibc
import SynthInstruments
import SynthMIDI
import Testing

@Suite("Sound controllers and the controllers' routes", .timeLimit(.minutes(2)))
struct PartControllerTests {
  private struct Told {
    let name: String
    let tell: (PlayedParts, UInt8) -> Void
  }

  /// The four ways to move a sound controller, the value about 64.
  private func ways(_ controller: UInt8, nrpn: UInt8, gs: UInt8, xg: UInt8) -> [Told] {
    [
      Told(name: "CC") { $0.tell(.controlChange(channel: 0, Controller(rawValue: controller), value7: $1)) },
      Told(name: "NRPN") { $0.tell(assignable: 1, nrpn, $1) },
      Told(name: "GS") { $0.tell(PartMessages.gs((0x40, 0x11, gs), $1)) },
      Told(name: "XG") { $0.tell(PartMessages.xg((8, 0, xg), $1)) },
    ]
  }

  /// How far the pitch of a second of a note swings, in cents.
  private func swing(_ parts: PlayedParts) -> Double {
    parts.tell(.noteOn(channel: 0, note: 69, velocity7: 100))
    let track = pitchTrack(parts.player.render(48000)).dropFirst(4).map(\.pitch)
    parts.tell(.noteOff(channel: 0, note: 69))
    _ = parts.player.render(9600)
    return ((track.max() ?? 0) - (track.min() ?? 0)) * 100
  }

  @Test("vibrato depth: 32 of 64 swings by 25 cents; below the middle by none", arguments: SamplerEngine.allCases)
  func vibratoDepth(_ engine: SamplerEngine) throws {
    for way in ways(77, nrpn: 9, gs: 0x31, xg: 0x16) {
      let parts = try PlayedParts(engine)
      #expect(swing(parts) < 2)
      way.tell(parts, 96)
      #expect(abs(swing(parts) - 50) < 6, "\(way.name)")
      way.tell(parts, 20)
      #expect(swing(parts) < 2, "\(way.name)")
      way.tell(parts, 64)
      #expect(swing(parts) < 2, "\(way.name)")
    }
  }

  @Test("attack: 127 lasts longer", arguments: SamplerEngine.allCases)
  func attack(_ engine: SamplerEngine) throws {
    for way in ways(73, nrpn: 0x63, gs: 0x34, xg: 0x1A) {
      let parts = try PlayedParts(engine)
      func start() -> Double {
        parts.tell(.noteOn(channel: 0, note: 69, velocity7: 100))
        let level = rms(parts.player.render(240))
        parts.tell(.noteOff(channel: 0, note: 69))
        _ = parts.player.render(9600)
        return level
      }
      let short = start()
      way.tell(parts, 114)
      #expect(start() < short * 0.8, "\(way.name)")
    }
  }

  @Test("cutoff: 14 takes the sine of 1760 Hz down, the soft pedal 3 dB", arguments: SamplerEngine.allCases)
  func cutoffAndSoftPedal(_ engine: SamplerEngine) throws {
    for way in ways(74, nrpn: 0x20, gs: 0x32, xg: 0x18) {
      let parts = try PlayedParts(engine)
      let bright = parts.level(105).left
      way.tell(parts, 14)
      #expect(parts.level(105).left < bright * 0.9, "\(way.name)")
    }
    let parts = try PlayedParts(engine)
    let loud = parts.level().left
    parts.tell(.controlChange(channel: 0, .soft, value7: 127))
    #expect(abs(20 * log10(parts.level().left / loud) + 3) < 0.2)
    parts.tell(.controlChange(channel: 0, .soft, value7: 0))
    #expect(abs(20 * log10(parts.level().left / loud)) < 0.05)
  }

  private static let routes: [([UInt8], MIDIMessage)] = [
    (PartMessages.gs((0x40, 0x21, 0x00), 0x4C), .controlChange(channel: 0, .modulation, value7: 127)),
    (PartMessages.gs((0x40, 0x21, 0x20), 0x4C), .channelPressure(channel: 0, value7: 127)),
    (PartMessages.gs((0x40, 0x21, 0x30), 0x4C), .polyPressure(channel: 0, note: 69, value7: 127)),
    (PartMessages.gs((0x40, 0x21, 0x40), 0x4C), .controlChange(channel: 0, Controller(rawValue: 16), value7: 127)),
    (PartMessages.gs((0x40, 0x21, 0x50), 0x4C), .controlChange(channel: 0, Controller(rawValue: 17), value7: 127)),
    (PartMessages.xg((8, 0, 0x1D), 0x4C), .controlChange(channel: 0, .modulation, value7: 127)),
    (PartMessages.xg((8, 0, 0x4D), 0x4C), .channelPressure(channel: 0, value7: 127)),
    (PartMessages.xg((8, 0, 0x59), 0x12, 0x4C), .controlChange(channel: 0, Controller(rawValue: 0x12), value7: 127)),
    ([0x7F, 0x7F, 9, 1, 0, 0, 0x4C], .channelPressure(channel: 0, value7: 127)),
    ([0x7F, 0x7F, 9, 3, 0, 2, 0, 0x4C], .controlChange(channel: 0, .breath, value7: 127)),
    (PartMessages.gs((0x40, 0x21, 0x10), 0x4C), .pitchBend(channel: 0, bend14: 16383)),
    (PartMessages.xg((8, 0, 0x23), 0x4C), .pitchBend(channel: 0, bend14: 16383)),
  ]

  @Test("a source bends by an octave", arguments: SamplerEngine.allCases, routes)
  func pitchRoute(_ engine: SamplerEngine, _ route: (bytes: [UInt8], message: MIDIMessage)) throws {
    let parts = try PlayedParts(engine)
    parts.tell(route.bytes)
    parts.tell(.noteOn(channel: 0, note: 69, velocity7: 100))
    parts.tell(route.message)
    _ = parts.player.render(4800)
    let track = pitchTrack(parts.player.render(4800)).map(\.pitch).sorted()
    // The wheel that moves a pitch has its vibrato too.
    #expect(abs((track.isEmpty ? 0 : track[track.count / 2]) - 81) < 0.6)
  }

  @Test("the pressure of a key holds until another, whatever other controllers do", arguments: SamplerEngine.allCases)
  func keyPressure(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    parts.tell(PartMessages.gs((0x40, 0x21, 0x30), 0x4C))
    func pitch() -> Double {
      _ = parts.player.render(640)
      let track = pitchTrack(parts.player.render(4800)).map(\.pitch).sorted()
      return track.isEmpty ? 0 : track[track.count / 2]
    }
    parts.tell(.noteOn(channel: 0, note: 69, velocity7: 100), .polyPressure(channel: 0, note: 69, value7: 127))
    #expect(abs(pitch() - 81) < 0.05)
    parts.tell(.controlChange(channel: 1, .modulation, value7: 0), .controlChange(channel: 0, .expression, value7: 100))
    #expect(abs(pitch() - 81) < 0.05)
    parts.tell(.controlChange(channel: 0, .resetAllControllers, value7: 0))
    #expect(abs(pitch() - 69) < 0.05)
  }

  @Test(
    "a source takes the level to half, and the modulation wheel has the vibrato of RPN 5",
    arguments: SamplerEngine.allCases)
  func amplitudeRouteAndModulationRange(_ engine: SamplerEngine) throws {
    let parts = try PlayedParts(engine)
    let full = parts.level().left
    parts.tell(PartMessages.gs((0x40, 0x21, 0x42), 0x20))
    parts.tell(.controlChange(channel: 0, Controller(rawValue: 16), value7: 127))
    #expect(abs(20 * log10(parts.level().left / full) + 6) < 0.2)
    parts.tell(registered: 5, 2)
    parts.tell(.controlChange(channel: 0, .modulation, value7: 127))
    #expect(abs(swing(parts) - 400) < 30)
  }
}
