// Programs 16–23: organs and other keyboards blown or switched.
import Glibc

enum Organs {
  static let drawbars = SampleSet("Drawbars", [40, 55, 70].map { drawbar($0, [8, 6, 8, 3, 0, 2, 0, 1, 2]) })
  static let percussive = SampleSet("Perc organ", [40, 55, 70].map { drawbar($0, [8, 8, 8, 0, 0, 0, 0, 0, 0]) })
  static let percussion = SampleSet("Organ percussion", [Mallets.bar(64, lead: 0.02, [(3, 1, 0)], thump: 0.3)])
  static let rock = SampleSet("Rock organ", [40, 55, 70].map { rockWave($0) })
  static let church = SampleSet("Church organ", [48, 66].map(pipes))
  static let reed = SampleSet("Free reed", [48, 66].map(freeReed))
  static let harmonica = SampleSet("Harmonica", [67].map(harmonicaReed))

  static let presets = [
    Preset(16, "Drawbar Organ", [Layer(drawbars, leslie)]),
    Preset(17, "Percussive Organ", [Layer(percussive, leslie), Layer(percussion, ping)]),
    Preset(18, "Rock Organ", Layer(rock, fastLeslie).doubled(cents: 6, pan: 14)),
    Preset(
      19, "Church Organ", [Layer(church, Articulation(attack: 0.05, release: 0.35, reverb: 25))]),
    Preset(20, "Reed Organ", [Layer(reed, Articulation(attack: 0.05, release: 0.12, cutoff: 3_200))]),
    Preset(
      21, "Accordion",
      Layer(reed, Articulation(attack: 0.03, release: 0.08, cutoff: 7_500, dynamics: 1_200)).doubled(cents: 15, pan: 10)
    ),
    Preset(
      22, "Harmonica",
      [Layer(harmonica, Articulation(attack: 0.04, release: 0.1, vibrato: .init(cents: 9, rate: 5, delay: 0.35)))]),
    Preset(
      23, "Bandoneon",
      Layer(reed, Articulation(attack: 0.04, release: 0.1, cutoff: 4_500, dynamics: 1_800)).doubled(cents: 5, pan: 6)
        + [Layer(reed, Articulation(level: -8, attack: 0.04, release: 0.1, cutoff: 6_000, transpose: 12))]),
  ]

  private static let leslie = Articulation(
    attack: 0.004, release: 0.04, wobble: .init(rate: 6.4, pitch: 4, volume: 0.7), chorus: 20)
  private static let ping = Articulation(level: -3, attack: 0.002, decay: 2.2, sustain: 100, release: 0.04)
  private static let fastLeslie = Articulation(
    attack: 0.004, release: 0.05, wobble: .init(rate: 6.8, pitch: 7, volume: 1.2), chorus: 20)

  /// Footages 16, 5 1/3, 8, 4, 2 2/3, 2, 1 3/5, 1 1/3, 1 in half-multiples of the 8-foot pitch.
  private static let footages = [0.5, 1.5, 1, 2, 3, 4, 5, 6, 8]

  private static func drawbar(_ key: Int, _ settings: [Double]) -> Wave {
    Tone(key: key, lead: 0.02, loop: 0.02, partials: drawbarPartials(settings))
      .rendered().struck(0.2, decay: 0.004, seed: 16, .highPass(1_200, rate: 15_000))
  }

  private static func drawbarPartials(_ settings: [Double]) -> [Partial] {
    zip(footages, settings).map { footage, setting in
      Partial(
        ratio: footage, level: setting == 0 ? 0 : amplitude(3 * (setting - 8)), onset: 0.003, phase: footage * 0.37)
    }
  }

  private static func rockWave(_ key: Int) -> Wave {
    let wave = Tone(
      key: key, rate: 20_000, lead: 0.02, loop: 0.02, partials: drawbarPartials([8, 8, 8, 6, 4, 5, 2, 3, 5])
    )
    .rendered().overdriven(2.2)
    let rate = Double(wave.rate)
    return wave.struck(0.25, decay: 0.004, seed: 18, .highPass(1_200, rate: rate))
      .filtered(.lowPass(6_000, rate: rate))
  }

  /// A principal chorus 8', 4', 2 2/3', 2' and mixture, each rank a little out of tune.
  private static func pipes(_ key: Int) -> Wave {
    let ranks: [(pitch: Double, level: Double)] = [
      (1, 1), (2, 0.7), (3, 0.3), (4, 0.5), (6, 0.2), (8, 0.25),
    ]
    return Ensemble(key: key, rate: key < 60 ? 14_000 : 16_000, length: key < 60 ? 4_096 : 2_048, width: 3) { n, f in
      ranks.reduce(0) { sum, rank in
        let m = Double(n) / rank.pitch
        guard m >= 1, m == m.rounded() else { return sum }
        return sum + rank.level * exp(-(m - 1) * 0.5)
      } * exp(-f / 6_000)
    }.rendered(seed: 19).tilted(key < 50 ? 1 : 0)
  }

  /// A brass tongue: a narrow pulse of air, rich in all harmonics.
  private static func freeReed(_ key: Int) -> Wave {
    Tone(
      key: key, lead: 0.04, loop: 0.08, shimmer: 0.06,
      partials: harmonics(key, limit: 9_500) { n, f in
        let body = 0.5 + formants(f, [(600, 350, 0), (1_500, 500, 1), (3_100, 900, -2)])
        return Partial(
          ratio: 1, level: body / pow(Double(n), 0.75) * exp(-f / 4_500), onset: 0.02 + 0.001 * Double(min(10, n)),
          phase: Double(n * n) * 0.11)
      }
    ).rendered()
  }

  private static func harmonicaReed(_ key: Int) -> Wave {
    let wave = Tone(
      key: key, lead: 0.06, loop: 0.11, shimmer: 0.1,
      partials: harmonics(key, limit: 9_500) { n, f in
        let body = 0.25 + formants(f, [(800, 300, 0), (1_800, 500, 3), (3_500, 800, 0)])
        return Partial(
          ratio: 1, level: body / pow(Double(n), 0.9) * exp(-f / 5_000), onset: 0.03 + 0.002 * Double(min(10, n)),
          phase: Double(n * n) * 0.17)
      }
    ).rendered()
    return wave.blown(0.03, onset: (3, 0.05), seed: 22, .bandPass(3_000, q: 0.6, rate: Double(wave.rate)))
  }
}
