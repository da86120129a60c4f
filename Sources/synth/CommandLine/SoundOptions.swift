import AudioGraph
import DSP
import SynthKit

/// The options playing and rendering share.
struct SoundOptions {
  static let options: [Option] = [.soundFont, .preset, .reverb, .chorus, .map, .channels, .rate]

  let soundFonts: [String]
  let soundFontOrigin: SoundFontLocator.Origin?
  let preset: Preset?
  let channelMap: ChannelMap?
  /// Nil for none.
  let reverb: ReverbType?
  let chorus: ChorusType?

  /// Finds the soundfont and reads the preset.
  init(_ arguments: Arguments) throws {
    let given = arguments.all(.soundFont)
    if given.isEmpty {
      let (path, origin) = try SoundFontLocator.standard().locate()
      soundFonts = [path]
      soundFontOrigin = origin
    } else {
      soundFonts = given
      soundFontOrigin = nil
    }
    preset = try arguments.last(.preset).map { try PresetLibrary.standard().preset($0) }
    channelMap = try arguments.channelMap()
    reverb = try Self.choice(.reverb, arguments, among: ReverbType.allCases, \.name, standard: .largeHall)
    chorus = try Self.choice(.chorus, arguments, among: ChorusType.allCases, \.name, standard: .chorus3)
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

  func configuration(sampleRate: Int = 48000, channelCount: Int = 2) -> SynthesizerConfiguration {
    SynthesizerConfiguration(
      soundFonts: soundFonts, sampleRate: Double(sampleRate), channelCount: channelCount, channelMap: channelMap,
      curve: preset?.curve ?? .flat, reverb: reverb, chorus: chorus)
  }

  /// One line about what was chosen.
  var summary: String {
    let origin = soundFontOrigin.map { " (\($0.rawValue))" } ?? ""
    return "soundfont  \(soundFonts.joined(separator: ", "))\(origin)\npreset     \(preset?.name ?? "flat")"
  }
}
