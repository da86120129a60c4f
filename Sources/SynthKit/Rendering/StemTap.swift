import AudioGraph
import SynthAudioFiles
import SynthRealtime

/// Catches a stem while its song is rendered, and writes it. [control thread]
///
/// Channels are tapped as they leave their inserts, in front of the mixer's faders, and effects where they return into
/// the mix. What inserts delay is made up for.
final class StemTap {
  private let file: AudioFileWriter
  private let buses: [(node: any AudioNode, bus: Int, delay: Int, tap: TapNode)]
  /// What was caught and not written yet, and silence after it.
  private let samples: SampleBuffer
  /// How much of it every bus has given.
  private var frameCount = 0
  /// Of the first frame in `samples`.
  private var startTime: Int64?

  /// - Parameter sliceSize: the most frames that are rendered before `collect` and `write` are called.
  init(_ stem: Stem, to file: AudioFileWriter, of synthesizer: Synthesizer, sliceSize: Int) {
    self.file = file
    // Effects hear the mixer, whose channels wait for each other.
    let mixerDelay = synthesizer.channelInputs.indices.map(synthesizer.insertDelay).max() ?? 0
    let sources: [(any AudioNode, Int, Int)] =
      switch stem.source {
      case .track: synthesizer.channelInputs.indices.map(synthesizer.stemSource)
      case .channels(let channels): channels.channels.map(synthesizer.stemSource)
      case .reverb: [(synthesizer.effects.reverb, 0, mixerDelay)]
      case .chorus: [(synthesizer.effects.chorus, 0, mixerDelay)]
      case .delay: [(synthesizer.effects.delay, 0, mixerDelay)]
      }
    buses = sources.map { ($0, $1, $2, TapNode(name: stem.name)) }
    samples = SampleBuffer(channelCount: 2, frameCapacity: sliceSize + synthesizer.latency + 2 * renderQuantum)
  }

  func attach(to graph: inout Graph) throws(GraphError) {
    for (node, bus, _, tap) in buses { try graph.tap(node, bus: bus, with: tap) }
  }

  func detach(from graph: inout Graph) throws(GraphError) {
    for (_, _, _, tap) in buses { try graph.detach(tap) }
  }

  /// Takes what was rendered. The chain's latency is not in it, so that it is ahead of the mix.
  func collect() {
    let oldCount = frameCount
    for (_, _, delay, tap) in buses {
      tap.read { block in
        let start = startTime ?? block.sampleTime
        startTime = start
        let offset = Int(block.sampleTime - start) - delay
        let early = min(max(0, -offset), block.frameCount)
        for channel in 0..<2 {
          let (from, to) = (block[channel], samples.channels[channel] + offset)
          for frame in early..<block.frameCount { to[frame] += from[frame] }
        }
        frameCount = max(frameCount, offset + block.frameCount)
      }
    }
    // A stem without channels is silent.
    if buses.isEmpty { frameCount = samples.frameCapacity }
    precondition(frameCount <= samples.frameCapacity && frameCount >= oldCount, "a stem's tap was not read in time")
  }

  /// Writes the next frames, which were collected, and measures them.
  func write(_ count: Int, _ progress: inout RenderProgress) throws(AudioFileError) {
    try file.write(samples.channels, frameCount: count)
    progress.measure(samples, frameCount: count)
    skip(count)
  }

  /// Leaves out the next frames, which were collected.
  func skip(_ count: Int) {
    for channel in 0..<2 {
      let memory = samples.channels[channel]
      memory.update(from: memory + count, count: frameCount - count)
      (memory + frameCount - count).update(repeating: 0, count: count)
    }
    frameCount -= count
    if let time = startTime { startTime = time + Int64(count) }
  }
}

extension Synthesizer {
  /// How many frames a channel's inserts delay it.
  fileprivate func insertDelay(ofChannel channel: Int) -> Int {
    inserts(of: .channel(channel)).reduce(0) { $0 + $1.effect.latency }
  }

  fileprivate func stemSource(ofChannel channel: Int) -> (any AudioNode, Int, Int) {
    let (node, bus) = source(of: .channel(channel)) ?? (instruments, channel)
    return (node, bus, insertDelay(ofChannel: channel))
  }
}
