import AudioGraph
import SynthDSP

extension Synthesizer {
  /// Mixes what an input captures with all that is played, before the equalizer, as a singer with a song. The first one
  /// is the microphone, which takes inserts. [control thread]
  ///
  /// If its device goes away it is muted until a person unmutes it: `add(_:gain:onUnplug:)` has it otherwise.
  ///
  /// - Returns: its strip, with gain, mute and meter.
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
    let isFirst = microphone == nil
    let fader = MixerNode(fader: "\(isFirst ? "microphone" : input.name) fader", sampleRate: instruments.sampleRate)
    let strip = fader.inputs[0]
    strip.gain.value = Float(gain.value)
    let added = Microphone(input, fader, mainBus: bus, onUnplug: policy)
    try insertTurn.withLock { _ in
      let rack = busRack.withLock { $0 }
      microphones.withLock { $0.append(added) }
      do {
        try engine.edit { graph in
          for node in [input, fader] as [any AudioNode] { try graph.attach(node) }
          try graph.connect(input, to: fader)
          if isFirst {
            var wiring = BusWiring(self, rack)
            try wiring.apply(to: &graph)
          } else {
            try graph.connect(fader, to: mainMixer, toBus: bus)
          }
        }
      } catch {
        microphones.withLock { $0.removeAll { $0 === added } }
        throw error
      }
    }
    insertRack.withLock { rack in rack.microphone = rack.microphone ?? (fader, input.format.sampleRate) }
    try insertWaiting()
    return strip
  }

  /// The input that was added first; nil without any. [any thread]
  package var microphone: Microphone? { microphones.withLock(\.first) }
}
