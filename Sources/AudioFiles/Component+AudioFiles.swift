import AudioGraph

extension Component {
  /// The kinds of node of this module.
  public static var audioFiles: [Component] { [filePlayer] }

  private static let filePlayer = Component(
    .generator, "afpl", name: "file player", summary: "plays audio files at sample times, without gaps between them",
    creation: [FilePlayerNode.sampleRate, FilePlayerNode.channelCount]
  ) { values in
    let format = AudioFormat(
      sampleRate: values[FilePlayerNode.sampleRate]?.number ?? 48000,
      channelCount: values[FilePlayerNode.channelCount]?.integer ?? 2)
    return try FilePlayerNode(format: format)
  }
}
