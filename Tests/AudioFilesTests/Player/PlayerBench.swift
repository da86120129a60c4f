import AudioGraph
import Synchronization
import SynthAudioFiles

/// player ─ output, and a directory for its files.
final class PlayerBench {
  let player: FilePlayerNode
  let engine = AudioEngine(sampleRate: 48000)
  private let scratch = Scratch()
  private let channelCount: Int

  init(channelCount: Int = 1, bufferDuration: Double = 0.5) throws {
    self.channelCount = channelCount
    let format = AudioFormat(sampleRate: 48000, channelCount: channelCount)
    let player = try FilePlayerNode(format: format, bufferDuration: bufferDuration)
    let output = try OutputNode(channelCount: channelCount, sourceCount: channelCount)
    try engine.edit { graph in
      try graph.attach(player)
      try graph.attach(output)
      try graph.connect(player, to: output)
    }
    self.player = player
  }

  /// A float WAV with these channels.
  func file(_ name: String, _ channels: [[Float]], rate: Int = 48000) throws -> AudioFileSegment {
    let writer = try AudioFileWriter(
      path: scratch.file(name), samples: .float32, sampleRate: rate, channelCount: channels.count)
    try writer.write(channels)
    try writer.finish()
    return AudioFileSegment(scratch.file(name))
  }

  /// Renders by hand, or as a device does, which waits for nobody.
  func render(_ frameCount: Int, sliceSize: Int = 256, byHand: Bool = true) throws -> [[Float]] {
    let buffer = SampleBuffer(channelCount: channelCount, frameCapacity: sliceSize)
    var samples = [[Float]](repeating: [], count: channelCount)
    for start in stride(from: 0, to: frameCount, by: sliceSize) {
      let count = min(sliceSize, frameCount - start)
      var slice = buffer.slice(frameCount: count)
      if byHand {
        try engine.render(slice)
      } else {
        AudioEngine.outputCallback(engine.outputContext, &slice)
      }
      for channel in 0..<channelCount { samples[channel] += buffer.channel(channel, frameCount: count) }
    }
    // Ends that the last slice brought are told of before the next.
    if byHand { player.prepareToRender(frameCount: 0) }
    return samples
  }
}

/// What a player told of the ends of its segments, in order.
final class Ends: Sendable {
  private let all = Mutex<[PlaybackEnd<AudioFileError>]>([])

  var told: [PlaybackEnd<AudioFileError>] { all.withLock { $0 } }

  var handler: @Sendable (PlaybackEnd<AudioFileError>) -> Void {
    { end in self.all.withLock { $0.append(end) } }
  }
}

/// first, first + 1, …
func counting(from first: Int = 1, _ count: Int) -> [Float] { (first..<first + count).map(Float.init) }
