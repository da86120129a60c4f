import SynthInstruments
import SynthMIDI

extension SynthesizerControl {
  /// Lets a choice replace what plays its channel's keys; one for all channels and keys replaces everything.
  func set(_ choice: InstrumentChoice) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    var configuration = synthesizer.instruments.configuration
    do throws(ResourceError) {
      let new = try choice.assignments(from: instrumentLibrary)
      configuration.assignments =
        configuration.assignments.without(choice.keys, of: choice.channel) + new
    } catch {
      throw .preset(error)
    }
    try exchange(configuration)
    return .instruments(synthesizer.instruments.configuration.assignments)
  }

  func setSoundFont(_ path: String) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    let path = TypedPath.expanded(path)
    var configuration = synthesizer.instruments.configuration
    configuration.sampler.soundFonts = [path]
    // What is chosen now is to be heard; the next song brings its bank again.
    configuration.sampler.bank = nil
    try exchange(configuration)
    return .soundFont(path)
  }

  /// As a keyboard would: what songs and keyboards say later counts.
  func choose(_ program: UInt8, _ bank: UInt8?, on channel: UInt8) throws(SynthesizerCommandError) -> SynthesizerAnswer
  {
    guard let session else { throw .refused("program: nothing is played") }
    try checkChannels(command: "program")
    try synthesizer.check(channel: Int(channel), command: "program")
    func send(_ message: MIDIMessage) { session.keys.send(message.onChannelIndex(Int(channel))) }
    if let bank {
      send(.controlChange(channel: 0, .bankSelect, value7: bank))
      send(.controlChange(channel: 0, .bankSelectLSB, value7: 0))
    }
    send(.programChange(channel: 0, program: program))
    return .program(channel: channel, bank: bank, program)
  }

  /// Where the sampler is to play and has no soundfont yet, the standard one is found.
  func exchange(_ configuration: RackConfiguration) throws(SynthesizerCommandError) {
    var configuration = configuration
    do {
      if configuration.sampler.soundFonts.isEmpty,
        InstrumentAssignment.needSampler(configuration.assignments)
      {
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
    return instrumentLibrary.choices.map { start + $0 }
  }
}

extension [InstrumentAssignment] {
  /// What is left when some keys of a channel are taken away.
  ///
  /// - Parameter channel: among those of all ports; nil is all that have no assignments of their own, and with all keys
  ///   simply all.
  fileprivate func without(_ keys: ClosedRange<UInt8>, of channel: UInt8?) -> [InstrumentAssignment] {
    if channel == nil, keys == 0...127 { return [] }
    let common = filter { $0.channel == nil }
    let own = filter { $0.channel == channel }
    var present = own.isEmpty ? common : own
    if present.isEmpty { present = [InstrumentAssignment(.sampler)] }
    return filter { $0.channel != channel } + present.flatMap { $0.without(keys, on: channel) }
  }
}

extension InstrumentAssignment {
  fileprivate func without(_ removed: ClosedRange<UInt8>, on channel: UInt8?)
    -> [InstrumentAssignment]
  {
    var parts: [InstrumentAssignment] = []
    if keys.lowerBound < removed.lowerBound {
      let top = min(keys.upperBound, removed.lowerBound - 1)
      parts.append(InstrumentAssignment(instrument, channel: channel, keys: keys.lowerBound...top))
    }
    if keys.upperBound > removed.upperBound {
      let bottom = max(keys.lowerBound, removed.upperBound + 1)
      parts.append(
        InstrumentAssignment(instrument, channel: channel, keys: bottom...keys.upperBound))
    }
    return parts
  }
}
