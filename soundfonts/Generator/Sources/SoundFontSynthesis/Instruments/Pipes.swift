// Programs 72–79: flutes, whistles and blown bottles.
import Glibc

enum Pipes {
  static let flute = SampleSet(
    "Flute", [67, 83].map { pipe($0, [0, -5, -11, -20, -27, -33, -38], breath: 0.05, chiff: 4) })
  static let recorder = SampleSet(
    "Recorder", [72].map { pipe($0, [0, -22, -9, -28, -21, -34], breath: 0.03, chiff: 5) })
  static let pan = SampleSet("Pan flute", [67].map { pipe($0, [0, -20, -12, -30, -24], breath: 0.16, chiff: 5) })
  static let shakuhachi = SampleSet(
    "Shakuhachi", [64].map { pipe($0, [0, -7, -8, -17, -22, -27], breath: 0.17, chiff: 6) })
  static let ocarina = SampleSet("Ocarina", [72].map { pipe($0, [0, -25, -28], breath: 0.03, chiff: 3) })

  static let presets = [
    Preset(72, "Piccolo", [Layer(flute, blown(attack: 0.02, vibrato: 7))]),
    Preset(73, "Flute", [Layer(flute, blown(attack: 0.035, vibrato: 9, tremolo: 1.2))]),
    Preset(74, "Recorder", [Layer(recorder, blown(attack: 0.02, vibrato: 2))]),
    Preset(75, "Pan Flute", [Layer(pan, blown(attack: 0.03, vibrato: 6))]),
    Preset(
      76, "Blown Bottle", [Layer(pan, Articulation(attack: 0.06, release: 0.15, cutoff: 900, vibrato: .init(cents: 3)))]
    ),
    Preset(
      77, "Shakuhachi",
      [
        Layer(
          shakuhachi,
          Articulation(
            attack: 0.04, release: 0.15, pitchSweep: .init(cents: -60, decay: 0.12),
            vibrato: .init(cents: 16, rate: 4.8, delay: 0.5)))
      ]),
    Preset(
      78, "Whistle",
      [Layer(ocarina, Articulation(attack: 0.04, release: 0.12, vibrato: .init(cents: 14, rate: 5.5, delay: 0.25)))]),
    Preset(79, "Ocarina", [Layer(ocarina, blown(attack: 0.03, vibrato: 6))]),
  ]

  private static func blown(attack: Double, vibrato: Double, tremolo: Double = 0) -> Articulation {
    Articulation(
      attack: attack, release: 0.12, vibrato: .init(cents: vibrato, rate: 5.1, delay: 0.4),
      wobble: tremolo > 0 ? .init(rate: 5.1, delay: 0.4, volume: tremolo) : nil)
  }

  private static func pipe(_ key: Int, _ decibels: [Double], breath: Double, chiff: Double) -> Wave {
    var partials = harmonics(decibels: decibels)
    for n in partials.indices { partials[n].onset = 0.025 + 0.004 * Double(n) }
    let wave = Tone(
      key: key, rate: key > 80 ? 18_000 : 14_000, lead: 0.06, loop: 0.12, shimmer: 0.06, partials: partials
    ).rendered(seed: 73)
    let rate = Double(wave.rate)
    return wave.blown(breath * 0.6, onset: (chiff, 0.035), seed: key, .bandPass(frequency(key) * 2, q: 0.8, rate: rate))
      .blown(
        breath * 0.5, onset: (chiff, 0.03), seed: key + 1, .highPass(1_800, rate: rate), .lowPass(6_500, rate: rate))
  }
}
