import AudioGraph
import SynthDSP
import SynthText

/// Performs commands while a synthesizer plays. Every change is ramped or faded. [control thread]
public struct SynthesizerControl {
  /// What commands change.
  public let synthesizer: Synthesizer
  /// Whose songs commands are for.
  let session: Session?
  let recorder: SessionRecorder?
  let instrumentLibrary: InstrumentLibrary
  let snapshots: SnapshotStore
  let learnedStore: LearnedStore
  /// Soundfonts and output devices that the owner began with.
  let initialFonts: [String]
  let initialDevices: [String]
  private let library: EqualizerPresetLibrary
  private let control: EqualizerPresetControl?
  /// The preset that was set last, while MIDI has not chosen another.
  private var setPreset: String

  /// - Parameters:
  ///   - session: that plays the synthesizer; without one, commands for songs are refused.
  ///   - recorder: what records the session; another one, which hears no keyboards, if it is not given.
  ///   - presetControl: the synthesizer's.
  ///   - preset: the name of the preset it has begun with.
  public init(
    _ synthesizer: Synthesizer, session: Session? = nil, recorder: SessionRecorder? = nil,
    presetControl: EqualizerPresetControl? = nil,
    preset: String = EqualizerPreset.flat.name,
    library: EqualizerPresetLibrary = .standard(), instrumentLibrary: InstrumentLibrary = .standard(),
    snapshots: SnapshotStore = .standard(), learned: LearnedStore = .standard()
  ) {
    self.synthesizer = synthesizer
    self.session = session
    self.recorder = recorder ?? session.map { SessionRecorder($0) }
    self.instrumentLibrary = instrumentLibrary
    self.snapshots = snapshots
    learnedStore = learned
    initialFonts = synthesizer.instruments.configuration.sampler.soundFonts
    let outputs = (session?.output as? DeviceOutput)?.device.outputs ?? []
    initialDevices = outputs.flatMap { [$0.original.device] + $0.original.fallbacks }
    control = presetControl
    setPreset = preset
    self.library = library
  }

  /// The name of the present preset, also where MIDI chose it.
  public var preset: String {
    let chosen = Int(synthesizer.equalizer.preset.value) - 1
    let presets = synthesizer.equalizer.presets
    guard presets.indices.contains(chosen) else { return setPreset }
    return presets[chosen].name
  }

  /// Does what is asked for, and answers with what is played then.
  ///
  /// Presets, instruments and soundfonts are read on the calling thread, which is kept waiting; the sound is not.
  public mutating func perform(_ command: SynthesizerCommand) throws(SynthesizerCommandError)
    -> SynthesizerAnswer
  {
    switch command {
    case .preset(let reference): return set(try preset(reference))
    case .nextPreset: return set(neighbour(1))
    case .previousPreset: return set(neighbour(-1))
    case .instrument(let choice): return try set(choice)
    case .soundFont(let path): return try setSoundFont(path)
    case .program(let channel, let bank, let program): return try choose(program, bank, on: channel)
    case .reverb(let type): return try set(type)
    case .chorus(let type): return try set(type)
    case .delay(let type): return try set(type)
    case .gain(let level):
      synthesizer.mainMixer.outputGain.value = Float(level.value)
      return .gain(level)
    case .level(let channel, let level):
      for strip in strips(channel) { strip.gain.value = Float(level.value) }
      return .level(channel: channel, level)
    case .pan(let channel, let place):
      for strip in strips(channel) { strip.pan.value = place }
      return try tell(.channels(.pan, channel))
    case .send(let channel, let effect, let share):
      for strip in strips(channel) { strip.sends[effect.rawValue].value = share }
      return try tell(.channels(.sends, channel))
    case .map(let map): return try set(map)
    case .move(let device): return try move(to: device)
    case .setNode: return try nodes.perform(command)
    case .tell(let setting): return try tell(setting)
    case .mute(let channel, let isOn):
      try checkChannels(command: isOn ? "mute" : "unmute")
      for strip in strips(channel) { strip.isMuted.value = isOn ? 1 : 0 }
      return .muted(channel: channel, isOn)
    case .solo(let channel, let isOn):
      try checkChannels(command: isOn ? "solo" : "unsolo")
      for strip in strips(channel) { strip.isSoloed.value = isOn ? 1 : 0 }
      return .soloed(channel: channel, isOn)
    case .muteTrack(let track, let isOn):
      try check(track, command: isOn ? "mute" : "unmute")
      synthesizer.instruments.events.tracks.mute(track, isOn)
      return .mutedTrack(track, isOn)
    case .soloTrack(let track, let isOn):
      try check(track, command: isOn ? "solo" : "unsolo")
      synthesizer.instruments.events.tracks.solo(track, isOn)
      return .soloedTrack(track, isOn)
    case .route(let part, let channel): return try route(part, to: channel)
    case .routes: return .routes(synthesizer.instruments.events.routes)
    case .metronome(let setting): return try set(setting)
    case .pause, .play, .seek, .skip, .tempo, .transpose, .countIn, .loop: return try performOnSong(command)
    case .record, .save: return try record(command)
    case .learn(let command): return try perform(command)
    case .snapshot(let command): return .snapshot(try perform(command))
    }
  }

