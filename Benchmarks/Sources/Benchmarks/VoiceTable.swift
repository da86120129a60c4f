import SynthRealtime

/// What one voice of the oscillator instrument costs, for comparison with those of other synthesizers.
enum VoiceTable {
  private static let turns = 101
  private static let quanta = 750

  /// Nanoseconds a voice and frame, of each patch: the median of the differences to the same graph without voices.
  static func measure(voiceCount: Int) throws {
    for (name, voices) in [
      ("plain", try Case.voices(voiceCount, Case.plain)), ("filtered", try Case.voices(voiceCount, Case.filtered)),
    ] {
      voices.with.run(quanta)
      let differences = (0..<turns).map { _ in voices.with.time(quanta) - voices.without.time(quanta) }
      print(name, fixed(Distribution(differences).median / Double(renderQuantum * voiceCount), 1))
    }
  }
}
