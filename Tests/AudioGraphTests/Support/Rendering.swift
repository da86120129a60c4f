import AudioGraph
import Testing

extension AudioEngine {
  /// Renders `frameCount` frames in slices of at most `sliceSize` and gives each channel's samples.
  func render(_ frameCount: Int, channels: Int = 2, sliceSize: Int = 512) -> [[Float]] {
    let buffer = SampleBuffer(channelCount: channels, frameCapacity: sliceSize)
    var samples = [[Float]](repeating: [], count: channels)
    var left = frameCount
    while left > 0 {
      let count = min(left, sliceSize)
      do { try render(buffer.slice(frameCount: count)) } catch { Issue.record(error) }
      for channel in 0..<channels { samples[channel] += buffer.channel(channel, frameCount: count) }
      left -= count
    }
    return samples
  }

  /// An engine in which the given nodes feed the device one after the other: the first into the second, and so on.
  static func chain(_ nodes: any AudioNode..., output: OutputNode) throws -> AudioEngine {
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      for node in nodes { try graph.attach(node) }
      try graph.attach(output)
      for (source, destination) in zip(nodes, nodes.dropFirst() + [output]) {
        try graph.connect(source, to: destination)
      }
    }
    return engine
  }
}
