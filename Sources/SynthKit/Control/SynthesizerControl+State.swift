import AudioGraph
import SynthALSA
import SynthDSP

// Nodes, the channel map, and what commands without a value are answered with: how things are.

extension SynthesizerControl {
  /// The nodes of the synthesizer's graph, by name.
  public var nodes: NodeControl { NodeControl(synthesizer.engine) }

  func set(_ map: ChannelMap) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    do {
      try synthesizer.engine.set("channel map", of: synthesizer.output, to: map.propertyValue)
    } catch {
      throw .refused("\(error)")
    }
    return .map(synthesizer.output.channelMap)
  }

  func move(to device: String) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    guard let output = session?.output as? DeviceOutput else {
      throw .refused("out \(device): no device is played on")
    }
    do throws(PCMError) {
      try output.move(to: device)
    } catch {
      throw .device(error)
    }
    return .output(device)
  }

  func tell(_ setting: SynthesizerSetting) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    let effects = synthesizer.effects
    switch setting {
    case .preset: return .preset(preset)
    case .instruments: return .instruments(synthesizer.instruments.configuration.assignments)
    case .soundFont:
      let sampler = synthesizer.instruments.configuration.sampler
      return .soundFonts(sampler.soundFonts, bank: sampler.bank?.name ?? (sampler.bank == nil ? nil : ""))
    case .reverb:
      let types = ReverbType.allCases
      let place = Int(effects.reverb.type.value)
      return .reverb(isOn(.reverb) && types.indices.contains(place) ? types[place] : nil)
    case .chorus:
      // Songs may have set it as no type is.
      let initial = ChorusType.allCases[Int(effects.initialChorus.value)]
      return .chorus(isOn(.chorus) ? effects.chorus.presentType ?? initial : nil)
    case .delay: return .delay(isOn(.delay) ? DelayType.allCases[Int(effects.initialDelay.value)] : nil)
    case .gain: return .gain(Decibels(Double(synthesizer.mainMixer.outputGain.value)))
    case .channels(let setting, let channel):
      let strips = synthesizer.channelStrips.filter { channel == nil || $0.channel == channel }
      let tracks = synthesizer.instruments.events.tracks
      return .channels(
        setting, strips, tracks: setting == .mute ? tracks.muted : setting == .solo ? tracks.soloed : [])
    case .place, .tempo, .transposition, .countIn, .loop: return try tellSong(setting)
    case .metronome: return metronomeAnswer
    case .recording:
      let paths = recorder?.recordings.map(\.path) ?? []
      return paths.isEmpty ? .recorded([]) : .recording(paths.joined(separator: ", "))
    case .learned: return try perform(LearnCommand.list)
    case .snapshots: return .snapshot(.list(snapshots.all().entries, faults: []))
    case .output:
      let device = (session?.output as? DeviceOutput)?.device.outputs.first?.present?.device
      return .output(device ?? session?.output.name ?? "none")
    case .map: return .map(synthesizer.output.channelMap)
    case .nodes, .node, .value: return try nodes.perform(.tell(setting))
    }
  }

  private func tellSong(_ setting: SynthesizerSetting) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    guard let session, session.duration != nil else { throw .song(.noSong, command: setting.songCommand) }
    return switch setting {
    case .tempo: .tempo(session.tempo)
    case .transposition: .transposition(session.transposition)
    case .countIn: .countIn(session.countIn)
    case .loop: .loop(session.loop)
    default: session.isSongPaused ? .paused(session.position) : .playing(session.position)
    }
  }

  func isOn(_ effect: Synthesizer.Effect) -> Bool {
    synthesizer.isAttached(effect) && synthesizer.mixer.sends[effect.rawValue].isEnabled.value != 0
  }
}

extension SynthesizerSetting {
  /// The command that asks for something of the song.
  fileprivate var songCommand: String {
    switch self {
    case .tempo: "tempo"
    case .transposition: "transpose"
    case .countIn: "count-in"
    case .loop: "loop"
    default: "seek"
    }
  }
}
