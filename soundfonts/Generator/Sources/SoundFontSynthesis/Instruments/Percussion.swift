// Hand drums, shakers, bells and whistles of the kit.
import Glibc

enum Percussion {
  static let bongo = SampleSet(
    "Bongo", [skin(60, [(400, 1, 22), (640, 0.35, 40), (980, 0.15, 60)], slap: 0.25, seconds: 0.2)])
  static let conga = SampleSet(
    "Conga", [skin(63, [(220, 1, 13), (350, 0.35, 30), (520, 0.18, 45)], slap: 0.2, seconds: 0.25)])
  static let mutedConga = SampleSet(
    "Muted conga", [skin(62, [(260, 0.8, 38), (700, 0.4, 60)], slap: 0.6, seconds: 0.13)])
  static let timbale = SampleSet(
    "Timbale", [skin(65, [(330, 1, 12), (530, 0.7, 16), (860, 0.5, 20), (1_420, 0.3, 28)], slap: 0.35, seconds: 0.2)])
  static let cowbell = SampleSet(
    "Cowbell", [metal(56, [(562, 0.8, 14), (845, 1, 14), (1_640, 0.4, 30), (2_500, 0.3, 40)], seconds: 0.2)])
  static let triangle = SampleSet(
    "Triangle",
    [
      Mallets.bar(
        81, rate: 28_000, lead: 0.06, loop: 0.05,
        [(1.53, 0.5, 0), (3.6, 0.8, 0), (5.4, 1, 0.2), (7.85, 0.7, 1), (10.9, 0.6, 2), (13.6, 0.5, 3)], thump: 0.2)
    ])
  static let tambourine = SampleSet("Tambourine", [jingle(54, seconds: 0.12, decay: 22)])
  static let shaker = SampleSet("Shaker", [grain(70, seconds: 0.07, attack: 0.012, decay: 55, center: 6_500)])
  static let cabasa = SampleSet("Cabasa", [grain(69, seconds: 0.085, attack: 0.025, decay: 40, center: 7_500)])
  static let guiro = SampleSet("Guiro", [scraper(74, seconds: 0.2, ridges: 22)])
  static let vibraslap = SampleSet("Vibraslap", [scraper(58, seconds: 0.25, ridges: 16, dying: true)])
  static let whistle = SampleSet("Samba whistle", [pea(72)])
  static let cuica = SampleSet("Cuica", [rubbed(79)])
  static let castanet = SampleSet("Castanet", [skin(85, [(1_950, 1, 70), (2_850, 0.5, 90)], slap: 0.6, seconds: 0.06)])
  static let surdo = SampleSet(
    "Surdo", [skin(87, [(82, 1, 7), (132, 0.3, 14), (188, 0.15, 20)], slap: 0.12, seconds: 0.36, rate: 5_000)])
  static let zap = SampleSet("High Q", [laser(27)])
  static let scratch = SampleSet("Scratch", [scratchWave(29)])
  static let click = SampleSet("Click", [skin(33, [(1_600, 1, 130), (3_200, 0.4, 160)], slap: 0.1, seconds: 0.04)])

  private static func skin(
    _ key: Int, _ modes: [(Double, Double, Double)], slap: Double, seconds: Double, rate: Double = 13_000
  ) -> Wave {
    Membrane(
      rate: rate, seconds: seconds, modes: modes.map { .init($0.0, $0.1, $0.2) }, bend: (0.12, 40),
      rattles: [.init(level: slap, decay: 160, filters: [.bandPass(min(2_400, modes[0].0 * 5), q: 0.5, rate: rate)])]
    ).rendered(key: key, seed: key).overdriven(1.3)
  }

  private static func metal(_ key: Int, _ modes: [(Double, Double, Double)], seconds: Double) -> Wave {
    Membrane(
      rate: 14_000, seconds: seconds * 0.8, modes: modes.map { .init($0.0, $0.1, $0.2) },
      rattles: [.init(level: 0.3, decay: 200, filters: [.bandPass(2_500, q: 0.6, rate: 14_000)])]
    ).rendered(key: key, seed: key)
  }

