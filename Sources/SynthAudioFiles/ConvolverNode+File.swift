import AudioGraph

extension ConvolverNode {
  /// The longest file that is read as an impulse response, in seconds: what is longer is music.
  static let longestFile = 60.0

  /// The response of an audio file: 1, 2 or 4 channels. [control thread]
  ///
  /// - Throws: `AudioFileError` or `ConvolverError`.
  public convenience init(name: String = "convolver", file path: String) throws {
    let reader = try AudioFileReader(path: path)
    let frames = Int(Self.longestFile * Double(reader.sampleRate))
    guard reader.frameCount.map({ $0 <= frames }) ?? true else {
      throw AudioFileError.unreadable(
        path: path, reason: "it is longer than \(Int(Self.longestFile)) s; give an impulse response")
    }
    try self.init(name: name, response: try reader.read(frames))
  }
}

extension Component {
  static let convolver = Component(
    .effect, "cnvl", name: "convolver",
    summary: "sounds as a room or a loudspeaker does, by its impulse response; passes sound on without one",
    creation: [file]
  ) { values in
    if let path = values[file]?.text { return try ConvolverNode(name: values.name, file: path) }
    return try ConvolverNode(name: values.name, response: AudioBuffer([[1]], sampleRate: 48000))
  }

  private static let file = CreationProperty("impulse response", kind: .text)
}
