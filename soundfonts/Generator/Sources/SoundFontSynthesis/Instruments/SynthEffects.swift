// Programs 96–103: synthesizer effects, built of the other families' samples.
enum SynthEffects {
  static let presets = [
    Preset(
      96, "Ice Rain",
      [
        Layer(Mallets.musicBox, Articulation(decay: 9, release: 0.9, chorus: 20)),
        Layer(SynthPads.glass, Articulation(level: -6, attack: 0.1, release: 1, detune: 5)),
      ]),
    Preset(
      97, "Soundtrack",
      [
        Layer(SynthWaves.saw, Articulation(attack: 0.25, release: 1, cutoff: 900, pan: -15, chorus: 20)),
        Layer(
          SynthWaves.saw,
          Articulation(
            level: -8, attack: 0.6, release: 1, cutoff: 1_400, pan: 15, transpose: 7,
            wobble: .init(rate: 0.3, filter: 600))),
      ]),
    Preset(
      98, "Crystal",
      [
        Layer(Mallets.glockenspiel, Articulation(decay: 11, release: 0.9)),
        Layer(Pianos.fm, Articulation(level: -5, decay: 11, release: 0.7, transpose: 12, detune: 6)),
      ]),
    Preset(
      99, "Atmosphere",
      [
        Layer(Guitars.nylon, Articulation(decay: 12, release: 0.8)),
        Layer(Ensembles.strings, Articulation(level: -5, attack: 0.3, release: 1, cutoff: 1_200, chorus: 20)),
      ]),
    Preset(
      100, "Brightness",
      [
        Layer(Mallets.musicBox, Articulation(level: -4, decay: 9, release: 0.8)),
        Layer(Ensembles.aah, Articulation(attack: 0.08, release: 0.8, pan: -15)),
        Layer(SynthWaves.saw, Articulation(level: -10, attack: 0.03, release: 0.8, cutoff: 5_500, pan: 15, detune: 7)),
      ]),
    Preset(
      101, "Goblins",
      [
        Layer(
          SynthPads.metal,
          Articulation(attack: 0.5, release: 1.2, cutoff: 1_800, wobble: .init(rate: 0.5, pitch: 12, filter: 900))),
        Layer(Ensembles.ooh, Articulation(level: -4, attack: 0.8, release: 1.2, detune: -8)),
      ]),
    Preset(
      102, "Echoes",
      [
        Layer(Pianos.tine, echo(level: 0, delay: 0, pan: 0)),
        Layer(Pianos.tine, echo(level: -8, delay: 0.28, pan: 25)),
        Layer(Pianos.tine, echo(level: -15, delay: 0.56, pan: -25)),
      ]),
    Preset(
      103, "Star Theme",
      [
        Layer(SynthPads.glass, Articulation(attack: 0.2, release: 1, vibrato: .init(cents: 10, rate: 5, delay: 0.4))),
        Layer(
          SynthWaves.square,
          Articulation(
            level: -8, attack: 0.3, release: 1, cutoff: 2_000, resonance: 5, detune: 7,
            wobble: .init(rate: 0.35, filter: 1_000))),
      ]),
  ]

  private static func echo(level: Double, delay: Double, pan: Double) -> Articulation {
    Articulation(level: level, delay: delay, decay: 9, release: 0.8, decayTracking: 0.3, cutoff: 5_000, pan: pan)
  }
}
