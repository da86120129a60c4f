// Programs 112–119: tuned and untuned percussion on the keyboard.
import Glibc

enum Percussive {
  static let agogo = SampleSet(
    "Agogo",
    [
      Mallets.bar(
        74, lead: 0.1, [(1, 1, 0), (1.51, 0.3, 6), (2.7, 0.5, 8), (4.6, 0.3, 14), (6.3, 0.12, 20)], thump: 0.3)
    ])
  static let steelDrum = SampleSet("Steel drum", [62].map(pan))

  static let presets = [
    Preset(
      112, "Tinkle Bell",
      [
        Layer(Mallets.glockenspiel, Articulation(decay: 4.5, release: 1, decayTracking: 0.4)),
        Layer(Mallets.musicBox, Articulation(level: -4, decay: 3.5, release: 1, decayTracking: 0.4, detune: 9)),
      ]),
    Preset(113, "Agogo", [Layer(agogo, Articulation(decay: 2.2, release: 0.6, decayTracking: 0.4))]),
    Preset(114, "Steel Drums", [Layer(steelDrum, Articulation(decay: 5, release: 0.4, decayTracking: 0.4))]),
    Preset(115, "Woodblock", [Layer(Drums.woodblock, Articulation(release: 0.3))]),
    Preset(116, "Taiko Drum", [Layer(Drums.taiko, Articulation(release: 1, cutoff: 5_000, dynamics: 2_400))]),
    Preset(117, "Melodic Tom", [Layer(Drums.tom, Articulation(release: 0.6))]),
    Preset(118, "Synth Drum", [Layer(Drums.electronicTom, Articulation(release: 0.6))]),
    Preset(
      119, "Reverse Cymbal",
      [Layer(Cymbals.crash, Articulation(attack: 1.4, decay: 0.7, sustain: 100, release: 0.2, cutoff: 9_000))]),
  ]

  /// Steel-pan notes are tuned to octave and twelfth, which sound a little later than the fundamental.
  private static func pan(_ key: Int) -> Wave {
    let modes: [(ratio: Double, level: Double, decay: Double, onset: Double)] = [
      (1, 1, 0, 0.003), (2, 0.75, 2.5, 0.02), (3, 0.3, 4, 0.015), (4, 0.22, 6, 0.01), (5.03, 0.1, 9, 0.005),
      (6.1, 0.08, 12, 0.003),
    ]
    let partials = modes.enumerated().map { n, mode in
      Partial(
        ratio: mode.ratio, level: mode.level, decay: mode.decay, tail: 0.15, onset: mode.onset, phase: Double(n) * 0.3)
    }
    let wave = Tone(key: key, lead: 0.2, loop: 0.02, partials: partials).rendered()
    return wave.struck(0.25, decay: 0.01, seed: 114, .bandPass(1_600, q: 0.5, rate: Double(wave.rate)))
  }
}
