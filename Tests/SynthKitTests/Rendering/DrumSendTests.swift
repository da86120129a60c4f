import AudioGraph
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("What drum keys send to effects", .timeLimit(.minutes(5)))
struct DrumSendTests {
  typealias Effect = Synthesizer.Effect

  private static func exclusive(_ bytes: [UInt8]) -> [UInt8] { [0, 0xF0] + vlq(bytes.count + 1) + bytes + [0xF7] }

  private static func gs(_ addressAndData: UInt8...) -> [UInt8] {
    let sum = addressAndData.reduce(0) { $0 + Int($1) }
    return exclusive([0x41, 0x10, 0x42, 0x12] + addressAndData + [UInt8((128 - sum % 128) % 128)])
  }

  private static func xg(_ addressAndData: UInt8...) -> [UInt8] { exclusive([0x43, 0x10, 0x4C] + addressAndData) }

  private static func nrpn(_ parameter: UInt8, _ key: UInt8, _ value: UInt8) -> [UInt8] {
    [0, 0xB9, 99, parameter, 0, 0xB9, 98, key, 0, 0xB9, 6, value]
  }

  private static let gsReset = gs(0x40, 0x00, 0x7F, 0)
  // The variation is a delay that parts send to.
  private static let xgReset = xg(0, 0, 0x7E, 0) + xg(2, 1, 0x40, 5, 0) + xg(2, 1, 0x5A, 1)
  private static let gm2Reset = exclusive([0x7E, 0x7F, 0x09, 0x03])

  private static let (snare, conga): (UInt8, UInt8) = (38, 63)

  /// Each message that there is, with the value that it says.
  private static let ways: [(Effect, String, reset: [UInt8], @Sendable (UInt8) -> [UInt8])] = [
    (.reverb, "NRPN 1D", gsReset, { nrpn(0x1D, snare, $0) }),
    (.chorus, "NRPN 1E", gsReset, { nrpn(0x1E, snare, $0) }),
    (.delay, "NRPN 1F", gsReset, { nrpn(0x1F, snare, $0) }),
    (.reverb, "XG NRPN 1D", xgReset, { nrpn(0x1D, snare, $0) }),
    (.reverb, "GS 41 m5", gsReset, { gs(0x41, 0x05, snare, $0) }),
    (.chorus, "GS 41 m6", gsReset, { gs(0x41, 0x06, snare, $0) }),
    (.delay, "GS 41 m9", gsReset, { gs(0x41, 0x09, snare, $0) }),
    (.reverb, "XG 05", xgReset, { xg(0x30, snare, 0x05, $0) }),
    (.chorus, "XG 06", xgReset, { xg(0x30, snare, 0x06, $0) }),
    (.delay, "XG 07", xgReset, { xg(0x30, snare, 0x07, $0) }),
    (.reverb, "5B", gm2Reset, { exclusive([0x7F, 0x7F, 0x0A, 0x01, 9, snare, 0x5B, $0]) }),
    (.chorus, "5D", gm2Reset, { exclusive([0x7F, 0x7F, 0x0A, 0x01, 9, snare, 0x5D, $0]) }),
  ]

