import TestSupport

// Generators that a controller moves, while a note is held and before one.

extension NullCase {
  private static let slow: [(SoundFontBytes.Generator, Int)] = [(.freqModLFO, -851), (.freqVibLFO, -851)]
  private static let shaped: [(SoundFontBytes.Generator, Int)] = [
    (.attackVolEnv, -4800), (.holdVolEnv, -4800), (.decayVolEnv, -2400), (.sustainVolEnv, 300), (.releaseVolEnv, -2400),
  ]
  private static let bent: [(SoundFontBytes.Generator, Int)] = [
    (.modEnvToPitch, 700), (.attackModEnv, -4800), (.holdModEnv, -4800), (.decayModEnv, -2400), (.sustainModEnv, 300),
    (.releaseModEnv, -2400), (.releaseVolEnv, -2400),
  ]

  static let routes = [
    route(.modLfoToPitch, 300, slow), route(.vibLfoToPitch, 300, slow), route(.modEnvToPitch, 1200, bent),
    route(.initialFilterFc, -6000), route(.initialFilterQ, 500, [(.initialFilterFc, 8000)]),
    route(.modLfoToFilterFc, 2400, slow + [(.initialFilterFc, 7000)]),
    route(.modEnvToFilterFc, 4000, bent + [(.initialFilterFc, 6000)]),
    route(.modLfoToVolume, 200, slow), route(.pan, -700), route(.initialAttenuation, 500),
    route(.coarseTune, 12), route(.fineTune, 99), route(.freqModLFO, 1200, slow + [(.modLfoToPitch, 50)]),
    route(.freqVibLFO, 1200, slow + [(.vibLfoToPitch, 50)]),
    route(.delayModLFO, 9000, slow + [(.modLfoToPitch, 50)]), route(.delayVibLFO, 9000, slow + [(.vibLfoToPitch, 50)]),
    route(.delayVolEnv, 8000, shaped), route(.attackVolEnv, 3000, shaped), route(.holdVolEnv, 3000, shaped),
    route(.decayVolEnv, 3000, shaped), route(.sustainVolEnv, 300, shaped), route(.releaseVolEnv, 2400, shaped),
    route(.delayModEnv, 8000, bent), route(.attackModEnv, 3000, bent), route(.holdModEnv, 3000, bent),
    route(.decayModEnv, 3000, bent), route(.sustainModEnv, 500, bent), route(.releaseModEnv, 2400, bent),
    route(.startAddrsOffset, 1000, [(.sampleModes, 0)]), route(.startloopAddrsOffset, 500),
    route(.endloopAddrsOffset, -500), route(.reverbEffectsSend, 500), route(.scaleTuning, 50),
  ]

  private static func route(
    _ generator: SoundFontBytes.Generator, _ amount: Int, _ generators: [(SoundFontBytes.Generator, Int)] = []
  ) -> NullCase {
    let modulator = Modulator(.controller(20), to: generator, amount: amount)
    return NullCase("controller to \(generator)", font([modulator], generators)) { score in
      for value in [0, 64, 127] as [UInt8] {
        score.control(20, value)
        score.play(62, for: 200, rest: 200)
      }
      score.hold(55) { score in
        for value in [10, 50, 100] as [UInt8] {
          score.control(20, value)
          score.wait(70)
        }
      }
    }
  }
}
