// Programs 48–55: string sections, choirs, orchestra hit.
import Glibc

enum Ensembles {
  static let strings = SampleSet("Strings", [45, 60, 75].map(section))
  static let aah = SampleSet("Choir aah", [50, 65].map { choir($0, rate: 11_000, vowel: aahVowel) })
  static let ooh = SampleSet("Choir ooh", [52, 67].map { choir($0, rate: 9_000, vowel: oohVowel) })
  static let hit = SampleSet("Orchestra hit", [orchestra(60)])

  static let presets = [
    Preset(48, "String Ensemble", [Layer(strings, bowed(attack: 0.09, release: 0.35, cutoff: 9_000))]),
    Preset(49, "Slow Strings", [Layer(strings, bowed(attack: 0.28, release: 0.7, cutoff: 6_500))]),
    Preset(50, "Synth Strings 1", Layer(SynthWaves.saw, sweeping).doubled(cents: 14, pan: 22)),
    Preset(
      51, "Synth Strings 2",
      Layer(
        SynthWaves.saw,
        Articulation(attack: 0.35, release: 0.7, cutoff: 2_000, wobble: .init(rate: 0.4, filter: 300), chorus: 30)
      ).doubled(cents: 18, pan: 25)),
    Preset(52, "Choir Aahs", [Layer(aah, voices(attack: 0.1))]),
    Preset(53, "Voice Oohs", [Layer(ooh, voices(attack: 0.07))]),
    Preset(
      54, "Synth Voice",
      Layer(ooh, Articulation(attack: 0.05, release: 0.25, vibrato: .init(cents: 7, rate: 5, delay: 0.3), chorus: 20))
        .doubled(cents: 8, pan: 18)),
    Preset(55, "Orchestra Hit", [Layer(hit, Articulation(decay: 5, release: 0.4))]),
  ]

  private static let sweeping = Articulation(
    attack: 0.12, release: 0.4, cutoff: 4_200, dynamics: 1_200, wobble: .init(rate: 5.1, delay: 0.3, pitch: 4),
    chorus: 30)

  private static func bowed(attack: Double, release: Double, cutoff: Double) -> Articulation {
    Articulation(attack: attack, release: release, cutoff: cutoff, dynamics: 2_000, reverb: 10)
  }

  private static func voices(attack: Double) -> Articulation {
    Articulation(attack: attack, release: 0.35, vibrato: .init(cents: 4, rate: 5, delay: 0.5), reverb: 15)
  }

  private static func section(_ key: Int) -> Wave {
    Ensemble(key: key, rate: key < 50 ? 11_000 : 15_000, length: key == 60 ? 8_192 : 4_096, width: 11) { n, f in
      let body = 0.4 + formants(f, [(300, 110, -2), (480, 160, -1), (1_000, 400, -3), (2_600, 1_100, -3)])
      let uneven = 1 + 0.3 * sin(Double(n * 3 + key))
      return body * uneven / Double(n) * exp(-f / 5_000) / (1 + pow(90 / f, 2))
    }.rendered(seed: 48).tilted(key < 50 ? 1 : key > 75 ? -2 : 0)
  }

  private static let aahVowel: [(center: Double, width: Double, decibels: Double)] = [
    (680, 100, 0), (1_120, 120, -4), (2_700, 200, -18), (3_400, 260, -22), (250, 120, -8),
  ]
  private static let oohVowel: [(center: Double, width: Double, decibels: Double)] = [
    (340, 80, 0), (760, 110, -11), (2_500, 250, -34), (3_300, 300, -38),
  ]

  /// Glottal pulses, 12 dB down an octave, through a vowel; the vowel stays where it is on every key.
  private static func choir(_ key: Int, rate: Int, vowel: [(center: Double, width: Double, decibels: Double)]) -> Wave {
    Ensemble(key: key, rate: rate, length: rate < 10_000 && key > 60 ? 2_048 : 4_096, width: 15) { n, f in
      (formants(f, vowel) + 0.004) / pow(Double(n), 0.85) * exp(-f / 5_000)
    }.rendered(seed: 52)
  }

  /// Strings, brass and a drum together, once.
  private static func orchestra(_ key: Int) -> Wave {
    let rate = 11_000
    let count = 3_800
    var frames = [Double](repeating: 0, count: count)
    for (offset, level) in [(-12, 1.0), (-24, 0.7), (0, 0.9), (7, 0.3), (12, 0.5)] {
      let wave = Ensemble(key: key + offset, rate: rate, length: 16_384, width: 14) { n, f in
        exp(-f / 2_600) / pow(Double(n), 0.8)
      }.rendered(seed: 55 + offset)
      let unit = level / wave.frames.rms
      for i in frames.indices { frames[i] += unit * wave.frames[i + 16] }
    }
    for i in frames.indices {
      let t = Double(i) / Double(rate)
      let end = 1 - Double(i) / Double(count)
      frames[i] *= min(1, t / 0.006) * (0.2 + exp(-t * 7)) * min(1, end * 4)
    }
    return Wave(frames: frames, rate: rate, key: key, loop: nil)
      .struck(0.7, decay: 0.05, seed: 55, .lowPass(1_200, rate: Double(rate)))
      .overdriven(2)
  }
}
