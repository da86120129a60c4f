// Programs 32–39: basses.
import Glibc

enum Basses {
  static let acoustic = SampleSet("Acoustic bass", [40].map { string($0, bright: 700, damping: 2.2, thump: 0.25) })
  static let finger = SampleSet("Finger bass", [31, 44].map { string($0, bright: 1_050, damping: 1.2, thump: 0.12) })
  static let slap = SampleSet("Slap bass", [31, 44].map { string($0, bright: 4_800, damping: 2.6, thump: 0.55) })

  static let presets = [
    Preset(
      32, "Acoustic Bass",
      [
        Layer(
          acoustic,
          Articulation(
            decay: 6, release: 0.14, decayTracking: 0.3, cutoff: 450, filterSweep: .init(cents: 3_400, decay: 2.2),
            dynamics: 2_400))
      ]),
    Preset(
      33, "Finger Bass",
      [
        Layer(
          finger,
          Articulation(
            decay: 15, release: 0.1, decayTracking: 0.3, cutoff: 500, filterSweep: .init(cents: 3_700, decay: 2.6),
            dynamics: 2_400))
      ]),
    Preset(
      34, "Picked Bass",
      [
        Layer(
          slap,
          Articulation(
            decay: 15, release: 0.1, decayTracking: 0.3, cutoff: 800, filterSweep: .init(cents: 3_700, decay: 2.6),
            dynamics: 2_000))
      ]),
    Preset(
      35, "Fretless Bass",
      [
        Layer(
          finger,
          Articulation(
            attack: 0.018, decay: 22, release: 0.12, cutoff: 1_100,
            filterSweep: .init(cents: 900, attack: 0.09, decay: 0.8, sustain: 0.3), dynamics: 900,
            vibrato: .init(cents: 10, rate: 4.8, delay: 0.3)))
      ]),
    Preset(
      36, "Slap Bass 1",
      [
        Layer(
          slap,
          Articulation(
            decay: 11, release: 0.08, decayTracking: 0.3, cutoff: 1_500, filterSweep: .init(cents: 3_000, decay: 2),
            dynamics: 2_000))
      ]),
    Preset(
      37, "Slap Bass 2",
      [
        Layer(
          slap,
          Articulation(
            decay: 8, release: 0.08, decayTracking: 0.3, cutoff: 3_200, resonance: 4,
            filterSweep: .init(cents: 2_000, decay: 0.25), dynamics: 1_200))
      ]),
    Preset(
      38, "Synth Bass 1",
      [
        Layer(
          SynthWaves.saw,
          Articulation(
            attack: 0.002, decay: 9, sustain: 6, release: 0.06, cutoff: 420, resonance: 9,
            filterSweep: .init(cents: 3_000, decay: 0.45, sustain: 0.15), dynamics: 1_200))
      ]),
    Preset(
      39, "Synth Bass 2",
      [
        Layer(
          SynthWaves.square,
          Articulation(
            attack: 0.002, decay: 14, sustain: 8, release: 0.07, cutoff: 700, resonance: 4,
            filterSweep: .init(cents: 1_900, decay: 0.22, sustain: 0.1), dynamics: 1_200)),
        Layer(SynthWaves.sine, Articulation(level: -4, attack: 0.002, decay: 20, sustain: 6, release: 0.07)),
      ]),
  ]

  private static func string(_ key: Int, bright: Double, damping: Double, thump: Double) -> Wave {
    let partials = harmonics(key, limit: min(6_500, bright * 3), stiffness: 0.0001) { n, f in
      let pluck = (abs(sin(.pi * Double(n) * 0.19)) + 0.08) / pow(Double(n), bright > 2_000 ? 0.9 : 1.15)
      return Partial(
        ratio: 1, level: pluck * exp(-f / bright) / (1 + pow(40 / f, 2)), decay: damping * (0.8 + f / 420),
        tail: n < 4 ? 0.4 : 0.15, onset: 0.0025, phase: Double(n) * 0.21)
    }
    let wave = Tone(
      key: key, rate: bright > 2_000 ? 16_000 : 9_000, lead: bright > 2_000 ? 0.14 : 0.26, loop: 0.04,
      partials: partials
    )
    .rendered()
    return wave.struck(thump, decay: 0.007, seed: key, .bandPass(bright * 0.9, q: 0.5, rate: Double(wave.rate)))
  }
}