  /// The energy of what keys of the drum channel send to each effect in half a second, and of the mix.
  private func energies(
    _ events: [UInt8], _ keys: UInt8..., engine: SamplerEngine = .native,
    prepare: (Synthesizer) throws -> Void = { _ in }
  ) throws -> [Float] {
    var configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont])
    configuration.instruments.sampler.engine = engine
    let synthesizer = try Synthesizer(configuration)
    try prepare(synthesizer)
    let taps = (0...Effect.allCases.count).map { TapNode(name: "\($0)") }
    try synthesizer.engine.edit { graph in
      for (bus, tap) in taps.enumerated() { try graph.tap(synthesizer.mixer, bus: bus, with: tap) }
    }
    let sends: [UInt8] = [0, 0xB9, 91, 127, 0, 0xB9, 93, 127, 0, 0xB9, 94, 127, 24, 0xB9, 1, 0]
    synthesizer.play(try song(events + sends, keys.flatMap { strike($0, channel: 9, ticks: 240) }))
    var energies = [Float](repeating: 0, count: taps.count)
    for _ in 0..<5 {
      _ = synthesizer.samples(4800)
      for (bus, tap) in taps.enumerated() {
        tap.read { block in for frame in 0..<block.frameCount { energies[bus] += block[0][frame] * block[0][frame] } }
      }
    }
    return energies
  }

  @Test("are shares of what their channel sends, to one effect, of one key, until a reset")
  func shares() throws {
    for (effect, name, reset, say) in Self.ways {
      let (before, send) = (try energies(reset, Self.snare), 1 + effect.rawValue)
      #expect(before[send] > 0.01, "\(name)")
      for value in [0, 64, 127] as [UInt8] {
        let after = try energies(reset + say(value), Self.snare)
        let share = Float(value) / 127
        #expect(abs(after[send] / before[send] - share * share) < 1e-4, "\(name) \(value)")
        for other in 0...Effect.allCases.count where other != send {
          #expect(after[other] == before[other], "\(name) \(value), bus \(other)")
        }
      }
      #expect(try energies(reset + say(0), Self.conga) == energies(reset, Self.conga), "\(name)")
      #expect(try energies(reset + say(0) + reset, Self.snare) == before, "\(name)")
    }
  }

  @Test("add up with those of keys that send all")
  func sum() throws {
    let dry = Self.gsReset + Self.nrpn(0x1D, Self.snare, 0)
    let (both, one) = (try energies(dry, Self.snare, Self.conga), try energies(dry, Self.conga))
    #expect(both[0] > 1.1 * one[0])
    // The song plays one key after the other, half a second each.
    let late = try energies(dry, Self.conga, Self.snare)
    #expect(abs(late[1] / one[1] - 1) < 0.1)
  }

  @Test("go through the equalizer and the level of all parts as the channel does")
  func shaped() throws {
    let shape = Self.gs(0x40, 0x02, 0x01, 0x4C) + Self.gs(0x40, 0x02, 0x03, 0x34) + Self.gs(0x40, 0x00, 0x04, 90)
    let dry = try energies(Self.gsReset + shape + Self.nrpn(0x1D, Self.snare, 0), Self.snare)
    let whole = try energies(Self.gsReset + shape, Self.snare)
    #expect(whole[1] > 0.001 && dry[1] < whole[1] * 1e-8)
    #expect(dry[0] == whole[0])
  }

  @Test("XG's dry level turns a part down in the mix alone, until a reset", arguments: SamplerEngine.allCases)
  func dry(_ engine: SamplerEngine) throws {
    let whole = try energies(Self.xgReset, Self.snare, engine: engine)
    for value in [0, 64] as [UInt8] {
      let dry = try energies(Self.xgReset + Self.xg(8, 9, 0x11, value), Self.snare, engine: engine)
      let share = Float(value) / 127
      #expect(abs(dry[0] / whole[0] - share * share) < 1e-4)
      for send in 1...3 { #expect(whole[send] > 0.01 && abs(dry[send] / whole[send] - 1) < 1e-4) }
    }
    let other = Self.xg(8, 8, 0x11, 0)
    #expect(try energies(Self.xgReset + other, Self.snare, engine: engine) == whole)
    let back = Self.xg(8, 9, 0x11, 0) + Self.xgReset
    #expect(try energies(back, Self.snare, engine: engine) == whole)
  }

  @Test("are the channel's where an effect is inserted before its fader, and with FluidSynth's engine")
  func whole() throws {
    let dry = Self.gsReset + Self.nrpn(0x1D, Self.snare, 0)
    let inserted = try energies(dry, Self.snare) { _ = try $0.insert("limiter", into: .channel(9)) }
    #expect(inserted[1] > 0.01)
    #expect(try energies(dry, Self.snare, engine: .fluidSynth)[1] > 0.01)
  }
}
