import AudioGraph
import SynthAudioFiles
import SynthRealtime

/// Catches a stem while its song is rendered, and writes it. [control thread]
///
/// Buses are tapped in front of the mixer's faders, and effects where they return into the mix.
final class StemTap {
  private let file: AudioFileWriter
  private let buses: [(node: any AudioNode, bus: Int, tap: TapNode)]
  /// What was caught and not written yet, and silence after it.
  private let samples: SampleBuffer
  /// How much of it every bus has given.
  private var frameCount = 0
  /// Of the first frame in `samples`.
  private var startTime: Int64?

  /// - Parameter sliceSize: the most frames that are rendered before `collect` and `write` are called.
  init(_ stem: Stem, to file: AudioFileWriter, of synthesizer: Synthesizer, sliceSize: Int) {
    self.file = file
    let sources: [(any AudioNode, Int)] =
      switch stem.source {
      case .track: (0..<synthesizer.instruments.outputBusCount).map { (synthesizer.instruments, $0) }
      case .channels(let channels): channels.channels.map { (synthesizer.instruments, $0) }
      case .reverb: [(synthesizer.effects.reverb, 0)]
      case .chorus: [(synthesizer.effects.chorus, 0)]
      case .delay: [(synthesizer.effects.delay, 0)]
      }
    buses = sources.map { ($0, $1, TapNode(name: stem.name)) }
    samples = SampleBuffer(channelCount: 2, frameCapacity: sliceSize + synthesizer.latency + 2 * renderQuantum)
  }

  func attach(to graph: inout Graph) throws(GraphError) {
    for (node, bus, tap) in buses { try graph.tap(node, bus: bus, with: tap) }
  }

  func detach(from graph: inout Graph) throws(GraphError) {
    for (_, _, tap) in buses { try graph.detach(tap) }
  }

  /// Takes what was rendered. The chain's latency is not in it, so that it is ahead of the mix.
  func collect() {
    let oldCount = frameCount
    for (_, _, tap) in buses {
      tap.read { block in
        let start = startTime ?? block.sampleTime
        startTime = start
        let offset = Int(block.sampleTime - start)
        for channel in 0..<2 {
          let (from, to) = (block[channel], samples.channels[channel] + offset)
          for frame in 0..<block.frameCount { to[frame] += from[frame] }
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
