import AudioGraph
import SynthInstruments
import SynthMIDI
import SynthText

extension Synthesizer {
  /// Makes the synthesizer ready for a song: its bank and presets are loaded, and for the ports it has beyond those
  /// there are, instruments and strips of the mixer are added, also while another song plays. To be called before the
  /// song is played or queued. [control thread]
  ///
  /// - Throws: `InstrumentError`, or `GraphError`.
  public func load(_ song: Song) throws {
    let sounding = song.routed(by: instruments.events.routes)
    try instruments.load(sounding)
    try connectPorts()
  }

  /// Gives the ports that the instruments have got strips of the mixer with sends.
  func connectPorts() throws {
    guard try connectMissingPorts() else { return }
    leadChannels()
    try insertWaiting()
  }

  /// - Returns: whether there were any.
  private func connectMissingPorts() throws -> Bool {
    try portTurn.withLock { _ in
      let channels = channelInputs.count..<max(channelInputs.count, instruments.outputBusCount)
      guard !channels.isEmpty else { return false }
      while mixer.inputBusCount < channels.upperBound { mixer.addInput() }
      // What comes is silent, so that nothing has to fade.
      try engine.edit(transition: .exact) { graph in
        for channel in channels { try graph.connect(instruments, to: mixer, fromBus: channel, toBus: channel) }
      }
      let sends = mixer.inputs[channels].map(\.sends)
      effects.addSends(reverb: sends.map { $0[0] }, chorus: sends.map { $0[1] }, delay: sends.map { $0[2] })
      return true
    }
  }

  /// The mixer's strips of the channels; what else is mixed stands behind them. [any thread]
  package var channelInputs: [MixerInput] { Array(mixer.inputs.prefix(effects.reverbSends.count)) }

  /// Finds out whether there is a channel, of those of all ports.
  func check(channel: Int, command: String) throws(SynthesizerCommandError) {
    let count = channelInputs.count
    guard channel >= count else { return }
    throw .badValue(
      ChannelName.text(channel), command: command,
      problem: "there are \(count) channels now; songs for several ports bring more")
  }

  /// Finds out whether a strip is there.
  func check(_ strip: Strip, command: String) throws(SynthesizerCommandError) {
    switch strip {
    case .channel(let channel): try check(channel: channel, command: command)
    case .microphone where microphone == nil:
      throw .refused("\(command) microphone: there is none; --in DEVICE adds one at the start")
    case .bus(let name) where bus(name) == nil:
      let known = buses.map(\.name)
      if known.isEmpty { throw .refused("\(command) \(name): there is no such bus; bus \(name) main makes it") }
      let near = EditDistance.nearest(to: name, among: known)
      throw .unknownName(name, kind: "bus", command: command, nearest: near, known: known)
    default: break
    }
  }

  /// The strip of a channel of all ports, 0 to 63; nil where there is none now. [any thread]
  func strip(_ channel: Int) -> MixerInput? {
    let inputs = channelInputs
    return inputs.indices.contains(channel) ? inputs[channel] : nil
  }
}
