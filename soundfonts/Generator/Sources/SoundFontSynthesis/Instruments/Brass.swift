// Programs 56–63: brass.
import Glibc

enum Brass {
  static let trumpet = SampleSet("Trumpet", [62, 76].map { blown($0, formant: 1_150, bright: 1_300) })
  static let trombone = SampleSet("Trombone", [46, 60].map { blown($0, formant: 420, bright: 560) })
  static let tuba = SampleSet("Tuba", [43].map { blown($0, formant: 150, bright: 190) })
  static let muted = SampleSet("Muted trumpet", [67].map(mutedBell))
  static let horn = SampleSet("French horn", [50, 65].map { blown($0, formant: 360, bright: 480) })
  static let section = SampleSet("Brass section", [50, 66].map(ensemble))

  static let presets = [
    Preset(56, "Trumpet", [Layer(trumpet, bell(cutoff: 6_000))]),
    Preset(57, "Trombone", [Layer(trombone, bell(cutoff: 4_500))]),
    Preset(58, "Tuba", [Layer(tuba, bell(cutoff: 3_000))]),
    Preset(59, "Muted Trumpet", [Layer(muted, bell(cutoff: 7_500))]),
    Preset(
      60, "French Horn",
      [
        Layer(
          horn,
          Articulation(
            attack: 0.05, release: 0.2, cutoff: 2_200,
            filterSweep: .init(cents: 900, attack: 0.08, decay: 0.5, sustain: 0.6), dynamics: 2_000,
            vibrato: .init(cents: 4, rate: 4.8, delay: 0.5)))
      ]),
    Preset(
      61, "Brass Section",
      [
        Layer(
          section,
          Articulation(
            attack: 0.025, release: 0.16, cutoff: 3_200,
            filterSweep: .init(cents: 1_500, attack: 0.05, decay: 0.5, sustain: 0.6), dynamics: 2_400))
      ]),
    Preset(62, "Synth Brass 1", Layer(SynthWaves.saw, polyBrass).doubled(cents: 12, pan: 15)),
    Preset(63, "Synth Brass 2", Layer(SynthWaves.saw, softBrass).doubled(cents: 9, pan: 15)),
  ]

  private static let polyBrass = Articulation(
    attack: 0.015, release: 0.15, cutoff: 1_100, resonance: 3,
    filterSweep: .init(cents: 2_800, attack: 0.04, decay: 0.6, sustain: 0.5), dynamics: 1_500, chorus: 20)
  private static let softBrass = Articulation(
    attack: 0.05, release: 0.25, cutoff: 750,
    filterSweep: .init(cents: 2_200, attack: 0.12, decay: 0.9, sustain: 0.6), dynamics: 1_200, chorus: 20)

  private static func bell(cutoff: Double) -> Articulation {
    Articulation(
      attack: 0.012, release: 0.11, cutoff: cutoff,
      filterSweep: .init(cents: 1_100, attack: 0.03, decay: 0.35, sustain: 0.6),
      dynamics: 2_400, vibrato: .init(cents: 8, rate: 5.2, delay: 0.5))
  }

  /// Lips and horn: high partials come later and, played loud, reach far.
  private static func blown(_ key: Int, formant: Double, bright: Double) -> Wave {
    let partials = harmonics(key, limit: min(9_500, bright * 8)) { n, f in
      let rise = 1 / (1 + pow(formant / f, 1.6))
      let level = (rise + 0.12) * exp(-max(0, f - formant) / bright)
      return Partial(
        ratio: 1, level: level, onset: 0.012 + 0.035 * min(1, f / 4_000), phase: Double(n * n) * 0.043)
    }
    let wave = Tone(
      key: key, rate: bright > 1_000 ? 19_000 : bright > 600 ? 14_000 : 9_000, lead: 0.07, loop: 0.07, shimmer: 0.04,
      partials: partials
    )
    .rendered(seed: 56)
    return wave.blown(0.012, onset: (5, 0.025), seed: key, .bandPass(formant * 1.8, q: 0.5, rate: Double(wave.rate)))
  }

  private static func mutedBell(_ key: Int) -> Wave {
    let partials = harmonics(key, limit: 9_500) { n, f in
      let mute = 0.08 + formants(f, [(1_700, 500, 0), (3_400, 900, 1), (5_500, 1_000, -5)])
      return Partial(ratio: 1, level: mute * exp(-f / 6_000), onset: 0.02, phase: Double(n * n) * 0.057)
    }
    return Tone(key: key, lead: 0.04, loop: 0.05, shimmer: 0.04, partials: partials).rendered(seed: 59)
  }

  private static func ensemble(_ key: Int) -> Wave {
    Ensemble(key: key, rate: 14_000, length: key < 60 ? 4_096 : 2_048, width: 5) { _, f in
      (1 / (1 + pow(750 / f, 1.3)) + 0.2) * exp(-max(0, f - 600) / 1_500)
    }.rendered(seed: 61)
  }
}
