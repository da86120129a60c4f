import TestSupport

// The volume envelope, and what several generators do together.

extension NullCase {
  private static let shape: [(SoundFontBytes.Generator, Int)] = [
    (.attackVolEnv, -4800), (.holdVolEnv, -4800), (.decayVolEnv, -1200), (.sustainVolEnv, 200), (.releaseVolEnv, -2400),
  ]

  static let envelopes = [
    sweep(.delayVolEnv, [-12_000, -4800, -3000], preset: [1200], with: shape),
    sweep(.attackVolEnv, [-12_000, -7200, -4800, -2000], preset: [9000], with: shape.filter { $0.0 != .attackVolEnv }),
    sweep(.holdVolEnv, [-12_000, -4800, -3000], preset: [9000], with: shape.filter { $0.0 != .holdVolEnv }),
    sweep(.decayVolEnv, [-12_000, -4800, 0], preset: [9000], with: shape.filter { $0.0 != .decayVolEnv }),
    sweep(.sustainVolEnv, [0, 100, 500, 1000], preset: [60], with: shape.filter { $0.0 != .sustainVolEnv }),
    sweep(.releaseVolEnv, [-12_000, -4800, -1200], preset: [10_000], with: [(.sampleModes, 1)], rest: 500),
    sweep(.keynumToVolEnvHold, [-100, 50, 100], preset: [40], with: shape, keys: [48, 72]),
    sweep(.keynumToVolEnvDecay, [-100, 50, 100], preset: [40], with: shape, keys: [48, 72]),
    envelope("let go during the delay", [(.delayVolEnv, -2400)], for: 100, 300),
    envelope("let go during the attack", [(.attackVolEnv, -1200), (.releaseVolEnv, -1200)], for: 200),
    envelope("let go during the hold", [(.holdVolEnv, 0), (.releaseVolEnv, -1200)], for: 100),
    envelope("let go during the decay", [(.decayVolEnv, 0), (.sustainVolEnv, 900)], for: 150),
    envelope("shorter than 10 ms", [(.attackVolEnv, -12_000)], for: 2),
    envelope(
      "with all of the two envelopes",
      [
        (.attackVolEnv, -4800), (.decayVolEnv, -1200), (.sustainVolEnv, 300), (.modEnvToPitch, 300),
        (.attackModEnv, -3600), (.decayModEnv, -2400), (.sustainModEnv, 700), (.modEnvToFilterFc, 3000),
        (.initialFilterFc, 6500), (.initialFilterQ, 150), (.releaseVolEnv, -2400), (.releaseModEnv, -2400),
      ], for: 400),
    envelope(
      "with both oscillators",
      [
        (.freqModLFO, -500), (.freqVibLFO, -300), (.modLfoToPitch, 30), (.vibLfoToPitch, -50), (.modLfoToVolume, 90),
        (.modLfoToFilterFc, 1200), (.initialFilterFc, 7000), (.delayModLFO, -4000), (.delayVibLFO, -3000),
      ], for: 500),
  ]

  private static func envelope(
    _ name: String, _ generators: [(SoundFontBytes.Generator, Int)], for lengths: Int...
  ) -> NullCase {
    NullCase("note \(name)", SoundFontBytes(.saw, [.of(generators)])) { score in
      for key in [48, 60, 71] as [UInt8] {
        for length in lengths { score.play(key, for: length, rest: 500) }
      }
    }
  }
}
