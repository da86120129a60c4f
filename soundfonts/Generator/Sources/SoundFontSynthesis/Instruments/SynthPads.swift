// Programs 88–95: pads.
import Glibc

enum SynthPads {
  static let glass = SampleSet(
    "Glass pad",
    [60].map {
      pad($0, width: 4) { n, _ in [1, 0.1, 0.35, 0.04, 0.2, 0.02, 0.03, 0.12][min(7, n - 1)] * (n > 8 ? 0 : 1) }
    })
  static let metal = SampleSet(
    "Metal pad",
    [57].map {
      pad($0, width: 7) { n, f in [1, 3, 4, 7, 9, 11, 15, 18].contains(n) ? exp(-f / 5_000) / pow(Double(n), 0.6) : 0 }
    })

  static let presets = [
    Preset(
      88, "New Age Pad",
      [
        Layer(SynthWaves.saw, slow(attack: 0.15, release: 1.2, cutoff: 1_000)),
        Layer(Mallets.glockenspiel, Articulation(level: -7, decay: 12, release: 1, transpose: 0)),
      ]),
    Preset(
      89, "Warm Pad", Layer(SynthWaves.saw, slow(attack: 0.35, release: 1, cutoff: 850)).doubled(cents: 6, pan: 20)),
    Preset(
      90, "Polysynth",
      Layer(
        SynthWaves.saw,
        Articulation(
          attack: 0.01, decay: 20, sustain: 5, release: 0.35, cutoff: 3_200, resonance: 3,
          filterSweep: .init(cents: 1_200, decay: 0.8, sustain: 0.2), dynamics: 1_200, chorus: 30)
      )
      .doubled(cents: 16, pan: 22)),
    Preset(91, "Choir Pad", Layer(Ensembles.aah, slow(attack: 0.3, release: 1)).doubled(cents: 7, pan: 20)),
    Preset(92, "Bowed Glass", Layer(glass, slow(attack: 0.3, release: 1.2)).doubled(cents: 5, pan: 15)),
    Preset(
      93, "Metallic Pad",
      [Layer(metal, Articulation(attack: 0.08, release: 1.1, cutoff: 6_000, wobble: .init(rate: 0.3, filter: 500)))]),
    Preset(
      94, "Halo Pad",
      [
        Layer(Ensembles.ooh, slow(attack: 0.3, release: 1.3)),
        Layer(
          SynthWaves.saw,
          Articulation(
            level: -9, attack: 0.5, release: 1.3, cutoff: 2_500, detune: 6, wobble: .init(rate: 0.25, filter: 700))),
      ]),
    Preset(
      95, "Sweep Pad",
      Layer(
        SynthWaves.saw,
        Articulation(
          attack: 0.3, release: 1.2, cutoff: 500, resonance: 6,
          filterSweep: .init(cents: 3_200, attack: 2.5, decay: 4, sustain: 0.3, release: 1.5), chorus: 30)
      )
      .doubled(cents: 13, pan: 22)),
  ]

  private static func slow(attack: Double, release: Double, cutoff: Double? = nil) -> Articulation {
    Articulation(
      attack: attack, release: release, cutoff: cutoff, vibrato: .init(cents: 2, rate: 4.5), chorus: 25, reverb: 20)
  }

  private static func pad(_ key: Int, width: Double, level: @escaping (Int, Double) -> Double) -> Wave {
    Ensemble(key: key, rate: 9_500, length: 2_048, width: width, level: level).rendered(seed: 88)
  }
}
