import TestSupport

// The generators of 8.1.2, but for those of ranges and samples.

extension NullCase {
  /// 5 Hz.
  private static let vibrato: [(SoundFontBytes.Generator, Int)] = [(.freqVibLFO, -851), (.vibLfoToPitch, 60)]
  private static let modulation: [(SoundFontBytes.Generator, Int)] = [(.freqModLFO, -851), (.modLfoToPitch, 60)]
  /// An envelope that is heard as pitch: it rises, holds, falls and is let go within a note.
  private static let pitchEnvelope: [(SoundFontBytes.Generator, Int)] = [
    (.modEnvToPitch, 700), (.attackModEnv, -3600), (.holdModEnv, -4800), (.decayModEnv, -2400), (.sustainModEnv, 400),
    (.releaseModEnv, -2400), (.releaseVolEnv, -2400),
  ]
  private static let dark: [(SoundFontBytes.Generator, Int)] = [(.initialFilterFc, 8000), (.initialFilterQ, 80)]

  static let generators = [
    sweep(.modLfoToPitch, [-100, 40, 1200], preset: [60, -300], with: [(.freqModLFO, -851)]),
    sweep(.vibLfoToPitch, [-100, 40, 1200], preset: [60, -300], with: [(.freqVibLFO, -851)]),
    sweep(
      .modEnvToPitch, [1200, -700, 12_000], preset: [-500],
      with: [(.attackModEnv, -3600), (.decayModEnv, -3600), (.sustainModEnv, 500)]),
    sweep(.initialFilterFc, [4500, 7000, 9500, 13_500], preset: [2500, -1000]),
    sweep(.initialFilterQ, [0, 100, 400, 960], preset: [200], with: [(.initialFilterFc, 8000)]),
    sweep(.modLfoToFilterFc, [-1200, 600, 3000], preset: [500], with: dark + [(.freqModLFO, -851)]),
    sweep(
      .modEnvToFilterFc, [2400, -2400, 6000], preset: [1200],
      with: dark + [(.attackModEnv, -3600), (.decayModEnv, -3600), (.sustainModEnv, 500)]),
    sweep(.modLfoToVolume, [-60, 60, 120], preset: [-100], with: [(.freqModLFO, -851)]),
    sweep(.chorusEffectsSend, [0, 400, 1000], preset: [300]),
    sweep(.reverbEffectsSend, [0, 400, 1000], preset: [300]),
    sweep(.pan, [-500, -250, 120, 500], preset: [250, 1000]),
    sweep(.delayModLFO, [-12_000, -3600, -2400], preset: [1200], with: modulation),
    sweep(.freqModLFO, [-4000, -851, 1200, 4500], preset: [600], with: [(.modLfoToPitch, 60)]),
    sweep(.delayVibLFO, [-12_000, -3600, -2400], preset: [1200], with: vibrato),
    sweep(.freqVibLFO, [-4000, -851, 1200, 4500], preset: [600], with: [(.vibLfoToPitch, 60)]),
    sweep(.delayModEnv, [-12_000, -4800, -3000], preset: [1200], with: pitchEnvelope),
    sweep(.attackModEnv, [-12_000, -4800, -2000], preset: [3600], with: pitchEnvelope.without(.attackModEnv)),
    sweep(.holdModEnv, [-12_000, -4800, -3000], preset: [3600], with: pitchEnvelope.without(.holdModEnv)),
    sweep(.decayModEnv, [-12_000, -4800, -1200], preset: [3600], with: pitchEnvelope.without(.decayModEnv)),
    sweep(.sustainModEnv, [0, 300, 1000], preset: [200], with: pitchEnvelope.without(.sustainModEnv)),
    sweep(.releaseModEnv, [-12_000, -4800, -1200], preset: [3600], with: pitchEnvelope.without(.releaseModEnv)),
    sweep(.keynumToModEnvHold, [-100, 50, 100], preset: [40], with: pitchEnvelope, keys: [48, 72]),
    sweep(.keynumToModEnvDecay, [-100, 50, 100], preset: [40], with: pitchEnvelope, keys: [48, 72]),
    sweep(.initialAttenuation, [0, 37, 250, 900], preset: [100, -30]),
    sweep(.coarseTune, [-12, 7, 40], preset: [5, -120]),
    sweep(.fineTune, [-50, 37, 99], preset: [25]),
    sweep(.scaleTuning, [0, 50, 120], preset: [30], keys: [48, 60, 67]),
    sweep(.overridingRootKey, [48, 67, 120], preset: [5]),
    sweep(.keynum, [40, 72, 127], preset: [5], keys: [60, 64]),
    sweep(.velocity, [1, 64, 127], preset: [20], velocities: [30, 110]),
  ]
}

extension [(SoundFontBytes.Generator, Int)] {
  fileprivate func without(_ generator: SoundFontBytes.Generator) -> Self { filter { $0.0 != generator } }
}
