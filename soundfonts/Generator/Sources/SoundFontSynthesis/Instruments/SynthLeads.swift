// Programs 80–87: synthesizer leads.
enum SynthLeads {
  static let presets = [
    Preset(80, "Square Lead", [Layer(SynthWaves.square, lead(cutoff: 5_500))]),
    Preset(81, "Saw Lead", Layer(SynthWaves.saw, lead(cutoff: 7_500)).doubled(cents: 9, pan: 6)),
    Preset(
      82, "Calliope Lead",
      [
        Layer(Pipes.ocarina, lead(cutoff: 9_000)),
        Layer(Pipes.pan, Articulation(level: -5, attack: 0.01, release: 0.1, transpose: 12)),
      ]),
    Preset(
      83, "Chiff Lead",
      [
        Layer(Pipes.pan, lead(cutoff: 9_000)),
        Layer(SynthWaves.square, Articulation(level: -9, attack: 0.01, release: 0.1, cutoff: 2_500)),
      ]),
    Preset(
      84, "Charang",
      [Layer(Guitars.distortion, Articulation(level: -3, release: 0.1)), Layer(SynthWaves.saw, lead(cutoff: 5_000))]),
    Preset(
      85, "Voice Lead",
      [Layer(Ensembles.aah, Articulation(attack: 0.03, release: 0.15, vibrato: .init(cents: 12, delay: 0.25)))]),
    Preset(
      86, "Fifths Lead",
      [
        Layer(SynthWaves.saw, lead(cutoff: 5_000)),
        Layer(
          SynthWaves.saw,
          Articulation(level: -2, attack: 0.004, release: 0.12, cutoff: 5_000, transpose: 7, detune: 3)),
      ]),
    Preset(
      87, "Bass and Lead",
      [
        Layer(
          SynthWaves.saw,
          Articulation(
            attack: 0.003, decay: 20, sustain: 6, release: 0.1, cutoff: 1_500, resonance: 6,
            filterSweep: .init(cents: 2_400, decay: 0.5, sustain: 0.3))),
        Layer(
          SynthWaves.square,
          Articulation(level: -4, attack: 0.003, release: 0.1, cutoff: 3_000, transpose: -12, detune: 4)),
      ]),
  ]

  private static func lead(cutoff: Double) -> Articulation {
    Articulation(
      attack: 0.004, release: 0.1, cutoff: cutoff, dynamics: 1_200, vibrato: .init(cents: 6, rate: 5.5, delay: 0.4))
  }
}
