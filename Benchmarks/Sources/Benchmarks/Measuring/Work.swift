import AudioGraph
import SynthRealtime

/// Something that can be asked for quanta.
final class Work {
  /// Renders so many quanta, not measured.
  let run: (_ quantumCount: Int) -> Void

  init(_ run: @escaping (_ quantumCount: Int) -> Void) { self.run = run }

  /// A graph pulled as a device with a period of one quantum pulls it.
  convenience init(channelCount: Int = 2, _ build: (inout Graph) throws -> any AudioNode) throws {
    let engine = AudioEngine(sampleRate: Work.sampleRate)
    let output = try OutputNode(channelCount: channelCount, sourceCount: 16, channelMap: Work.map(to: channelCount))
    try engine.edit { graph in
      try graph.attach(output)
      try graph.connect(try build(&graph), to: output)
    }
    let format = AudioFormat(sampleRate: Work.sampleRate, channelCount: channelCount)
    var buffer = AudioBuffer(format: format, frameCount: renderQuantum)
    self.init { quantumCount in
      buffer.withRenderSlice { slice in
        for _ in 0..<quantumCount { try? engine.render(slice) }
      }
    }
  }

  static let sampleRate = 48000.0

  static var nothing: Work { Work { _ in } }

  /// Left and right in turn, so that no channel is spared its copy.
  private static func map(to channelCount: Int) -> ChannelMap { ChannelMap((0..<channelCount).map { $0 % 2 }) }

  /// Callgrind counts inside this function, which it knows by its name.
  @inline(never)
  func measuredQuanta(_ count: Int) { run(count) }

  /// Nanoseconds of processor time for each quantum.
  func time(_ quantumCount: Int) -> Double {
    let start = ThreadClock.now
    measuredQuanta(quantumCount)
    return (ThreadClock.now - start) / Double(quantumCount)
  }
}
