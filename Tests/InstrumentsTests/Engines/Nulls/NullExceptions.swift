/// The cases in which the native engine may differ from a FluidSynth, and why.
enum NullExceptions {
  /// From FluidSynth 2.3, beside 0.4 dB at velocity 100 and the initial volume.
  static let fluidSynth23: [String: String] = {
    var reasons = [
      "sample of no key": keyless, "modulator linked to another": linked, "channel all sound off": cutOff,
      "modulator with the absolute value": "has the absolute value, as 8.2.5 has it; 2.3 has none",
    ]
    for (names, reason) in older { for name in names { reasons[name] = reason } }
    return reasons
  }()

  /// From the newest FluidSynth.
  static let newest: [String: String] = {
    var reasons = [
      "sample of no key": keyless, "modulator linked to another": linked, "channel all sound off": cutOff,
      "sample mode 2, which loops nothing": "sounds from its start, as 8.1.2 has it; in 2.6 it waits for the release",
    ]
    for name in ["default pitch wheel to pitch", "modulator from the pitch wheel"] {
      reasons[name] = "a wheel that is turned up reaches the whole range; in 2.6 1/8192 less"
    }
    for name in jumps { reasons[name] = "a filter that jumps goes straight by its coefficients, in 2.6 by cents" }
    return reasons
  }()

  private static let keyless = "sounds as recorded at key 60, as 7.10 has it"
  private static let linked = "moves the other one, as 8.2.3 has it; FluidSynth leaves it out"
  private static let cutOff = "fades in 5 ms; FluidSynth cuts it off"

  private static let jumps = [
    "generator modEnvToFilterFc", "modulator from channel pressure",
    "modulator with an amount by a falling controller", "controller to initialFilterFc",
    "controller to initialFilterQ", "controller to modLfoToFilterFc", "controller to modEnvToFilterFc",
    "channel generators by parameters",
  ]

  private static let older: [([String], String)] = [
    (
      [
        "generator initialFilterFc", "generator initialFilterQ", "generator modLfoToFilterFc",
        "generator modEnvToFilterFc", "note shorter than 10 ms", "note with all of the two envelopes",
        "default velocity to filter cutoff", "modulator from the key", "modulator from channel pressure",
        "modulator with an amount by a falling controller", "controller to initialFilterFc",
        "controller to initialFilterQ", "controller to modLfoToFilterFc", "controller to modEnvToFilterFc",
        "transposition to the end", "transposition of noise through the filter", "channel generators by parameters",
      ],
      "filters, then shapes the amplitude (9.1.8), and turns as FluidSynth 2.6; 2.3 does it the other way round"
    ),
    (
      [
        "generator modLfoToVolume", "note with both oscillators", "controller to modLfoToVolume",
      ],
      "its LFO raises the volume too (8.1.2, 13); that of 2.3 lowers it only"
    ),
    (
      [
        "generator delayVolEnv", "note let go during the delay", "controller to delayVolEnv",
      ],
      "the wave goes on while the envelope is delayed; in 2.3 it waits"
    ),
    (
      [
        "default controller 8 to balance", "default controller 10 to pan",
        "modulator volume controller with half its effect", "modulator volume controller without effect",
        "modulator volume controller with more effect by the preset", "modulator sum of attenuations below 0",
        "default velocity without effect", "modulator linear, rising, unipolar", "modulator linear, falling, unipolar",
        "modulator linear, rising, bipolar", "modulator linear, falling, bipolar",
        "modulator concave, rising, unipolar", "modulator concave, falling, unipolar",
        "modulator concave, rising, bipolar", "modulator concave, falling, bipolar",
        "modulator convex, falling, unipolar", "modulator convex, falling, bipolar",
        "modulator convex, rising, bipolar", "modulator switch, rising, bipolar", "modulator switch, falling, bipolar",
        "modulator from the velocity", "zone velRange at both levels", "zone layers of five",
      ],
      "sources have the values of 9.5.3; those of 2.3 that fall, bend or go both ways have others"
    ),
    (
      [
        "modulator from no controller"
      ],
      "no controller is 1 (8.2.1); in 2.3 it turns the modulator off"
    ),
    (
      [
        "controller to freqModLFO", "controller to freqVibLFO",
      ],
      "whole cents below 0, too, as FluidSynth 2.6"
    ),
    (
      [
        "zone exclusiveClass"
      ],
      "ends in 0.3 s, as FluidSynth 2.6; in 2.3 it takes 0.9 s"
    ),
  ]
}
