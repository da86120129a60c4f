import AudioGraph
import DSP

/// Obeys commands while a synthesizer plays. Every change is ramped or faded. [one control thread at a time]
public struct SynthesizerControl {
  public let synthesizer: Synthesizer
  let instrumentLibrary: InstrumentLibrary
  private let library: PresetLibrary
  private let control: PresetControl?
  /// The preset that was set last, while MIDI has not chosen another.
  private var setPreset: String

  /// - Parameters:
  ///   - presetControl: the synthesizer's.
  ///   - preset: the name of the preset it has begun with.
  public init(
    _ synthesizer: Synthesizer, presetControl: PresetControl? = nil, preset: String = Preset.flat.name,
    library: PresetLibrary = .standard(), instrumentLibrary: InstrumentLibrary = .standard()
  ) {
    self.synthesizer = synthesizer
    self.instrumentLibrary = instrumentLibrary
    control = presetControl
    setPreset = preset
    self.library = library
  }

  /// The name of the present preset, also where MIDI chose it.
  public var preset: String {
    let chosen = Int(synthesizer.equalizer.preset.value) - 1
    guard let presets = control?.presets, presets.indices.contains(chosen) else { return setPreset }
    return presets[chosen].name
  }

  /// Does what is asked for, and says in a line what there is now: "preset     pop".
  ///
  /// Presets, instruments and soundfonts are read on the calling thread, which is kept waiting; what sounds is not.
  public mutating func obey(_ command: SynthesizerCommand) throws(SynthesizerCommandError) -> String {
    switch command {
    case .preset(let reference): set(try preset(reference))
    case .nextPreset: set(neighbour(1))
    case .previousPreset: set(neighbour(-1))
    case .instrument(let choice): try set(choice)
    case .soundFont(let path): try setSoundFont(path)
    case .reverb(let type): try set(type)
    case .chorus(let type): try set(type)
    case .gain(let level): synthesizer.returns.outputGain.value = Float(level.value)
    case .level(let channel, let level): for strip in strips(channel) { strip.gain.value = Float(level.value) }
    case .mute(let channel, let isOn): for strip in strips(channel) { strip.isMuted.value = isOn ? 1 : 0 }
    case .solo(let channel, let isOn): for strip in strips(channel) { strip.isSoloed.value = isOn ? 1 : 0 }
    }
    return answer(to: command)
  }

  private func answer(to command: SynthesizerCommand) -> String {
    switch command {
    case .preset, .nextPreset, .previousPreset: "preset     \(preset)"
    case .instrument: "instrument \(instruments)"
    case .soundFont(let path): "soundfont  \(path)"
    case .reverb(let type): "reverb     \(type?.name ?? "off")"
    case .chorus(let type): "chorus     \(type?.name ?? "off")"
    case .gain(let level): "gain       \(level.figure(decimals: 1)) dB"
    case .level(let channel, let level): "level      \(name(of: channel)) \(level.figure(decimals: 1)) dB"
    case .mute(let channel, let isOn): "\(isOn ? "muted  " : "unmuted")    \(name(of: channel))"
    case .solo(let channel, let isOn): "\(isOn ? "soloed  " : "unsoloed")   \(name(of: channel))"
    }
  }

  private func name(of channel: UInt8?) -> String { channel.map { "channel \($0 + 1)" } ?? "all channels" }

  private func strips(_ channel: UInt8?) -> [MixerInput] {
    channel.map { [synthesizer.mixer.inputs[Int($0)]] } ?? synthesizer.mixer.inputs
  }
}

// MARK: - Presets

extension SynthesizerControl {
  /// Those that "next" goes through, and that a name is completed from.
  private var presets: [Preset] { control?.presets ?? library.presets().presets }

  private func preset(_ reference: String) throws(SynthesizerCommandError) -> Preset {
    if let preset = control?.presets.first(where: { $0.name == reference }) { return preset }
    do throws(PresetError) {
      return try library.preset(reference)
    } catch {
      switch error {
      case .unknown(let name, let nearest):
        throw .unknownName(name, kind: "preset", command: "preset", nearest: nearest, known: [])
      case .unreadable(_, let reason) where reference.hasPrefix(BandList.prefix):
        throw .badValue(reference, command: "preset", problem: reason)
      default: throw .preset(error)
      }
    }
  }

  private func neighbour(_ step: Int) -> Preset {
    let presets = presets
    guard let place = presets.firstIndex(where: { $0.name == preset }) else { return presets.first ?? .flat }
    return presets[(place + step + presets.count) % presets.count]
  }

  private mutating func set(_ preset: Preset) {
    setPreset = preset.name
    synthesizer.equalizer.curve = preset.curve
  }
}

// MARK: - Effects

extension SynthesizerControl {
  private func set(_ type: ReverbType?) throws(SynthesizerCommandError) {
    let effects = synthesizer.effects
    if let type, let place = ReverbType.allCases.firstIndex(of: type) {
      effects.initialReverb.value = Float(place)
      effects.reverb.type.value = Float(place)
      effects.reverb.time.value = type.standardTime
    }
    try enable(.reverb, type != nil)
  }

  private func set(_ type: ChorusType?) throws(SynthesizerCommandError) {
    let effects = synthesizer.effects
    if let type {
      effects.initialChorus.value = Float(type.rawValue)
      effects.chorus.rate.value = type.setting.rate
      effects.chorus.depth.value = type.setting.depth / 1000
      effects.chorus.feedback.value = type.setting.feedback
    }
    try enable(.chorus, type != nil)
  }

  private func enable(_ effect: Synthesizer.Effect, _ isOn: Bool) throws(SynthesizerCommandError) {
    do {
      if isOn { try synthesizer.attach(effect) }
    } catch {
      throw .noPlace("\(effect)", reason: "\(error)")
    }
    synthesizer.sends.isEnabled[effect.rawValue].value = isOn ? 1 : 0
  }
}

// MARK: - Completion

extension SynthesizerControl {
  /// What the last word of a command that has been begun can become, each a whole word.
  public func completions(of text: String) -> [String] {
    var words = text.split(separator: " ")
    if words.isEmpty || text.hasSuffix(" ") { words.append("") }
    let last = words[words.count - 1]
    let candidates: [String] =
      switch (words.count, words[0]) {
      case (1, _): SynthesizerCommand.names
      case (2, "preset"): presets.map(\.name) + ["next", "previous"]
      case (2, "instrument"): instruments(completing: last)
      case (2, "reverb"): ReverbType.allCases.map(\.name) + ["off"]
      case (2, "chorus"): ChorusType.allCases.map(\.name) + ["off"]
      default: []
      }
    return candidates.filter { $0.hasPrefix(last) }
  }
}