  private static func jingle(_ key: Int, seconds: Double, decay: Double) -> Wave {
    let rate = 25_000.0
    return Membrane(
      rate: rate, seconds: seconds,
      modes: [5_270, 6_810, 7_930, 9_480, 11_200].map { .init($0, 0.14, decay * 0.8) },
      rattles: [
        .init(level: 0.3, decay: decay, filters: [.highPass(5_500, rate: rate)]),
        .init(level: 0.3, decay: 140, filters: [.bandPass(3_500, q: 0.7, rate: rate)]),
      ]
    ).rendered(key: key, seed: key)
  }

  private static func grain(_ key: Int, seconds: Double, attack: Double, decay: Double, center: Double) -> Wave {
    let rate = 24_000.0
    return Membrane(
      rate: rate, seconds: seconds,
      rattles: [
        .init(
          level: 0.3, decay: decay, attack: attack,
          filters: [.bandPass(center, q: 0.8, rate: rate), .highPass(2_500, rate: rate)])
      ]
    ).rendered(key: key, seed: key)
  }

  /// A row of knocks: ridges under a stick, or the teeth of a jawbone that come to rest.
  private static func scraper(_ key: Int, seconds: Double, ridges: Int, dying: Bool = false) -> Wave {
    let rate = 12_000.0
    var source = Noise(seed: key)
    let count = Int(seconds * rate)
    var frames = [Double](repeating: 0, count: count)
    for ridge in 0..<ridges {
      let place = Double(ridge) / Double(ridges)
      let start = Int(place * Double(count) * 0.92)
      let level = dying ? exp(-place * 3.5) : 0.5 + 0.5 * place
      for i in 0..<min(500, count - start) {
        frames[start + i] += level * source.next() * exp(-Double(i) / 45)
      }
    }
    return Wave(frames: frames, rate: Int(rate), key: key, loop: nil)
      .filtered(.bandPass(dying ? 2_300 : 3_000, q: dying ? 2.5 : 1.1, rate: rate))
  }

  private static func pea(_ key: Int) -> Wave {
    var wave = Tone(
      key: 95, rate: 18_000, lead: 0.01, loop: 0.06,
      partials: [
        Partial(ratio: 1, level: 1, onset: 0.008), Partial(ratio: 1.16, level: 0.5, onset: 0.008),
        Partial(ratio: 2, level: 0.1, onset: 0.008),
      ]
    ).rendered()
    let period = Double(wave.loop?.count ?? 1) / 2
    for i in wave.frames.indices {
      wave.frames[i] *= 0.62 + 0.38 * sin(2 * .pi * Double(i - (wave.loop?.lowerBound ?? 0)) / period)
    }
    wave.key = key
    return wave.blown(0.12, seed: key, .bandPass(3_000, q: 0.7, rate: Double(wave.rate)))
  }

  private static func rubbed(_ key: Int) -> Wave {
    let rate = 12_000.0
    var phase = 0.0
    let frames = (0..<2_400).map { i in
      let t = Double(i) / 2_400
      phase += (520 + 240 * sin(.pi * t)) / rate
      let stick = sin(2 * .pi * phase) + 0.5 * sin(4 * .pi * phase) + 0.25 * sin(6 * .pi * phase)
      return stick * min(1, t * 25) * (1 - t)
    }
    return Wave(frames: frames, rate: Int(rate), key: key, loop: nil)
  }

  private static func laser(_ key: Int) -> Wave {
    Membrane(rate: 24_000, seconds: 0.07, modes: [.init(420, 1, 28)], bend: (4.2, 45)).rendered(key: key, seed: key)
  }

  private static func scratchWave(_ key: Int) -> Wave {
    let rate = 14_000.0
    var source = Noise(seed: key)
    var phase = 0.0
    let frames = (0..<1_500).map { i in
      let t = Double(i) / 1_500
      phase += (300 + 1_700 * t) / rate
      return (source.next() * 0.8 + (phase - phase.rounded())) * sin(.pi * t)
    }
    return Wave(frames: frames, rate: Int(rate), key: key, loop: nil).filtered(.bandPass(1_700, q: 0.8, rate: rate))
  }

}
