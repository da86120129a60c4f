import Glibc
import SynthDSP
import TestSupport
import Testing

@Suite("The resonant filter is FluidSynth's, to 80 dB below the sound")
struct ResonantBankTests {
  @Test("at every cutoff and resonance")
  func still() {
    var worst = 999.0
    for cutoff in [19.5, 60, 250, 1000, 4000, 12_000, 19_900, 21_600] {
      for resonance in [0, 6, 20, 40] {
        let setting = Setting(cutoff: cutoff / 48_000, decibels: Double(resonance))
        let ratio = noiseRatio(of: [Setting](repeating: setting, count: 60))
        print("\(cutoff) Hz, \(resonance) dB: \(ratio) dB")
        worst = min(worst, ratio)
      }
    }
    #expect(worst >= 80)
  }

  @Test("while the cutoff falls two octaves in each quantum, or rises, and slowly")
  func sweeps() {
    for octaves in [-2.0, -1, -0.1, 0.1, 1, 2] {
      let settings = (0..<6).map { step in
        let start = octaves < 0 ? 14_000.0 : 40
        return Setting(cutoff: start * exp2(octaves * Double(step)) / 48_000, decibels: 9)
      }
      let ratio = noiseRatio(of: settings)
      print("\(octaves) octaves a quantum: \(ratio) dB")
      #expect(ratio >= 80)
    }
  }

  /// Of a quantum for each setting: the sound's power over that of the difference from FluidSynth's formulas in
  /// `Double`.
  private func noiseRatio(of settings: [Setting]) -> Double {
    var random = SplitMix64(seed: 3)
    var bank = ResonantBank()
    var expected = DirectForm(settings[0])
    bank.start(3, settings[0].coefficients)
    bank.aimAmplitude(3, at: 1, frames: 1)
    let rows = UnsafeMutablePointer<Float>.allocate(capacity: 512)
    defer { rows.deallocate() }
    rows.initialize(repeating: 0, count: 512)
    bank.process(rows, count: 1)
    bank.aimAmplitude(3, at: 1, frames: 64)
    var (sound, error) = (0.0, 0.0)
    for (index, setting) in settings.enumerated() {
      if index > 0 {
        bank.aimFilter(3, at: setting.coefficients, frames: 64)
        expected.aim(at: setting)
      }
      rows.initialize(repeating: 0, count: 512)
      for frame in 0..<64 { rows[3 * 64 + frame] = Float.random(in: -1...1, using: &random) }
      let wanted = (0..<64).map { expected.next(Double(rows[3 * 64 + $0])) }
      bank.process(rows, count: 64)
      for frame in 0..<64 {
        sound += wanted[frame] * wanted[frame]
        error += pow(Double(rows[3 * 64 + frame]) - wanted[frame], 2)
      }
    }
    return 10 * log10(sound / error)
  }
}

private struct Setting {
  let cutoff: Double
  let decibels: Double
  var resonance: Double { pow(10, (decibels - 3.01) / 20) }
  var coefficients: ResonantCoefficients {
    ResonantCoefficients(cutoff: cutoff, resonance: Float(resonance))
  }
}

/// FluidSynth's filter, as its formulas say.
private struct DirectForm {
  private var a1: Double
  private var a2: Double
  private var b0: Double
  private var step = (a1: 0.0, a2: 0.0, b0: 0.0)
  private var memory = (last: 0.0, lastButOne: 0.0)

  init(_ setting: Setting) { (a1, a2, b0) = Self.coefficients(setting) }

  private static func coefficients(_ setting: Setting) -> (Double, Double, Double) {
    let angle = 2 * .pi * min(setting.cutoff, 0.45)
    let alpha = sin(angle) / (2 * setting.resonance)
    return (
      -2 * cos(angle) / (1 + alpha), (1 - alpha) / (1 + alpha),
      (1 - cos(angle)) / (1 + alpha) / 2 / setting.resonance.squareRoot()
    )
  }

  mutating func aim(at setting: Setting) {
    let target = Self.coefficients(setting)
    step = ((target.0 - a1) / 64, (target.1 - a2) / 64, (target.2 - b0) / 64)
  }

  mutating func next(_ input: Double) -> Double {
    let centre = input - a1 * memory.last - a2 * memory.lastButOne
    let output = b0 * (centre + memory.lastButOne) + 2 * b0 * memory.last
    memory = (centre, memory.last)
    (a1, a2, b0) = (a1 + step.a1, a2 + step.a2, b0 + step.b0)
    return output
  }
}
