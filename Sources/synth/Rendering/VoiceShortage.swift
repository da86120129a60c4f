import SynthText

/// What notes lost because more voices were needed than the polyphony allows.
struct VoiceShortage {
  /// Ended early, for others.
  let stolen: Int
  /// Never heard.
  let lost: Int

  /// Nil where all notes had their voices.
  init?(stolen: Int, lost: Int) {
    guard stolen + lost > 0 else { return nil }
    (self.stolen, self.lost) = (stolen, lost)
  }

  var line: String {
    let early = stolen > 0 ? ["\(NumberFormatting.count(stolen, "voice", "voices")) ended early"] : []
    let unheard = lost > 0 ? ["\(NumberFormatting.count(lost, "voice", "voices")) left out"] : []
    return (early + unheard).joined(separator: ", ") + ": more sounded at once than --polyphony allows; raise it"
  }
}
