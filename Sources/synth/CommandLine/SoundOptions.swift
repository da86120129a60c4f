import AudioGraph
import DSP
import Instruments
import SynthKit

/// The options playing and rendering share.
struct SoundOptions {
  static let options: [Option] = [
    .soundFont, .preload, .preset, .instrument, .reverb, .chorus, .limiter, .map, .channels, .rate,
  ]

  let soundFonts: [String]
  let soundFontOrigin: SoundFontLocator.Origin?
  /// Whether all presets are to be loaded before the first sound, and whether the command line says what.
  let isPreloadingAll: Bool
  let isPreloadGiven: Bool
  let preset: Preset?
  let instruments: [InstrumentAssignment]
  private let instrumentChoices: [String]
  let channelMap: ChannelMap?
  /// Nil for none.
  let reverb: ReverbType?
  let chorus: ChorusType?
  let isLimited: Bool

  /// Finds the soundfont, and reads the preset and the instruments.
  init(_ arguments: Arguments) throws {
    instrumentChoices = arguments.all(.instrument)
    instruments = try Self.assignments(instrumentChoices)
    let given = arguments.all(.soundFont)
    if given.isEmpty, !InstrumentAssignment.needSampler(instruments) {
      soundFonts = []
      soundFontOrigin = nil
    } else if given.isEmpty {
      let (path, origin) = try SoundFontLocator.standard().locate()
      soundFonts = [path]
      soundFontOrigin = origin
    } else {
      soundFonts = given
      soundFontOrigin = nil
    }
    isPreloadGiven = arguments.has(.preload)
    switch arguments.last(.preload) {
    case "all": isPreloadingAll = true
    case "used", nil: isPreloadingAll = false
    case .some(let text): throw UsageError.badValue(.preload, text, expected: "all or used")
    }
    preset = try arguments.last(.preset).map { try PresetLibrary.standard().preset($0) }
    channelMap = try arguments.channelMap()
    reverb = try Self.choice(.reverb, arguments, among: ReverbType.allCases, \.name, standard: .largeHall)
    chorus = try Self.choice(.chorus, arguments, among: ChorusType.allCases, \.name, standard: .chorus3)
    isLimited = try Self.choice(.limiter, arguments, among: ["on"], \.self, standard: "on") != nil
  }

  /// The one of that name; nil for "off".
  private static func choice<Choice>(
    _ option: Option, _ arguments: Arguments, among choices: [Choice], _ name: (Choice) -> String, standard: Choice
  ) throws(UsageError) -> Choice? {
    guard let text = arguments.last(option) else { return standard }
    if text == "off" { return nil }
    guard let choice = choices.first(where: { name($0) == text }) else {
      throw .badValue(option, text, expected: (choices.map(name) + ["off"]).joined(separator: ", "))
    }
    return choice
  }

  /// What is loaded before songs play.
  func preload(for songs: [SongFile]) -> SamplerPreload { isPreloadingAll ? .all : .used(songs.map(\.song)) }

  func configuration(
    preload: SamplerPreload, sampleRate: Int = 48000, channelCount: Int = 2
  ) -> SynthesizerConfiguration {
    SynthesizerConfiguration(
      soundFonts: soundFonts, preload: preload, sampleRate: Double(sampleRate), channelCount: channelCount,
      channelMap: channelMap,
      curve: preset?.curve ?? .flat, instruments: instruments, isLimited: isLimited,
      reverb: reverb, chorus: chorus)
  }

  private static func assignments(_ choices: [String]) throws -> [InstrumentAssignment] {
    let library = InstrumentLibrary.standard()
    return try choices.flatMap { text in
      guard let choice = InstrumentChoice(parsing: text) else {
        throw UsageError.badValue(.instrument, text, expected: InstrumentChoiceError.expected)
      }
      return try choice.assignments(from: library)
    }
  }

  /// A line about each choice.
  var summary: String {
    let origin = soundFontOrigin.map { " (\($0.rawValue))" } ?? ""
    let fonts = soundFonts.isEmpty ? [] : ["soundfont  \(soundFonts.joined(separator: ", "))\(origin)"]
    let choices = instrumentChoices.isEmpty ? [] : ["instrument \(instrumentChoices.joined(separator: ", "))"]
    return (fonts + choices + ["preset     \(preset?.name ?? "flat")"]).joined(separator: "\n")
  }
}
