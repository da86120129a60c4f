import AudioGraph
import SynthDSP
import SynthInstruments
import SynthMIDI
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
    case .set(let path, let text): return try set(path, to: text)
    case .map(let map): return try set(map)
    case .move(let device): return try move(to: device)
    case .setNode: return try nodes.perform(command)
    case .tell(let setting): return try tell(setting)
    case .route(let part, let channel): return try route(part, to: channel)
    case .routes: return .routes(synthesizer.instruments.events.routes)
    case .metronome(let setting): return try set(setting)
    case .pause, .play, .seek, .skip, .loop: return try performOnSong(command)
    case .record, .recordStrip, .save: return try record(command)
    case .learn(let command): return try perform(command)
    case .snapshot(let command): return .snapshot(try perform(command))
    case .inserts(let command): return try perform(command)
    case .buses(let command): return try perform(command)
    case .scene(let command): return .scene(try perform(command))
    }
  }

  /// Which tracks of songs are heard.
  var tracks: SongTracks { synthesizer.instruments.events.tracks }

  private func record(_ command: SynthesizerCommand) throws(SynthesizerCommandError) -> SynthesizerAnswer {
    guard let recorder else { throw .output("recording: nothing is played") }
    do throws(RecordingError) {
      switch command {
      case .record(let path?): return try record(path, from: .main, recorder)
      case .recordStrip(let path, let strip): return try record(path, from: strip, recorder)
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

  private func record(
    _ path: String, from strip: Strip, _ recorder: SessionRecorder
  ) throws(RecordingError) -> SynthesizerAnswer {
    let expanded = TypedPath.expanded(path)
    try recorder.start(expanded, from: strip)
    return .recording(recorder.recordings.suffix(1))
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
  /// The name of the reverb's type, or "off".
  var reverb: String {
    let (types, index) = (ReverbType.allCases, Int(synthesizer.effects.reverb.type.value))
    return isOn(.reverb) && types.indices.contains(index) ? types[index].name : "off"
  }

  /// The name of the chorus's type, or "off".
  var chorus: String {
    guard isOn(.chorus) else { return "off" }
    // Songs may have set it as no type is.
    let initial = ChorusType.allCases[Int(synthesizer.effects.initialChorus.value)]
    return (synthesizer.effects.chorus.presentType ?? initial).name
  }

  /// The name of the delay's type, or "off".
  var delay: String {
    isOn(.delay) ? DelayType.allCases[Int(synthesizer.effects.initialDelay.value)].name : "off"
  }

  /// Nil switches it off; what sounds in it rings out.
  func set(_ type: ReverbType?) throws(SynthesizerCommandError) {
    let effects = synthesizer.effects
    if let type, let place = ReverbType.allCases.firstIndex(of: type) {
      effects.initialReverb.value = Float(place)
      effects.reverb.type.value = Float(place)
      effects.reverb.time.value = type.standardTime
      effects.reverb.returnLevel.value = 1
    }
    try enable(.reverb, type != nil)
  }

  /// Nil switches it off; what sounds in it rings out.
  func set(_ type: ChorusType?) throws(SynthesizerCommandError) {
    let effects = synthesizer.effects
    if let type {
      effects.initialChorus.value = Float(type.rawValue)
      effects.chorus.rate.value = type.setting.rate
      effects.chorus.depth.value = type.setting.depth / 1000
      effects.chorus.feedback.value = type.setting.feedback
      effects.chorus.returnLevel.value = 1
    }
    try enable(.chorus, type != nil)
  }

  /// Nil switches it off; what sounds in it rings out.
  func set(_ type: DelayType?) throws(SynthesizerCommandError) {
    if let type { synthesizer.effects.set(type) }
    try enable(.delay, type != nil)
  }

  private func enable(_ effect: Synthesizer.Effect, _ isOn: Bool) throws(SynthesizerCommandError) {
    do {
      try synthesizer.enable(effect, isOn)
    } catch {
      throw .noPlace("\(effect)", reason: "\(error)")
    }
  }
}
