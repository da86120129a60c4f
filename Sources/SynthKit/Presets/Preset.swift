import DSP

/// An equalizer setting with a name, as a file in `presets/` describes it.
public struct Preset: Sendable, Equatable {
  /// What it is called by, the name of its file without ".json": "spoken-word".
  public let name: String

  /// What people read: "Spoken Word".
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

  /// The preset that changes nothing; there even when no file is.
  public static let flat = Preset(
    name: "flat", title: "Flat", description: "Changes nothing: the audio passes bit for bit", curve: .flat)
}
