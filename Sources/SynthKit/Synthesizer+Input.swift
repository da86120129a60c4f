import AudioGraph
import SynthDSP

extension Synthesizer {
  /// Mixes what an input captures with all that is played, before the equalizer, as a singer with a song. The first one
  /// is the microphone, which takes inserts. [control thread]
  ///
  /// If its device goes away it is muted until a person unmutes it: `add(_:gain:onUnplug:)` has it otherwise.
  ///
  /// - Returns: its strip of the main mixer, with gain, mute and meter.
  /// - Throws: `GraphError`.
  @discardableResult
  public func add(_ input: InputNode, gain: Decibels = Decibels(0)) throws -> MixerInput {
    try add(input, gain: gain, onUnplug: .mute)
  }

  /// The same, and says what becomes of the input if its device goes away and comes back. [control thread]
  ///
  /// Of several inputs the first is the one that clients are shown as the microphone, and that commands call so.
  @discardableResult
  public func add(_ input: InputNode, gain: Decibels, onUnplug policy: InputUnplugPolicy) throws -> MixerInput {
    let bus = mainMixer.addInput()
    let strip = mainMixer.inputs[bus]
    strip.gain.value = Float(gain.value)
    try engine.edit { graph in
      try graph.attach(input)
      try graph.connect(input, to: mainMixer, toBus: bus)
    }
    microphones.withLock { $0.append(Microphone(input, strip, onUnplug: policy)) }
    insertRack.withLock { rack in rack.microphone = rack.microphone ?? (bus, input.format.sampleRate) }
    try insertWaiting()
    return strip
  }

  /// The input that was added first; nil without any. [any thread]
  package var microphone: Microphone? { microphones.withLock(\.first) }
}
