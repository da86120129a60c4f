// Programs 104–111: instruments of the world.
import Glibc

enum Ethnic {
  static let sitar = SampleSet("Sitar", [buzzing(55)])
  static let banjo = SampleSet(
    "Banjo",
    [62].map { Guitars.pluck($0, bright: 6_500, position: 0.11, body: false, lead: 0.13, damping: 3, slope: 0.6) })
  static let koto = SampleSet(
    "Koto",
    [57].map {
      Guitars.pluck($0, bright: 4_200, position: 0.09, body: false, lead: 0.17, stiffness: 0.00008, slope: 0.65)
    })
  static let kalimba = SampleSet(
    "Kalimba", [Mallets.bar(67, lead: 0.1, [(1, 1, 0), (5.7, 0.2, 18), (2, 0.1, 4), (11.4, 0.05, 40)], thump: 0.35)])
  static let bagpipe = SampleSet(
    "Bagpipe", [Reeds.reed(64, [(900, 400, 1), (2_000, 600, 4), (3_800, 900, 3)], tilt: 0, odd: 1, noise: 0.01)])

  static let presets = [
    Preset(
      104, "Sitar",
      [
        Layer(
          sitar, Articulation(decay: 10, release: 0.4, decayTracking: 0.3, pitchSweep: .init(cents: 25, decay: 0.15)))
      ]),
    Preset(
      105, "Banjo",
      [
        Layer(
          banjo,
          Articulation(
            decay: 4.5, release: 0.15, decayTracking: 0.5, cutoff: 2_500, filterSweep: .init(cents: 2_700, decay: 1.5),
            dynamics: 1_800))
      ]),
    Preset(
      106, "Shamisen",
      [
        Layer(
          banjo,
          Articulation(
            decay: 4, release: 0.15, decayTracking: 0.5, cutoff: 1_800, filterSweep: .init(cents: 2_200, decay: 1.5),
            dynamics: 1_800))
      ]),
    Preset(
      107, "Koto",
      [
        Layer(
          koto,
          Articulation(
            decay: 6.5, release: 0.4, decayTracking: 0.5, cutoff: 2_500, filterSweep: .init(cents: 2_700, decay: 2),
            dynamics: 1_800))
      ]),
    Preset(108, "Kalimba", [Layer(kalimba, Articulation(decay: 3.4, release: 0.5, decayTracking: 0.5))]),
    Preset(
      109, "Bagpipe",
      [
        Layer(bagpipe, Articulation(attack: 0.03, release: 0.08)),
        Layer(bagpipe, Articulation(level: -14, attack: 0.05, release: 0.08, cutoff: 2_500, transpose: -12, detune: 4)),
      ]),
    Preset(
      110, "Fiddle",
      [
        Layer(
          Strings.violin,
          Articulation(
            attack: 0.025, release: 0.1, cutoff: 11_000, dynamics: 1_500,
            vibrato: .init(cents: 8, rate: 5.8, delay: 0.35)))
      ]),
    Preset(
      111, "Shanai",
      [Layer(bagpipe, Articulation(attack: 0.02, release: 0.1, vibrato: .init(cents: 14, rate: 5.6, delay: 0.3)))]),
  ]

  /// The flat bridge lets high partials swell after the pluck.
  private static func buzzing(_ key: Int) -> Wave {
    let partials = harmonics(key, limit: 8_500) { n, f in
      let level = (abs(sin(.pi * Double(n) * 0.09)) + 0.2) / pow(Double(n), 0.2) * exp(-f / 5_000)
      return Partial(
        ratio: 1, level: level, decay: 1 + f / 2_200, tail: 0.2, onset: 0.002 + 0.1 * min(1, f / 5_000),
        phase: Double(n * n) * 0.03)
    }
    let wave = Tone(key: key, lead: 0.2, loop: 0.08, shimmer: 0.3, partials: partials).rendered(seed: 104)
    return wave.struck(0.3, decay: 0.005, seed: 104, .highPass(1_500, rate: Double(wave.rate)))
  }
}
