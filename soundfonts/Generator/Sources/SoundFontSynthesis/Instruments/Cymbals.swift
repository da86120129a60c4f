// Cymbals: very many modes, which settle into a looped shimmer.
import Glibc

enum Cymbals {
  static let closedHat = SampleSet("Closed hat", [hat(seconds: 0.09, decay: 60)])
  static let openHat = SampleSet(
    "Open hat", [plate(46, rate: 26_000, lead: 0.06, loop: 0.12, low: 3_000, center: 8_500, decay: 4)])
  static let crash = SampleSet(
    "Crash", [plate(49, rate: 22_050, lead: 0.08, loop: 0.21, low: 350, center: 4_600, decay: 5)])
  static let ride = SampleSet("Ride", [rideWave()])
  static let rideBell = SampleSet("Ride bell", [bellWave()])

  private static func hat(seconds: Double, decay: Double) -> Wave {
    let rate = 28_000.0
    var wave = plate(42, rate: rate, lead: seconds, loop: 0.02, low: 3_200, center: 9_000, decay: 0)
    wave.loop = nil
    for i in wave.frames.indices {
      let t = Double(i) / rate
      wave.frames[i] *= (exp(-decay * t) + 0.5 * exp(-300 * t)) * min(1, Double(wave.frames.count - i) / 300)
    }
    return wave
  }

  /// A cymbal as inharmonic clusters and noise, whose high end is stronger at first by `decay` nepers a second.
  private static func plate(
    _ key: Int, rate: Double, lead: Double, loop: Double, low: Double, center: Double, decay: Double
  ) -> Wave {
    var noise = Noise(seed: key)
    // A tone without pitch: its "fundamental" is the grid of the loop.
    let grid = frequency(21)
    let partials = (0..<220).map { _ in
      let position = (noise.next() + 1) / 2
      let f = low * pow(0.45 * rate / low, position)
      let level = (0.5 + 0.5 * abs(noise.next())) / (1 + pow((f - center) / (0.55 * center), 2)) + 0.04
      return Partial(
        ratio: f / grid, level: level, decay: decay * (0.4 + f / center), tail: 0.45, onset: 0.0005,
        phase: noise.next())
    }
    var wave = Tone(key: 21, rate: rate, lead: lead, loop: loop, partials: partials).rendered(seed: key)
    wave.key = key
    return wave.blown(
      0.5, onset: (0.8, 0.04), seed: key, .bandPass(center * 1.1, q: 0.4, rate: rate), .highPass(low, rate: rate))
  }

  private static func rideWave() -> Wave {
    let rate = 24_000.0
    return plate(51, rate: rate, lead: 0.06, loop: 0.12, low: 500, center: 5_200, decay: 7)
      .struck(1.6, decay: 0.012, seed: 51, .highPass(3_500, rate: rate))
  }

  private static func bellWave() -> Wave {
    Mallets.bar(
      53, rate: 24_000, lead: 0.1, loop: 0.02,
      [(5, 0.9, 0.3), (6.7, 0.7, 1), (9.4, 0.5, 2), (12.2, 0.5, 3), (17.3, 0.4, 5), (23.1, 0.3, 8), (31.4, 0.2, 12)],
      thump: 0.4)
  }
}
