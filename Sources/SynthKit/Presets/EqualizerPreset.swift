import AudioGraph
import SynthDSP
import SynthInstruments

/// An equalizer setting with a name, as a file in `presets/` describes it.
public struct EqualizerPreset: Sendable, Equatable {
  /// The name it is chosen by, that of its file without ".json": "spoken-word".
  public let name: String

  /// The title: "Spoken Word".
  public let title: String

  /// What it is for, in one line.
  public let description: String

  /// The gains it asks for.
  public let curve: EqualizerCurve

  /// A preset made in code.
  public init(name: String, title: String, description: String, curve: EqualizerCurve) {
    self.name = name
    self.title = title
    self.description = description
    self.curve = curve
  }

  /// As an equalizer takes it.
  var nodePreset: EqualizerNode.Preset { EqualizerNode.Preset(name: name, curve: curve) }

  /// The preset that changes nothing; it exists without a file.
  public static let flat = EqualizerPreset(
    name: "flat", title: "Flat", description: "Changes nothing: the audio passes bit for bit", curve: .flat)
}

/// A preset given as text: "bands:" and its ten gains in decibels, from 32 Hz to 16 kHz, separated by commas.
enum BandList {
  static let prefix = "bands:"

  /// The preset of a reference that begins with `prefix`.
  static func preset(_ reference: String) throws(ResourceError) -> EqualizerPreset {
    let texts = reference.dropFirst(prefix.count).split(separator: ",", omittingEmptySubsequences: false)
    let gains = texts.compactMap { Double($0) }.map { Decibels($0) }
    guard gains.count == texts.count, let curve = try? EqualizerCurve(gains: gains) else {
      throw .unreadable(
        path: reference, reason: "not ten gains of −24 to 24 dB, from 32 Hz to 16 kHz, as in bands:3,2,0,0,0,0,0,0,1,2")
    }
    return EqualizerPreset(name: reference, title: "Custom", description: "As given", curve: curve)
  }
}

/// How MIDI chooses equalizer presets while it plays.
public struct EqualizerPresetControl: Sendable {
  /// The presets to choose from, in this order.
  public var presets: [EqualizerPreset]
  /// The messages that choose one.
  public var messages: PresetMessages

  public init(_ presets: [EqualizerPreset], by messages: PresetMessages) {
    self.presets = presets
    self.messages = messages
  }

  /// The control of an equalizer that has these presets.
  func midiControl(of equalizer: EqualizerNode) -> PresetMIDIControl {
    PresetMIDIControl(equalizer.preset, by: messages)
  }
}
