extension Component {
  /// The kinds of node of this module.
  public static var audioGraph: [Component] { [source, mixer, equalizer, output] }

  private static let source = Component(
    .generator, "rcbk", name: "source",
    summary: "renders by a callback; silent, until one with a callback replaces it",
    creation: [SourceNode.sampleRate, SourceNode.channelCount]
  ) { values in
    let format = AudioFormat(
      sampleRate: values[SourceNode.sampleRate]?.number ?? 48000,
      channelCount: values[SourceNode.channelCount]?.integer ?? 2)
    return SourceNode(format: format, context: noContext) { _, request in
      request.assumingMemoryBound(to: RenderRequest.self).pointee.buffers.silence()
    }
  }

  /// What a callback gets that asks for nothing.
  nonisolated(unsafe) private static let noContext = UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1)

  private static let mixer = Component(
    .mixer, "mcmx", name: "mixer", summary: "mixes mono and stereo inputs into one stereo output",
    creation: [MixerNode.busCount]
  ) { values in
    MixerNode(inputBusCount: values[MixerNode.busCount]?.integer ?? 8)
  }

  private static let equalizer = Component(
    .effect, "greq", name: "equalizer", summary: "ten bands; its curve changes while it plays"
  ) { _ in
    EqualizerNode()
  }

  private static let output = Component(
    .output, "genr", name: "output", summary: "routes the mix to the channels of a device or a file"
  ) { _ in
    try OutputNode(channelCount: 2)
  }
}
