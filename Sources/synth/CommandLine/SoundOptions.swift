import AudioGraph
import SynthDSP
import SynthInstruments
import SynthKit
import SynthMIDI
import SynthText

/// The options playing and rendering share, as far as they can be judged without files; `Sound` has the rest.
struct SoundOptions {
  static let options: [Option] = [
    .soundFont, .engine, .quality, .polyphony, .cores, .preload, .preset, .presetProgram, .presetController,
    .instrument, .reverb, .chorus, .delay, .scene, .limiter, .map, .channels, .rate,
  ]

  let soundFonts: [String]
  /// Whether songs are played with the banks in their files: a soundfont that is named is to be heard.
  let playsBanks: Bool
  let engine: SamplerEngine
  let interpolation: Interpolation
  /// How many voices may sound at once.
  let polyphony: Int
  /// The threads that share out a song's voices; nil for what helps.
  let coreCount: Int?
  /// Whether all presets are to be loaded before the first sound; nil where the command line does not say.
  let isPreloadingAll: Bool?
  /// A preset's name, its file, or its bands.
  let preset: String?
  let presetControl: PresetControlOptions
  let instruments: [InstrumentChoice]
  /// The channels on which songs are played where these are not their own.
  let routes: SongRoutes
  let channelMap: ChannelMap?
  /// Nil for none.
  let reverb: ReverbType?
  let chorus: ChorusType?
  /// Nil for none.
  let delay: DelayType?
  let isLimited: Bool
  /// The name or the path of what is inserted at first; nil for nothing.
  let scene: String?

  init(_ arguments: Arguments, isRendering: Bool = false) throws(UsageError) {
    soundFonts = arguments.all(.soundFont)
    playsBanks = !arguments.isGiven(.soundFont)
    engine = try Self.engine(arguments)
    interpolation = try Self.interpolation(arguments, engine)
    polyphony = try Self.polyphony(arguments, engine, isRendering: isRendering)
    coreCount = try arguments.number(.cores, in: 1...64)
    if arguments.has(.cores), engine != .native, !isRendering {
      throw .missing("--cores is for voices of our own engine: leave it out, or --engine fluidsynth")
    }
    isPreloadingAll =
      switch arguments.last(.preload) {
      case nil: nil
      case "all": true
      case "used": false
      case .some(let text): throw .badValue(.preload, text, expected: "all or used")
      }
    preset = try arguments.last(.preset).map { text throws(UsageError) in try Self.preset(text) }
    presetControl = try PresetControlOptions(arguments)
    instruments = try arguments.all(.instrument).map { text throws(UsageError) in try Self.instrument(text) }
    routes = try SongRoutes(arguments)
    channelMap = try arguments.channelMap()
    reverb = try Self.choice(.reverb, arguments, among: ReverbType.allCases, \.name, standard: .largeHall)
    chorus = try Self.choice(.chorus, arguments, among: ChorusType.allCases, \.name, standard: .chorus3)
    delay = try Self.choice(.delay, arguments, among: DelayType.allCases, \.name, standard: .delay1)
    isLimited = try Self.choice(.limiter, arguments, among: ["on"], \.self, standard: "on") != nil
    scene = arguments.last(.scene)
  }

  private static func engine(_ arguments: Arguments) throws(UsageError) -> SamplerEngine {
    guard let text = arguments.last(.engine) else { return .native }
    guard let engine = SamplerEngine(rawValue: text) else {
      throw .badValue(.engine, text, expected: "native or fluidsynth")
    }
    return engine
  }

  /// Rendering has time for as many voices as songs need. FluidSynth looks through all of them, used or not, in every
  /// quantum.
  private static func polyphony(
    _ arguments: Arguments, _ engine: SamplerEngine, isRendering: Bool
  ) throws(UsageError) -> Int {
    try arguments.number(.polyphony, in: 1...4096) ?? (isRendering && engine == .native ? 4096 : 256)
  }

  private static func interpolation(
    _ arguments: Arguments, _ engine: SamplerEngine
  ) throws(UsageError) -> Interpolation {
    guard let text = arguments.last(.quality) else { return .sinc12 }
    guard let interpolation = Interpolation.allCases.first(where: { "\($0.pointCount)" == text }) else {
      throw .badValue(.quality, text, expected: "4, 8, 12 or 16 points")
    }
    guard engine == .native else {
      throw .badValue(.quality, text, expected: "no --engine fluidsynth with it: that reads four points")
    }
    return interpolation
  }

  /// Bands are looked at here, names and files later.
  private static func preset(_ text: String) throws(UsageError) -> String {
    guard text.hasPrefix("bands:") else { return text }
    guard (try? EqualizerPresetLibrary(directories: []).preset(text)) != nil else {
      throw .badValue(
        .preset, text, expected: "ten gains of -24 to 24 dB, from 32 Hz to 16 kHz, as in bands:3,2,0,0,0,0,0,0,1,2")
    }
    return text
  }

  private static func instrument(_ text: String) throws(UsageError) -> InstrumentChoice {
    do throws(InstrumentChoiceError) {
      return try InstrumentChoice(parsing: text)
    } catch {
      throw .badValue(.instrument, text, expected: error.expected)
    }
  }

  /// The one of that name; nil for "off".
  private static func choice<Choice>(
    _ option: Option, _ arguments: Arguments, among choices: [Choice], _ name: (Choice) -> String, standard: Choice?
  ) throws(UsageError) -> Choice? {
    guard let text = arguments.last(option) else { return standard }
    if text == "off" { return nil }
    guard let choice = choices.first(where: { name($0) == text }) else {
      let known = choices.map(name) + ["off"]
      let nearest = EditDistance.nearest(to: text, among: known).map { "; did you mean \($0)?" } ?? ""
      throw .badValue(option, text, expected: known.joined(separator: ", ") + nearest)
    }
    return choice
  }
}

/// The options that let MIDI choose equalizer presets.
struct PresetControlOptions {
  private var messages: PresetMessages

  init(_ arguments: Arguments) throws(UsageError) {
    messages = PresetMessages(programChannel: try arguments.number(.presetProgram, in: 1...16).map { UInt8($0) - 1 })
    guard let text = arguments.last(.presetController) else { return }
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard (0...119).contains(parts[0]), parts.count == 1 || (1...16).contains(parts[1]) else {
      throw .badValue(
        .presetController, text, expected: "a controller from 0 to 119, and a channel from 1 to 16 if you like: 20@16")
    }
    messages.controller = UInt8(parts[0])
    messages.controllerChannel = parts.count == 2 ? UInt8(parts[1] - 1) : nil
  }

  /// The control, nil where none is asked for; a given preset that is not in the list comes after it.
  func control(given preset: EqualizerPreset?) -> EqualizerPresetControl? {
    guard messages.programChannel != nil || messages.controller != nil else { return nil }
    var presets = EqualizerPresetLibrary.standard().presets().presets
    if let preset, !presets.contains(preset) { presets.append(preset) }
    return EqualizerPresetControl(presets, by: messages)
  }
}
