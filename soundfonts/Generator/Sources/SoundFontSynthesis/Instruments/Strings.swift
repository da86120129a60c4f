// Programs 40–47: bowed strings, plucked strings, harp and timpani.
import Glibc

enum Strings {
  static let violin = SampleSet("Violin", [62, 77].map { bowed($0, body: violinBody) })
  static let cello = SampleSet("Cello", [43, 58].map { bowed($0, body: celloBody) })
  static let pizzicato = SampleSet("Pizzicato", [57].map(plucked))
  static let harp = SampleSet("Harp", [48, 69].map(harpString))
  static let timpani = SampleSet("Timpani", [kettledrum(45)])

  static let presets = [
    Preset(40, "Violin", [Layer(violin, solo(attack: 0.06, cutoff: 9_000))]),
    Preset(41, "Viola", [Layer(violin, solo(attack: 0.07, cutoff: 4_200))]),
    Preset(42, "Cello", [Layer(cello, solo(attack: 0.07, cutoff: 7_000))]),
    Preset(43, "Contrabass", [Layer(cello, solo(attack: 0.09, cutoff: 2_200))]),
    Preset(
      44, "Tremolo Strings",
      [
        Layer(
          Ensembles.strings,
          Articulation(attack: 0.08, release: 0.3, cutoff: 6_500, dynamics: 1_800, wobble: .init(rate: 8.5, volume: 4)))
      ]),
    Preset(
      45, "Pizzicato Strings",
      [Layer(pizzicato, Articulation(decay: 2.8, release: 0.25, decayTracking: 0.5, cutoff: 6_000, dynamics: 1_800))]),
    Preset(
      46, "Harp",
      [
        Layer(
          harp,
          Articulation(
            decay: 8, release: 0.6, decayTracking: 0.5, cutoff: 1_400, filterSweep: .init(cents: 2_900, decay: 2.4),
            dynamics: 1_800))
      ]),
    Preset(
      47, "Timpani",
      [Layer(timpani, Articulation(decay: 5.5, release: 0.8, decayTracking: 0.2, cutoff: 6_000, dynamics: 2_400))]),
  ]

  private static func solo(attack: Double, cutoff: Double) -> Articulation {
    Articulation(
      attack: attack, release: 0.14, cutoff: cutoff, dynamics: 1_800,
      vibrato: .init(cents: 14, rate: 5.6, delay: 0.3))
  }

  private static let violinBody: [(center: Double, width: Double, decibels: Double)] = [
    (290, 60, 2), (480, 70, 2), (900, 200, -2), (1_300, 300, -1), (2_600, 700, 2), (3_600, 700, -3),
  ]
  private static let celloBody: [(center: Double, width: Double, decibels: Double)] = [
    (110, 30, 0), (190, 40, 3), (400, 90, 0), (700, 200, -2), (1_600, 500, -1), (2_500, 600, -4),
  ]

  /// Stick and slip: a sawtooth through the resonances of the body, never quite steady.
  static func bowed(_ key: Int, body: [(center: Double, width: Double, decibels: Double)]) -> Wave {
    let partials = harmonics(key, limit: 9_500) { n, f in
      let level = (0.22 + formants(f, body)) / pow(Double(n), 1.0) * exp(-f / 6_500)
      return Partial(
        ratio: 1, level: level * (1 + 0.3 * sin(Double(n * key) * 1.7)), onset: 0.03 + 0.002 * Double(min(n, 15)),
        phase: Double(n * n) * 0.07)
    }
    let wave = Tone(
      key: key, rate: key < 60 ? 14_000 : 18_000, lead: 0.06, loop: 0.14, shimmer: 0.22, partials: partials
    ).rendered(seed: 40)
    return wave.blown(0.045, onset: (5, 0.04), seed: key, .bandPass(3_200, q: 0.5, rate: Double(wave.rate)))
  }

  private static func plucked(_ key: Int) -> Wave {
    let partials = harmonics(key, limit: 6_000) { n, f in
      let body = 0.5 + formants(f, [(210, 50, 0), (420, 100, 0), (900, 300, -3)])
      let pluck = (abs(sin(.pi * Double(n) * 0.2)) + 0.05) / pow(Double(n), 1.1)
      return Partial(
        ratio: 1, level: pluck * body * exp(-f / 2_200), decay: 4 + f / 140, tail: n == 1 ? 0.35 : 0.03, onset: 0.002,
        phase: Double(n) * 0.2)
    }
    let wave = Tone(key: key, rate: 14_000, lead: 0.14, loop: 0.02, partials: partials).rendered()
    return wave.struck(0.2, decay: 0.008, seed: 45, .bandPass(700, q: 0.5, rate: Double(wave.rate)))
  }

  private static func harpString(_ key: Int) -> Wave {
    let partials = harmonics(key, limit: 7_000) { n, f in
      let pluck = (abs(sin(.pi * Double(n) * 0.42)) + 0.08) / pow(Double(n), 1.25)
      return Partial(
        ratio: 1, level: pluck * exp(-f / 3_000) / (1 + pow(60 / f, 2)), decay: 1.2 + f / 650, tail: n < 3 ? 0.3 : 0.06,
        onset: 0.002, phase: Double(n) * 0.27)
    }
    let wave = Tone(key: key, rate: 15_000, lead: 0.16, loop: 0.03, partials: partials).rendered()
    return wave.struck(0.12, decay: 0.008, seed: 46, .bandPass(900, q: 0.5, rate: Double(wave.rate)))
  }

  /// The preferred modes of an air-loaded kettledrum stand at 2:3:4:5:6 (Rossing, 1982).
  private static func kettledrum(_ key: Int) -> Wave {
    let modes: [(ratio: Double, level: Double, decay: Double)] = [
      (1, 1, 0), (1.5, 0.62, 0.6), (1.98, 0.36, 1.3), (2.44, 0.24, 2), (2.89, 0.16, 3), (0.62, 0.5, 14), (3.4, 0.1, 8),
    ]
    let partials = modes.enumerated().map { n, mode in
      Partial(ratio: mode.ratio, level: mode.level, decay: mode.decay, tail: 0.15, onset: 0.002, phase: Double(n) * 0.2)
    }
    let wave = Tone(key: key, rate: 7_500, lead: 0.34, loop: 0.1, partials: partials).rendered()
    return wave.struck(0.9, decay: 0.02, seed: 47, .lowPass(1_700, rate: Double(wave.rate)))
  }
}
