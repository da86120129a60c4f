import AudioGraph

/// A kind of effect of the registry that can be inserted: mono or stereo in, mono or stereo out, without a device or a
/// callback.
public struct InsertKind: Sendable {
  /// As the registry calls it: "pitch shift".
  public let name: String
  /// How much of it is heard at first, in percent. Effects without dry sound of their own begin below 100 %.
  public let mix: Float
  /// Whether it can be made from a file.
  public let takesFile: Bool
  /// Whether another strip can say how loud it is, by the effect's input 1.
  public let takesSideChain: Bool
  private let creation: [String: PropertyValue]

  private init(
    _ name: String, mix: Float = 100, takesFile: Bool = false, takesSideChain: Bool = false,
    _ creation: [String: PropertyValue] = [:]
  ) {
    (self.name, self.mix, self.creation) = (name, mix, creation)
    (self.takesFile, self.takesSideChain) = (takesFile, takesSideChain)
  }

  /// In the order of lists. Other kinds of the registry make sound, mix, or stand for a device or a callback.
  public static let all = [
    InsertKind("equalizer"), InsertKind("parametric equalizer", ["band count": 8]),
    InsertKind("compressor", takesSideChain: true), InsertKind("gate", takesSideChain: true),
    InsertKind("limiter"), InsertKind("distortion"), InsertKind("pitch shift"), InsertKind("echo"),
    InsertKind("tap delay", mix: 30), InsertKind("chorus", mix: 50), InsertKind("reverb", mix: 30),
    InsertKind("convolver", takesFile: true), InsertKind("voice processing", takesSideChain: true),
    InsertKind("spatial mixer", ["input bus count": 1]),
  ]

  static let names = all.map(\.name)

  /// The kind of a name; nil for anything else. Underscores and hyphens stand for blanks, too.
  static func named(_ name: String) -> InsertKind? {
    let plain = String(name.map { $0 == "_" || $0 == "-" ? " " : $0 })
    return all.first { $0.name == plain }
  }

  /// The name of the property that the file is.
  private static let file = "impulse response"

  /// Makes an effect. Reads its file. [control thread]
  func make(named nodeName: String, file: String?) throws -> any AudioNode {
    var values = creation
    if let file { values[Self.file] = .text(file) }
    return try ComponentRegistry.standard().component(named: name).make(values, named: nodeName)
  }
}

extension InsertKind {
  /// What an insert of the kind can be set to.
  struct Setting: Sendable {
    let name: String
    let kind: PropertyKind
    /// What a new one has.
    let initial: PropertyValue
  }

  /// Parameters, then properties that can be set while it plays. Makes an effect to find out. [control thread]
  func settings() throws -> [Setting] {
    let node = try make(named: name, file: nil)
    return node.parameters.map { Setting(name: $0.name, kind: $0.kind, initial: $0.propertyValue) }
      + node.properties.filter { $0.access == .always }
      .map { Setting(name: $0.name, kind: $0.kind, initial: $0.value) }
  }
}
