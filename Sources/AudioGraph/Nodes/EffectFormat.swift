/// What effects have in common as to formats: mono or stereo in. [control thread]
public enum EffectFormat {
  /// What the effect is given, stereo where that is nothing, if it can run with it.
  ///
  /// - Parameters:
  ///   - effect: its name, for people.
  ///   - sampleRate: the output unit's, in hertz.
  ///   - sampleRates: those it can run at, in hertz; nil is any.
  /// - Throws: what it cannot run with.
  public static func input(
    of effect: String, _ input: AudioFormat?, sampleRate: Double, sampleRates: ClosedRange<Double>? = nil
  ) throws(FormatRefusal) -> AudioFormat {
    let format = input ?? .stereo(sampleRate)
    guard (1...2).contains(format.channelCount) else {
      throw FormatRefusal(
        bus: 0, reason: "the \(effect) takes mono or stereo, not \(format.channelCount) channels",
        remedy: "put a converter between them")
    }
    if let sampleRates, !sampleRates.contains(format.sampleRate) {
      throw FormatRefusal(
        bus: 0, reason: "the \(effect) cannot run at \(hertz(format.sampleRate))", remedy: "put a converter before it")
    }
    return format
  }

  /// What a send effect gives: stereo.
  ///
  /// - Parameter inputs: the first that is connected says the sample rate.
  static func sendOutput(
    of effect: String, for inputs: [AudioFormat?], sampleRate: Double
  ) throws(FormatRefusal) -> AudioFormat {
    let connected = inputs.first { $0 != nil } ?? nil
    let rate = try input(of: effect, connected, sampleRate: sampleRate, sampleRates: 8000...768_000).sampleRate
    for (bus, format) in inputs.enumerated() {
      guard let format, format.sampleRate != rate || format.channelCount > 2 else { continue }
      throw FormatRefusal(
        bus: bus, reason: "the \(effect) takes mono or stereo at its first input's \(hertz(rate)), not \(format)",
        remedy: "put a converter before it")
    }
    return .stereo(rate)
  }
}
