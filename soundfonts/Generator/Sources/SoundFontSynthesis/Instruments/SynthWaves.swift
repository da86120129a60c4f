// Single cycles of the classic oscillators, band-limited again every 13 keys.
import Glibc

enum SynthWaves {
  static let saw = SampleSet("Saw", oscillator { n in 1 / Double(n) })
  static let square = SampleSet("Square", oscillator { n in n % 2 == 1 ? 1 / Double(n) : 0 })
  static let sine = SampleSet(
    "Sine", [Tone(key: 69, lead: 0.01, loop: 0.01, partials: [Partial(ratio: 1, level: 1)]).rendered()])

  /// At least two cycles of each, harmonics faded out towards 11 kHz.
  private static func oscillator(_ level: (Int) -> Double) -> [Wave] {
    stride(from: 28, through: 106, by: 13).map { key in
      let limit = 11_000.0
      let partials = harmonics(key, limit: limit) { n, f in
        let softened = 0.5 + 0.5 * cos(.pi * min(1, f / limit))
        return Partial(ratio: 1, level: level(n) * softened)
      }
      let rate = key > 90 ? 32_000.0 : 26_000
      let wave = Tone(key: key, rate: rate, lead: 0, loop: max(0.004, 1.9 / frequency(key)), partials: partials)
        .rendered()
      return Wave(looping: Array(wave.frames[wave.loop ?? 0..<0]), rate: wave.rate, key: key)
    }
  }
}
