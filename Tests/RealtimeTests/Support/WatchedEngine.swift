import AudioGraph
import SynthRealtime

/// An engine pulled the way a device pulls it, every slice of it watched.
final class WatchedEngine {
  let engine = AudioEngine(sampleRate: 48000)
  /// What all slices so far did that they must not.
  private(set) var violations = Violations()
  private let buffer = SampleBuffer(channelCount: 4, frameCapacity: 4096)

  init() {}

  /// source ─ output, the source rendered by `callback`.
  init(callback: RenderFunction) throws {
    let source = SourceNode(format: .stereo(48000), context: RealtimeProbe.unused, callback: callback)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      try graph.attach(source)
      try graph.attach(output)
      try graph.connect(source, to: output)
    }
  }

  /// Renders `frameCount` frames in slices, and gives the first two channels.
  ///
  /// - Parameter hostTime: of all slices; 0 as by hand.
  @discardableResult
  func render(_ frameCount: Int, sliceSize: Int = 64, hostTime: UInt64 = 0) -> [[Float]] {
    var samples: [[Float]] = [[], []]
    for start in stride(from: 0, to: frameCount, by: sliceSize) {
      var slice = buffer.slice(frameCount: min(sliceSize, frameCount - start), hostTime: hostTime)
      violations.formUnion(RealtimeProbe.measure(AudioEngine.outputCallback, engine.outputContext, &slice))
      for channel in 0..<2 { samples[channel] += buffer.channel(channel, frameCount: slice.frameCount) }
    }
    return samples
  }

  /// The highest absolute sample of the last slice: that there was something to hear.
  func peak(frameCount: Int = 64) -> Float {
    (0..<buffer.channelCount).flatMap { buffer.channel($0, frameCount: frameCount) }.map(abs).max() ?? 0
  }
}

extension WatchedEngine {
  /// Feeds every input of a node from a source, and mixes all its outputs, or the source itself beside a sink.
  func place(_ node: any AudioNode, fedWith format: AudioFormat) throws {
    try engine.edit { graph in
      try graph.attach(node)
      var sources: [any AudioNode] = []
      for bus in 0..<node.inputBusCount {
        sources.append(TestNodes.source(format))
        try graph.attach(sources[bus])
        try graph.connect(sources[bus], to: node, toBus: bus)
      }
      guard !(node is OutputNode) else { return }
      let heard = node.outputBusCount > 0 ? (0..<node.outputBusCount).map { (node, $0) } : sources.map { ($0, 0) }
      let mixer = MixerNode(inputBusCount: heard.count)
      guard let output = try? OutputNode(channelCount: 2) else { return }
      try graph.attach(mixer)
      try graph.attach(output)
      for (input, (node, bus)) in heard.enumerated() { try graph.connect(node, to: mixer, fromBus: bus, toBus: input) }
      try graph.connect(mixer, to: output)
    }
  }
}
