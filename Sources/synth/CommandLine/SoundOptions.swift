import AudioGraph
import DSP
import SynthKit

/// The options playing and rendering share.
struct SoundOptions {
  static let options: [Option] = [.soundFont, .preset, .map, .channels, .rate]

  let soundFonts: [String]
  let soundFontOrigin: SoundFontLocator.Origin?
  let preset: Preset?
  let channelMap: ChannelMap?

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
  }

  func configuration(sampleRate: Int = 48000, channelCount: Int = 2) -> SynthesizerConfiguration {
    SynthesizerConfiguration(
      soundFonts: soundFonts, sampleRate: Double(sampleRate), channelCount: channelCount, channelMap: channelMap,
      curve: preset?.curve ?? .flat)
  }

  /// One line about what was chosen.
  var summary: String {
    let origin = soundFontOrigin.map { " (\($0.rawValue))" } ?? ""
    return "soundfont  \(soundFonts.joined(separator: ", "))\(origin)\npreset     \(preset?.name ?? "flat")"
  }
}
