import Instruments

// What plays while it plays: each command is an exchange of instruments.

extension SynthesizerControl {
  /// Lets a choice take the place of what was chosen before for its channel and its keys.
  func set(_ choice: InstrumentChoice) throws(SynthesizerCommandError) {
    var configuration = synthesizer.instruments.configuration
    configuration.assignments.removeAll { assignment in
      assignment.channel == choice.channel && choice.keys.contains(assignment.keys.lowerBound)
        && choice.keys.contains(assignment.keys.upperBound)
    }
    do throws(PresetError) {
      configuration.assignments += try choice.assignments(from: instrumentLibrary)
    } catch {
      throw .preset(error)
    }
    try exchange(configuration)
  }

  func setSoundFont(_ path: String) throws(SynthesizerCommandError) {
    var configuration = synthesizer.instruments.configuration
    configuration.sampler.soundFonts = [path]
    try exchange(configuration)
  }

  /// Where the sampler is to play and has no soundfont yet, the standard one is found.
  private func exchange(_ configuration: RackConfiguration) throws(SynthesizerCommandError) {
    var configuration = configuration
    do {
      if configuration.sampler.soundFonts.isEmpty, InstrumentAssignment.needSampler(configuration.assignments) {
        configuration.sampler.soundFonts = [try SoundFontLocator.standard().locate().path]
      }
      try synthesizer.instruments.exchange(configuration)
    } catch {
      throw .soundFont("\(error)")
    }
  }

  /// What stands before the name is left as it is.
  func instruments(completing word: Substring) -> [String] {
    let start = word.lastIndex { $0 == "=" || $0 == "+" }.map { word[...$0] } ?? ""
    return (instrumentLibrary.names + [InstrumentChoice.samplerName]).map { start + $0 }
  }
}
