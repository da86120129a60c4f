import AudioGraph
import SynthDSP
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("The delay, and what effects send to each other", .timeLimit(.minutes(5)))
struct EffectWayTests {
  private func gs(_ addressAndData: UInt8...) -> [UInt8] {
    let sum = addressAndData.reduce(0) { $0 + Int($1) }
    return [0x41, 0x10, 0x42, 0x12] + addressAndData + [UInt8((128 - sum % 128) % 128)]
  }

  private func xg(_ addressAndData: UInt8...) -> [UInt8] { [0x43, 0x10, 0x4C] + addressAndData }

  private func synthesizer(_ change: (inout SynthesizerConfiguration) -> Void = { _ in }) throws -> Synthesizer {
    var configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont])
    change(&configuration)
    return try Synthesizer(configuration)
  }

  private func play(_ synthesizer: Synthesizer, _ bytes: [UInt8]) {
    _ = bytes.withUnsafeBufferPointer { synthesizer.instruments.events.send(systemExclusive: $0, time: 0) }
    _ = synthesizer.samples(64)
  }

  @Test("what effects hear of each other, by GS, XG and General MIDI 2; every reset takes it back")
  func shares() throws {
    let synthesizer = try synthesizer()
    let (reverb, delay) = (synthesizer.effects.reverb.inputShares, synthesizer.effects.delay.inputShares)
    let ways: [(Parameter, [UInt8], Float)] = [
      (reverb[0], gs(0x40, 0x01, 0x3F, 127), 1), (delay[0], gs(0x40, 0x01, 0x40, 127), 1),
      (reverb[1], gs(0x40, 0x01, 0x5A, 127), 1), (reverb[0], xg(2, 1, 0x2E, 32), 0.5),
      (reverb[1], xg(2, 1, 0x58, 127), 127.0 / 64), (delay[1], gs(0x40, 0x01, 0x30, 6), 1),
      (reverb[1], gs(0x40, 0x01, 0x50, 8), 36.0 / 127),
      (reverb[0], [0x7F, 0x7F, 0x04, 0x05, 0x01, 0x01, 0x01, 0x01, 0x02, 0x04, 127], 1),
    ]
    for (share, message, wanted) in ways {
      for reset in [[0x7E, 0x7F, 0x09, 0x01], gs(0x40, 0x00, 0x7F, 0), xg(0, 0, 0x7E, 0)] {
        #expect(share.value == 0)
        play(synthesizer, message)
        #expect(abs(share.value - wanted) < 1e-6, "\(message)")
        play(synthesizer, reset)
      }
    }
    #expect((reverb + delay).allSatisfy { $0.value == 0 })
  }

  @Test("a delay in the place of the reverb: the reverb returns nothing until another macro comes")
  func reverbDelay() throws {
    let synthesizer = try synthesizer()
    let (reverb, share) = (synthesizer.effects.reverb, synthesizer.effects.delay.inputShares[1])
    play(synthesizer, gs(0x40, 0x01, 0x30, 7))
    #expect(reverb.returnLevel.value == 0 && share.value == 1)
    play(synthesizer, gs(0x40, 0x01, 0x33, 32))
    #expect(reverb.returnLevel.value == 0 && share.value == 0.5)
    play(synthesizer, gs(0x40, 0x01, 0x30, 4))
    #expect(reverb.returnLevel.value == 1 && share.value == 0)
  }

  @Test("GS sets the taps, and XG those of its delays")
  func taps() throws {
    let synthesizer = try synthesizer()
    let delay = synthesizer.effects.delay
    play(synthesizer, gs(0x40, 0x01, 0x50, 4))
    #expect(abs(delay.leftTime.value - 0.1) < 1e-6 && delay.centreLevel.value == 0)
    play(synthesizer, gs(0x40, 0x01, 0x52, 115, 24, 120, 127, 64, 0))
    #expect(delay.time.value == 1 && delay.leftTime.value == 1 && delay.rightTime.value == 1)
    #expect(delay.centreLevel.value == 1 && delay.leftLevel.value == 64.0 / 127 && delay.rightLevel.value == 0)
    play(synthesizer, xg(0, 0, 0x7E, 0))
    #expect(abs(delay.leftTime.value - 0.3333) < 1e-6 && delay.rightLevel.value == 1)
    play(synthesizer, xg(2, 1, 0x42, 0x13, 0x44, 0x09, 0x62, 0x1D, 0x26))
    let times = [delay.leftTime.value, delay.rightTime.value, delay.time.value]
    for (time, wanted) in zip(times, [0.25, 0.125, 0.375] as [Float]) { #expect(abs(time - wanted) < 1e-3) }
    play(synthesizer, xg(2, 1, 0x40, 8, 0))
    play(synthesizer, xg(2, 1, 0x46, 0, 32))
    #expect(delay.feedback.value == -50 && delay.leftLevel.value == 0 && delay.centreLevel.value == 1)
  }

  /// An event of a file.
  private func exclusive(_ bytes: [UInt8]) -> [UInt8] { [0, 0xF0] + vlq(bytes.count + 1) + bytes + [0xF7] }

  /// The energy of what the reverb gives in a second, of a short note without reverb sends.
  private func reverb(_ synthesizer: Synthesizer, _ messages: [[UInt8]], send controller: UInt8) throws -> Float {
    let sends = [0, 0xB0, 91, 0, 0, 0xB0, controller, 127] as [UInt8]
    let exclusive = messages.flatMap(exclusive)
    let tap = TapNode(name: "reverb")
    try synthesizer.engine.edit { graph in try graph.tap(synthesizer.effects.reverb, with: tap) }
    synthesizer.play(try song(exclusive + sends, strike(76, ticks: 24)))
    var energy: Float = 0
    for _ in 0..<10 {
      _ = synthesizer.samples(4800)
      tap.read { block in for frame in 0..<block.frameCount { energy += block[0][frame] * block[0][frame] } }
    }
    return energy
  }

  @Test("chorus and delay are heard in the reverb as songs say, and never in one that is switched off")
  func heard() throws {
    let ways: [([UInt8], UInt8)] = [(gs(0x40, 0x01, 0x3F, 127), 93), (gs(0x40, 0x01, 0x5A, 127), 94)]
    for (message, controller) in ways {
      #expect(try reverb(try synthesizer(), [], send: controller) == 0)
      #expect(try reverb(try synthesizer(), [message], send: controller) > 0)
      let off = try synthesizer()
      try off.enable(.reverb, false)
      #expect(try reverb(off, [message], send: controller) == 0)
      try off.enable(.reverb, true)
      #expect(try reverb(off, [message], send: controller) > 0)
    }
  }

  @Test("effects that were left out are heard in each other once they are attached, in any order")
  func attached() throws {
    let orders: [[Synthesizer.Effect]] = [
      [.reverb, .chorus, .delay], [.delay, .chorus, .reverb], [.chorus, .delay, .reverb],
    ]
    for order in orders {
      let synthesizer = try synthesizer { ($0.reverb, $0.chorus, $0.delay) = (nil, nil, nil) }
      for effect in order { try synthesizer.enable(effect, true) }
      let graph = synthesizer.engine.graph
      for (node, bus) in [(synthesizer.effects.reverb, 1), (synthesizer.effects.reverb, 2)] {
        #expect(graph.source(of: BusEnd(node: node, scope: .input, bus: bus)) != nil)
      }
      for bus in [1, 2] {
        #expect(graph.source(of: BusEnd(node: synthesizer.effects.delay, scope: .input, bus: bus)) != nil)
      }
      for effect in order { try synthesizer.enable(effect, false) }
    }
  }

  @Test("a song that does not use the delay is bit for bit as without it, and has no stem of it")
  func unused() throws {
    let plain = try song([0, 0xB0, 91, 100, 0, 0xB0, 93, 100], strike(76, ticks: 96))
    let (with, without) = (try synthesizer(), try synthesizer { $0.delay = nil })
    with.play(plain)
    without.play(plain)
    let isSame = with.samples(48_000) == without.samples(48_000)
    #expect(isSame)
    #expect(with.stems(of: plain, by: .channel).map(\.name) == ["01 Acoustic Grand Piano", "FX1 Reverb", "FX2 Chorus"])
  }

  @Test("a song uses the delay if it sends to it or sets it")
  func use() throws {
    func uses(_ events: [UInt8]...) throws -> Bool { try song(events.flatMap(\.self), strike(76, ticks: 96)).usesDelay }
    let send: [UInt8] = [0, 0xB0, 94, 1]
    #expect(try uses(send))
    #expect(try !uses([0, 0xB0, 94, 0, 0, 0xB0, 91, 127]))
    #expect(try !uses(exclusive([0x7E, 0x7F, 0x09, 0x01]), send))
    #expect(try !uses(exclusive(xg(0, 0, 0x7E, 0)), send))
    #expect(try uses(exclusive(xg(0, 0, 0x7E, 0)), exclusive(xg(2, 1, 0x5A, 1)), send))
    #expect(try uses(exclusive(gs(0x40, 0x00, 0x7F, 0)), exclusive(gs(0x40, 0x11, 0x2C, 1))))
    #expect(try !uses(exclusive(gs(0x40, 0x00, 0x7F, 0)), exclusive(gs(0x40, 0x11, 0x2C, 0))))
    #expect(try uses(exclusive(gs(0x40, 0x01, 0x50, 1))))
    #expect(try uses(exclusive(gs(0x40, 0x01, 0x30, 6))))
    #expect(try !uses(exclusive(gs(0x40, 0x01, 0x30, 4))))
    let sent = try song(send, strike(76, ticks: 96))
    #expect(try synthesizer().stems(of: sent, by: .channel).last?.name == "FX3 Delay")
    #expect(try synthesizer { $0.delay = nil }.stems(of: sent, by: .channel).last?.name == "FX2 Chorus")
  }
}
