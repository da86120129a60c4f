// Programs 64–71: reeds.
import Glibc

enum Reeds {
  static let sax = SampleSet("Saxophone", [50, 65].map(saxophone))
  static let oboe = SampleSet(
    "Oboe",
    [69].map { reed($0, [(1_150, 350, 3), (2_900, 700, 0), (500, 400, -7)], tilt: 0.25, odd: 1, noise: 0.01) })
  static let bassoon = SampleSet(
    "Bassoon",
    [48].map { reed($0, [(470, 120, 4), (1_180, 300, -3), (2_200, 500, -12)], tilt: 0.35, odd: 1, noise: 0.012) })
  static let clarinet = SampleSet(
    "Clarinet",
    [55, 72].map {
      reed(
        $0, [(700, 600, 0), (1_600, 500, -4), (3_200, 900, -8)], tilt: 0.55, odd: $0 > 72 ? 0.5 : 0.16, noise: 0.012)
    })

  static let presets = [
    Preset(64, "Soprano Sax", [Layer(sax, blown(cutoff: 6_500, vibrato: 9))]),
    Preset(65, "Alto Sax", [Layer(sax, blown(cutoff: 4_500, vibrato: 9))]),
    Preset(66, "Tenor Sax", [Layer(sax, blown(cutoff: 3_300, vibrato: 10))]),
    Preset(67, "Baritone Sax", [Layer(sax, blown(cutoff: 2_600, vibrato: 5))]),
    Preset(68, "Oboe", [Layer(oboe, blown(cutoff: 9_000, vibrato: 9))]),
    Preset(69, "English Horn", [Layer(oboe, blown(cutoff: 3_000, vibrato: 9))]),
    Preset(70, "Bassoon", [Layer(bassoon, blown(cutoff: 5_000, vibrato: 4))]),
    Preset(71, "Clarinet", [Layer(clarinet, blown(cutoff: 6_000, vibrato: 2))]),
  ]

  private static func blown(cutoff: Double, vibrato: Double) -> Articulation {
    Articulation(
      attack: 0.015, release: 0.09, cutoff: cutoff, dynamics: 2_000,
      vibrato: .init(cents: vibrato, rate: 5.2, delay: 0.4))
  }

  /// A double or single reed: harmonics under fixed resonances; `odd` is what is left of the even ones.
  static func reed(
    _ key: Int, _ peaks: [(center: Double, width: Double, decibels: Double)], tilt: Double, odd: Double, noise: Double
  ) -> Wave {
    let partials = harmonics(key, limit: 9_000) { n, f in
      let even = n % 2 == 0 ? min(1, odd + f / 6_000) : 1
      return Partial(
        ratio: 1, level: even * (0.06 + formants(f, peaks)) / pow(Double(n), tilt) * exp(-f / 4_500),
        onset: 0.025 + 0.001 * Double(min(20, n)), phase: Double(n * n) * 0.09)
    }
    let wave = Tone(
      key: key, rate: key < 50 ? 12_000 : 18_000, lead: 0.05, loop: 0.08, shimmer: 0.04, partials: partials
    ).rendered(seed: 68)
    return wave.blown(noise, onset: (4, 0.03), seed: key, .bandPass(2_600, q: 0.5, rate: Double(wave.rate)))
  }

  private static func saxophone(_ key: Int) -> Wave {
    let partials = harmonics(key, limit: 9_000) { n, f in
      let body = 0.2 + formants(f, [(560, 260, 1), (1_250, 400, 0), (2_700, 800, -4)])
      return Partial(
        ratio: 1, level: body / pow(Double(n), 0.45) * exp(-f / 3_200) * (1 + 0.3 * sin(Double(n * 5 + key))),
        onset: 0.02 + 0.0015 * Double(min(20, n)), phase: Double(n * n) * 0.06)
    }
    let wave = Tone(key: key, lead: 0.06, loop: 0.12, shimmer: 0.09, partials: partials).rendered(seed: 65)
    return wave.blown(0.035, onset: (4, 0.04), seed: key, .bandPass(2_400, q: 0.4, rate: Double(wave.rate)))
  }
}
