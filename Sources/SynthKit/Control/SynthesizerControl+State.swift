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
      throw .refused("out \(device): \(session?.output.name ?? "no device") is played on, which cannot be moved")
    }
    do throws(PCMError) {
      try output.move(to: device)
    } catch {
      throw .device(error)
    }
    return .output(device)
  }

  func tell(_ setting: SynthesizerSetting) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    switch setting {
    case .preset: return .preset(preset)
    case .instruments: return .instruments(synthesizer.instruments.configuration.assignments)
    case .soundFont:
      let sampler = synthesizer.instruments.configuration.sampler
      return .soundFonts(sampler.soundFonts, bank: sampler.bank?.name ?? (sampler.bank == nil ? nil : ""))
    case .values(let paths): return try values(at: paths)
    case .place, .loop: return try tellSong(setting)
    case .metronome: return metronomeAnswer
    case .recording: return .recording(recorder?.recordings ?? [])
    case .learned: return try perform(LearnCommand.list)
    case .snapshots: return .snapshot(.list(snapshots.all().entries, faults: []))
    case .inserts: return .inserts(inserts)
    case .buses: return .buses(synthesizer.busListings)
    case .scenes: return .scene(try perform(SceneCommand.list))
    case .output:
      let device = (session?.output as? any ReportedOutput)?.reports.first?.present?.device
      return .output(device ?? session?.output.name ?? "none")
    case .map: return .map(synthesizer.output.channelMap)
    case .nodes, .node, .value: return try nodes.perform(.tell(setting))
    }
  }

  private func tellSong(_ setting: SynthesizerSetting) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    guard let session, session.duration != nil else {
      throw .song(.noSong, command: setting == .loop ? "loop" : "seek")
    }
    if setting == .loop { return .loop(session.loop) }
    return session.isSongPaused ? .paused(session.position) : .playing(session.position)
  }

  func isOn(_ effect: Synthesizer.Effect) -> Bool {
    synthesizer.isAttached(effect) && synthesizer.mixer.sends[effect.rawValue].isEnabled.value != 0
  }
}
