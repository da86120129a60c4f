import Glibc
import SynthDSP
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("Equalizers of GS and XG", .timeLimit(.minutes(5)))
struct PartEqualizerTests {
  /// How many decibels louder messages make a held sine of channel 1, at each frequency.
  private func gains(_ messages: [[UInt8]], at frequencies: [Double] = [100, 1000, 10_000]) throws -> [Double] {
    try frequencies.map { frequency in
      let player = try player(at: frequency)
      let before = amplitude(player.render(4800), played(frequency))
      for message in messages { player.play(systemExclusive: message) }
      return 20 * log10(amplitude(player.render(9600).suffix(4800), played(frequency)) / before)
    }
  }

  private func player(at frequency: Double, channel: UInt8 = 0) throws -> PlayedRack {
    let player = try PlayedRack(.bare())
    player.play(.noteOn(channel: channel, note: key(frequency), velocity7: 127))
    return player
  }

  /// What a shelf of the cookbook's has.
  private func shelf(_ frequency: Double, _ decibels: Double, isHigh: Bool, at hertz: Double) -> Double {
    let a = pow(10, decibels / 40)
    let w = 2 * Double.pi * frequency / 48000
    let (c, root) = (cos(w), 2 * a.squareRoot() * sin(w) / 2 * 2.0.squareRoot())
    let s: Double = isHigh ? -1 : 1
    let b = [
      a * (a + 1 - s * (a - 1) * c + root), s * 2 * a * (a - 1 - s * (a + 1) * c),
      a * (a + 1 - s * (a - 1) * c - root),
    ]
    let d = [a + 1 + s * (a - 1) * c + root, -s * 2 * (a - 1 + s * (a + 1) * c), a + 1 + s * (a - 1) * c - root]
    func power(_ x: [Double]) -> Double {
      let angle = 2 * Double.pi * hertz / 48000
      let real = x[0] + x[1] * cos(angle) + x[2] * cos(2 * angle)
      let imaginary = x[1] * sin(angle) + x[2] * sin(2 * angle)
      return real * real + imaginary * imaginary
    }
    return 10 * log10(power(b) / power(d))
  }

  private func key(_ hertz: Double) -> UInt8 { UInt8((69 + 12 * log2(hertz / 440)).rounded()) }

  /// The frequency of the key nearest to one.
  private func played(_ hertz: Double) -> Double { 440 * exp2((Double(key(hertz)) - 69) / 12) }

  private func expect(
    _ messages: [[UInt8]], _ low: (hertz: Double, decibels: Double), _ high: (hertz: Double, decibels: Double)
  ) throws {
    for (gain, hertz) in zip(try gains(messages), [100, 1000, 10_000].map(played)) {
      let wanted =
        shelf(low.hertz, low.decibels, isHigh: false, at: hertz)
        + shelf(high.hertz, high.decibels, isHigh: true, at: hertz)
      #expect(abs(gain - wanted) < 0.1, "\(hertz) Hz: \(gain) dB, not \(wanted)")
    }
  }

  @Test("XG's bass and treble come by assignable parameters, too")
  func assignable() throws {
    for (parameter, frequency) in [(0x30, 100), (0x31, 10_000)] as [(UInt8, Double)] {
      let player = try player(at: frequency)
      let before = amplitude(player.render(4800), played(frequency))
      for (controller, value) in [(99, 1), (98, parameter), (6, 127)] as [(UInt8, UInt8)] {
        player.play(.controlChange(channel: 0, Controller(rawValue: controller), value7: value))
      }
      let gain = 20 * log10(amplitude(player.render(9600).suffix(4800), played(frequency)) / before)
      let isHigh = parameter == 0x31
      let cutoff = isHigh ? 20 * pow(10, 54.0 / 20) : 20 * pow(10, 12.0 / 20)
      let wanted = shelf(cutoff, 12, isHigh: isHigh, at: played(frequency))
      #expect(abs(gain - wanted) < 0.1, "\(gain) dB, not \(wanted)")
    }
  }

  @Test("GS: low and high shelf at both frequencies, 12 dB at most")
  func gs() throws {
    try expect([BothSamplers.gs(0x40, 2, 1, 0x4C)], (200, 12), (3000, 0))
    try expect([BothSamplers.gs(0x40, 2, 0, 1, 0x34)], (400, -12), (3000, 0))
    try expect([BothSamplers.gs(0x40, 2, 0, 0, 0x40, 0, 0x7F)], (200, 0), (3000, 12))
    try expect([BothSamplers.gs(0x40, 2, 0, 0, 0x46, 1, 0x3A)], (200, 6), (6000, -6))
    let gains = try gains([BothSamplers.gs(0x40, 2, 0, 0, 0x4C, 0, 0x34)])
    #expect(gains[0] > 11 && abs(gains[1]) < 1 && gains[2] < -11)
  }