  private func record(_ command: SynthesizerCommand) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    guard let recorder else { throw .output("recording: nothing is played") }
    do throws(RecordingError) {
      switch command {
      case .record(let path?):
        let expanded = TypedPath.expanded(path)
        try recorder.start(expanded)
        return .recording(expanded)
      case .save(let path):
        let expanded = TypedPath.expanded(path)
        if let saved = try recorder.save(expanded) { return .recorded([saved]) }
        return .saving(expanded)
      default: return .recorded(try recorder.stop())
      }
    } catch {
      throw .recording(error)
    }
  }

  private func strips(_ channel: UInt8?) -> [MixerInput] {
    channel.map { [synthesizer.mixer.inputs[Int($0)]] } ?? synthesizer.mixer.inputs
  }
}

// MARK: - Presets

extension SynthesizerControl {
  /// Those that "next" goes through, and that a name is completed from.
  public var presets: [EqualizerPreset] { control?.presets ?? library.presets().presets }

  /// The names of presets that can be chosen without a path.
  var presetNames: [String] { (control?.presets.map(\.name) ?? []) + library.names }

  private func preset(_ reference: String) throws(SynthesizerCommandError) -> EqualizerPreset {
    if let preset = control?.presets.first(where: { $0.name == reference }) { return preset }
    do throws(ResourceError) {
      return try library.preset(TypedPath.expanded(reference))
    } catch {
      switch error {
      case .unknown(let name, let nearest):
        let near = nearest ?? EditDistance.nearest(to: name, among: presets.map(\.name), within: name.count / 2)
        throw .unknownName(name, kind: "preset", command: "preset", nearest: near, known: [])
      case .unreadable(_, let reason) where reference.hasPrefix(BandList.prefix):
        throw .badValue(reference, command: "preset", problem: reason)
      default: throw .preset(error)
      }
    }
  }

  private func neighbour(_ step: Int) -> EqualizerPreset {
    let presets = presets
    guard let place = presets.firstIndex(where: { $0.name == preset }) else {
      return presets.first ?? .flat
    }
    return presets[(place + step + presets.count) % presets.count]
  }

  @discardableResult
  mutating func set(_ preset: EqualizerPreset) -> SynthesizerAnswer {
    setPreset = preset.name
    let equalizer = synthesizer.equalizer
    equalizer.curve = preset.curve
    // What MIDI chooses, a new song takes back; a preset that was asked for stays.
    if control == nil, let place = equalizer.presets.firstIndex(of: preset.nodePreset) {
      equalizer.preset.value = Float(place + 1)
    }
    return .preset(preset.name)
  }
}

// MARK: - Effects

extension SynthesizerControl {
  private func set(_ type: ReverbType?) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    let effects = synthesizer.effects
    if let type, let place = ReverbType.allCases.firstIndex(of: type) {
      effects.initialReverb.value = Float(place)
      effects.reverb.type.value = Float(place)
      effects.reverb.time.value = type.standardTime
      effects.reverb.returnLevel.value = 1
    }
    try enable(.reverb, type != nil)
    return .reverb(type)
  }

  private func set(_ type: ChorusType?) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    let effects = synthesizer.effects
    if let type {
      effects.initialChorus.value = Float(type.rawValue)
      effects.chorus.rate.value = type.setting.rate
      effects.chorus.depth.value = type.setting.depth / 1000
      effects.chorus.feedback.value = type.setting.feedback
      effects.chorus.returnLevel.value = 1
    }
    try enable(.chorus, type != nil)
    return .chorus(type)
  }

  private func set(_ type: DelayType?) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    let effects = synthesizer.effects
    if let type {
      effects.initialDelay.value = Float(type.rawValue)
      effects.delay.time.value = type.setting.time
      effects.delay.feedback.value = 100 * type.setting.feedback
      effects.delay.returnLevel.value = 1
    }
    try enable(.delay, type != nil)
    return .delay(type)
  }

  private func enable(_ effect: Synthesizer.Effect, _ isOn: Bool) throws(SynthesizerCommandError) {
    do {
      if isOn { try synthesizer.attach(effect) }
    } catch {
      throw .noPlace("\(effect)", reason: "\(error)")
    }
    synthesizer.mixer.sends[effect.rawValue].isEnabled.value = isOn ? 1 : 0
  }
}
