import AudioGraph
import SynthDSP

extension Synthesizer {
  /// Mixes what an input captures with all that is played, before the equalizer, as a singer with a song. [control
  /// thread]
  ///
  /// - Returns: its strip of the main mixer, with gain, mute and meter.
  /// - Throws: `GraphError`.
  @discardableResult
  public func add(_ input: InputNode, gain: Decibels = Decibels(0)) throws -> MixerInput {
    let bus = mainMixer.addInput()
    let strip = mainMixer.inputs[bus]
    strip.gain.value = Float(gain.value)
    try engine.edit { graph in
      try graph.attach(input)
      try graph.connect(input, to: mainMixer, toBus: bus)
    }
    return strip
  }
}