  @Test("XG: bass and treble of a part, and five bands of all")
  func xg() throws {
    try expect([BothSamplers.xg(8, 0, 0x72, 0x7F)], (20 * pow(10, 12 / 20.0), 12), (3000, 0))
    try expect(
      [BothSamplers.xg(8, 0, 0x73, 0), BothSamplers.xg(8, 0, 0x77, 0x2E)], (200, 0), (20 * pow(10, 46 / 20.0), -12))
    // A peak of 12 dB at 1 kHz with Q 1, alone.
    let peak = try gains([BothSamplers.xg(2, 0x40, 0x09, 0x4C, 34, 10)])
    #expect(abs(peak[1] - 12) < 0.2 && abs(peak[0]) < 1 && abs(peak[2]) < 1)
    // Rock raises bass and treble.
    let rock = try gains([BothSamplers.xg(2, 0x40, 0x00, 3)])
    #expect(rock[0] > 5 && rock[2] > 0)
    let flat = try gains([BothSamplers.xg(2, 0x40, 0x00, 3), BothSamplers.xg(2, 0x40, 0x00, 0)])
    #expect(flat.allSatisfy { abs($0) < 0.01 })
  }

  @Test("parts that GS has switched off, and other XG parts, are as they were")
  func parts() throws {
    let boost = BothSamplers.gs(0x40, 2, 1, 0x4C)
    #expect(try gains([boost, BothSamplers.gs(0x40, 0x41, 0x20, 0)], at: [100])[0].magnitude < 0.01)
    #expect(try gains([BothSamplers.gs(0x40, 0x41, 0x20, 0), boost], at: [100])[0].magnitude < 0.01)
    #expect(try gains([BothSamplers.gs(0x40, 0x42, 0x20, 0), boost], at: [100])[0] > 10)
    #expect(try gains([BothSamplers.xg(8, 1, 0x72, 0x7F)], at: [100])[0].magnitude < 0.01)
    // Part 0 is channel 10.
    let player = try player(at: 100, channel: 9)
    let before = amplitude(player.render(4800), played(100))
    player.play(systemExclusive: BothSamplers.gs(0x40, 0x40, 0x20, 0))
    player.play(systemExclusive: boost)
    #expect(abs(amplitude(player.render(4800), played(100)) / before - 1) < 0.001)
  }

  @Test("every reset makes it flat; a wrong checksum sets nothing")
  func resets() throws {
    for reset in [[0x7E, 0x7F, 0x09, 0x01], BothSamplers.gsReset, BothSamplers.xgReset] {
      for boost in [BothSamplers.gs(0x40, 2, 1, 0x4C), BothSamplers.xg(8, 0, 0x72, 0x7F)] {
        let player = try player(at: 100)
        let before = amplitude(player.render(4800), played(100))
        player.play(systemExclusive: boost)
        _ = player.render(4800)
        player.play(systemExclusive: reset)
        player.play(.noteOn(channel: 0, note: key(100), velocity7: 127))
        #expect(abs(amplitude(player.render(9600).suffix(4800), played(100)) / before - 1) < 0.002, "\(reset)")
      }
    }
    #expect(try gains([[0x41, 0x10, 0x42, 0x12, 0x40, 2, 1, 0x4C, 0x00]], at: [100])[0].magnitude < 0.001)
  }

  @Test("a change while a note sounds has no step, and what is not told is bit for bit as without an equalizer")
  func smoothness() throws {
    let (player, other) = (try player(at: 100), try player(at: 100))
    _ = (player.render(9600), other.render(9600))
    player.play(systemExclusive: BothSamplers.gs(0x40, 2, 1, 0x40))
    let isSame = player.render(4800) == other.render(4800)
    #expect(isSame)
    let calmSamples = other.render(4800)
    let calm = steepest(calmSamples)
    player.play(systemExclusive: BothSamplers.gs(0x40, 2, 1, 0x4C))
    let rising = player.render(9600)
    #expect(steepest(rising) < calm * 4.2 && rms(rising.suffix(4800)) > 3 * rms(calmSamples))
    player.play(systemExclusive: BothSamplers.gs(0x40, 2, 1, 0x40))
    #expect(steepest(player.render(4800)) < calm * 4.2)
  }

  private func steepest(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
  }

  @Test("both SoundFont engines", arguments: SamplerEngine.allCases)
  func engines(_ engine: SamplerEngine) throws {
    try SineFont.withFile { font in
      let player = try PlayedRack([InstrumentAssignment(.sampler)], soundFonts: [font], engine: engine)
      player.play(.noteOn(channel: 0, note: 69, velocity7: 127))
      let before = rms(player.render(9600).suffix(4800))
      player.play(systemExclusive: BothSamplers.gs(0x40, 2, 0, 1, 0x4C))
      let gain = 20 * log10(rms(player.render(9600).suffix(4800)) / before)
      #expect(abs(gain - shelf(400, 12, isHigh: false, at: 440)) < 0.1)
    }
  }
}
