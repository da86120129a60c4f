import SynthInstruments
import SynthKit
import SynthMIDI
import SynthText

/// What is to sound, by the options: the soundfonts found, the preset and the instruments read.
struct Sound {
  let options: SoundOptions
  private let soundFonts: [String]
  private let soundFontOrigin: SoundFontLocator.Origin?
  private let instruments: [InstrumentAssignment]
  /// Of the files of patches, in the order of the options.
  private let patchDigests: [String]
  let preset: EqualizerPreset
  let presetControl: EqualizerPresetControl?
  private let scene: Scene?

  init(_ options: SoundOptions) throws {
    self.options = options
    let library = InstrumentLibrary.standard()
    instruments = try options.instruments.flatMap { try $0.assignments(from: library) }
    let builtIn = InstrumentChoice.builtIn.map(\.instrument.name)
    patchDigests = try options.instruments.flatMap(\.names).filter { !builtIn.contains($0) }
      .map { FileDigest.of(try library.file($0).bytes) }
    if options.soundFonts.isEmpty, InstrumentAssignment.needSampler(instruments) {
      let (path, origin) = try SoundFontLocator.standard().locate()
      soundFonts = [path]
      soundFontOrigin = origin
    } else {
      soundFonts = options.soundFonts
      soundFontOrigin = nil
    }
    let given = try options.preset.map { try EqualizerPresetLibrary.standard().preset($0) }
    preset = given ?? .flat
    presetControl = options.presetControl.control(given: given)
    scene = try options.scene.map { name throws(ResourceError) in try Scene(named: name) }
  }

  /// What is loaded before the first sound.
  ///
  /// - Parameter songs: none where keyboards play.
  func preload(for songs: [SongFile]) -> SamplerPreload {
    options.isPreloadingAll == true ? .all : .used(songs.map { $0.song.routed(by: options.routes) })
  }

  /// What is loaded while keyboards play: everything, unless it is to stay little.
  var backgroundLoading: BackgroundLoading { options.isPreloadingAll == false ? .asked : .everything }

  func configuration(
    preload: SamplerPreload, sampleRate: Int = 48000, channelCount: Int = 2
  ) -> SynthesizerConfiguration {
    var configuration = SynthesizerConfiguration(
      soundFonts: soundFonts, preload: preload, sampleRate: Double(sampleRate), channelCount: channelCount,
      channelMap: options.channelMap, curve: preset.curve, presetControl: presetControl, instruments: instruments,
      isLimited: options.isLimited, reverb: options.reverb, chorus: options.chorus)
    configuration.delay = options.delay
    configuration.scene = scene
    configuration.instruments.sampler.engine = options.engine
    configuration.instruments.sampler.interpolation = options.interpolation
    configuration.instruments.polyphony = options.polyphony
    configuration.instruments.sampler.polyphony = options.polyphony
    configuration.instruments.sampler.cores = RenderingCores(options.coreCount ?? 1)
    return configuration
  }

  /// What the sound follows from, for a manifest: files by their digests.
  func settings(of configuration: SynthesizerConfiguration) -> [(String, JSONValue)] {
    let fonts = soundFonts.map { path in
      JSONValue.object([
        ("path", .string(path)), ("sha256", FileDigest.ofFile(path).map { .string($0) } ?? .null),
      ])
    }
    let routes = options.routes.texts.map { JSONValue.string($0) }
    var others: [(String, JSONValue)] = routes.isEmpty ? [] : [("routes", .array(routes))]
    if options.engine == .native {
      others.append(("engine", .string(options.engine.rawValue)))
      others.append(("quality", .number(Double(options.interpolation.pointCount))))
    }
    others.append(("polyphony", .number(options.polyphony)))
    if let scene { others.append(("scene", .object(Self.settings(of: scene)))) }
    return [
      ("soundfonts", .array(fonts)), ("songBanks", .bool(options.playsBanks)), ("preset", .string(preset.name)),
      ("bands", .array(preset.curve.gains.map { .number($0.value) })),
      ("instruments", .array(options.instruments.map { .string("\($0)") })),
      ("patches", .array(patchDigests.map { .string($0) })),
      ("presetControl", configuration.presetControl.map(Self.settings) ?? .null),
      ("reverb", configuration.reverb.map { .string($0.name) } ?? .null),
      ("chorus", configuration.chorus.map { .string($0.name) } ?? .null),
      ("delay", configuration.delay.map { .string($0.name) } ?? .null), ("limiter", .bool(configuration.isLimited)),
      ("map", options.channelMap.map { .string("\($0)") } ?? .null),
    ] + others
  }

  /// The files of convolvers by their digests.
  private static func settings(of scene: Scene) -> [(String, JSONValue)] {
    let files = scene.inserts.values.joined().compactMap(\.file).sorted()
    return [
      ("sha256", .string(FileDigest.of(Array(scene.text.utf8)))),
      ("files", .array(files.map { FileDigest.ofFile($0).map { .string($0) } ?? .null })),
    ]
  }

  private static func settings(of control: EqualizerPresetControl) -> JSONValue {
    let presets = control.presets.map { preset in
      JSONValue.object([
        ("name", .string(preset.name)), ("bands", .array(preset.curve.gains.map { .number($0.value) })),
      ])
    }
    let messages = control.messages
    let numbers = [messages.programChannel, messages.controller, messages.controllerChannel].map { number in
      number.map { JSONValue.number(Int($0)) } ?? .null
    }
    return .object([
      ("presetsSHA256", .string(FileDigest.of(Array(JSONValue.array(presets).description.utf8)))),
      ("messages", .array(numbers)),
    ])
  }

  /// A line about each choice.
  var summary: String {
    let origin = soundFontOrigin.map { " (\($0.rawValue))" } ?? ""
    let fonts = soundFonts.isEmpty ? [] : ["soundfont  \(soundFonts.joined(separator: ", "))\(origin)"]
    let texts = options.instruments.map(\.description).joined(separator: ", ")
    let choices = texts.isEmpty ? [] : ["instrument \(texts)"]
    return (fonts + engine + choices + ["preset     \(preset.name)"]).joined(separator: "\n")
  }

  /// Where it is not the one that is chosen if nothing is said.
  private var engine: [String] {
    guard options.engine == .native else { return ["engine     \(options.engine)"] }
    let interpolation = options.interpolation
    return interpolation == .sinc12 ? [] : ["engine     native, \(interpolation.pointCount) points"]
  }
}

extension SoundOptions {
  /// A line for each instrument on a channel where a song has no note to play on it, and each route of what it has not.
  func warnings(ofChannelsUnusedBy song: SongFile) -> [String] {
    let lost = routes.warnings(ofPartsUnusedBy: song)
    guard !instruments.isEmpty else { return lost }
    let used = song.channels(by: routes)
    return lost
      + instruments.compactMap { choice in
        guard let channel = choice.channel, !used.contains(channel) else { return nil }
        let places = used.map { ChannelName.text(Int($0)) }.joined(separator: ", ")
        return
          "--instrument \(choice): \(FilePath.name(of: song.path)) has no notes on channel \(ChannelName.text(Int(channel)))"
          + (places.isEmpty ? "" : ", but on \(places)")
      }
  }
}
