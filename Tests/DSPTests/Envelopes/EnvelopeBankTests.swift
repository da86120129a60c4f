import SynthDSP
import Testing

@Suite("Envelopes")
struct EnvelopeBankTests {
  /// Blocks of a millisecond.
  private static let shape = EnvelopeShape(
    attack: 0.1, decay: 0.3, sustain: 0.5, release: 0.2, sampleRate: 64_000, blockSize: 64)

  private let held = SIMD8<Int32>(repeating: 1) .== 1
  private let released = SIMD8<Int32>(repeating: 1) .== 0

  @Test("rise in a straight line, in the time of the attack")
  func attack() {
    var bank = EnvelopeBank()
    bank.start(3, delay: 0, Self.shape)
    for block in 1...99 {
      bank.advance(Self.shape, gates: held)
      #expect(abs(bank.level[3] - Float(block) / 100) < 1e-5)
      #expect(bank.isRising(3))
    }
    bank.advance(Self.shape, gates: held)
    bank.advance(Self.shape, gates: held)
    #expect(!bank.isRising(3))
  }

  @Test("begin within a block where they are told to")
  func delay() {
    var bank = EnvelopeBank()
    bank.start(0, delay: 0.25, Self.shape)
    #expect(bank.level[0] == -0.0025)
    bank.advance(Self.shape, gates: held)
    #expect(abs(bank.level[0] - 0.0075) < 1e-6)
  }

  @Test("decay to the sustain level: 60 dB of the way in the time of the decay")
  func decay() {
    var bank = EnvelopeBank()
    bank.start(0, delay: 0, Self.shape)
    while bank.level[0] < 1 { bank.advance(Self.shape, gates: held) }
    for _ in 0..<300 { bank.advance(Self.shape, gates: held) }
    #expect(abs(bank.level[0] - 0.5005) < 1e-5)
    for _ in 0..<3000 { bank.advance(Self.shape, gates: held) }
    #expect(abs(bank.level[0] - 0.5) < 1e-5)
  }

  @Test("fall by 60 dB in the time of the release, from wherever they are")
  func release() {
    var bank = EnvelopeBank()
    bank.start(0, delay: 0, Self.shape)
    for _ in 0..<40 { bank.advance(Self.shape, gates: held) }
    for _ in 0..<200 { bank.advance(Self.shape, gates: released) }
    #expect(abs(bank.level[0] - 0.4e-3) < 1e-6)
    #expect(!bank.isRising(0))
  }

  @Test("of eight lanes keep to themselves")
  func lanes() {
    var bank = EnvelopeBank()
    bank.start(2, delay: 0, Self.shape)
    bank.advance(Self.shape, gates: held)
    bank.start(5, delay: 0, Self.shape)
    bank.advance(Self.shape, gates: held)
    #expect(abs(bank.level[2] - 0.02) < 1e-6)
    #expect(abs(bank.level[5] - 0.01) < 1e-6)
  }

  @Test("of no time take one block")
  func shortest() {
    let shape = EnvelopeShape(attack: 0, decay: 0, sustain: 1, release: 0, sampleRate: 48_000, blockSize: 64)
    var bank = EnvelopeBank()
    bank.start(0, delay: 0, shape)
    bank.advance(shape, gates: held)
    #expect(bank.level[0] == 1)
    bank.advance(shape, gates: released)
    #expect(abs(bank.level[0] - 0.001) < 1e-6)
  }
}
