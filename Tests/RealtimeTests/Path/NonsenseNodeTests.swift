import AudioGraph
import SynthKit
import Testing

@Suite("Every node survives numbers that make no sense", .timeLimit(.minutes(5)))
struct NonsenseNodeTests {
  /// What comes into the node: nonsense for 1,000 quanta, then a constant.
  private static let nonsenseFrames: Int64 = 64 * 1000
  private static let values = [
    Float.nan, Float.infinity, -Float.infinity, 1e30, -1e30, .greatestFiniteMagnitude, 0, -1,
  ]

  private static func source() -> SourceNode {
    SourceNode(format: .stereo(48000)) { request in
      let isNonsense = request.sampleTime < nonsenseFrames
      for channel in 0..<request.buffers.channelCount {
        for frame in 0..<request.frameCount {
          let place = (frame / 3 + channel + Int(request.sampleTime / 64)) % 6
          // Without an array: the closure runs on the audio thread.
          let bad: Float =
            switch place {
            case 0: .nan
            case 1: .infinity
            case 2: -Float.infinity
            case 3: 1e30
            case 4: -1e30
            default: 0.5
            }
          request.buffers[channel][frame] = isNonsense ? bad : 0.25
        }
      }
    }
  }

  private static func engine(_ node: any AudioNode) throws -> AudioEngine {
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      try graph.attach(node)
      for bus in 0..<node.inputBusCount {
        let source = source()
        try graph.attach(source)
        try graph.connect(source, to: node, toBus: bus)
      }
      guard !(node is OutputNode) else { return }
      let (mixer, output) = (MixerNode(inputBusCount: max(1, node.outputBusCount)), try OutputNode(channelCount: 2))
      try graph.attach(mixer)
      try graph.attach(output)
      for bus in 0..<node.outputBusCount { try graph.connect(node, to: mixer, fromBus: bus, toBus: bus) }
      try graph.connect(mixer, to: output)
    }
    return engine
  }

  @Test("in each parameter, and in each sample that it hears", arguments: try TestNodes.kinds.map(\.name))
  func node(_ name: String) throws {
    let kind = try ComponentRegistry.standard().component(named: name)
    let node = try TestNodes.node(of: kind)
    // One that aborts on any sample but its own, and one that has no input bus and waits for its unit.
    guard !(node is SinkNode), !(node is InputNode) else { return }
    let engine = try Self.engine(node)
    var rendered: Int64 = 0
    func render(_ count: Int) throws -> Float {
      rendered += Int64(count)
      let buffer = try engine.render(frameCount: count)
      let samples = buffer.channels.joined()
      #expect(samples.allSatisfy { $0.isFinite }, "\(name) at \(rendered)")
      return samples.lazy.map(abs).max() ?? 0
    }
    for parameter in node.parameters.prefix(40) {
      for value in Self.values {
        parameter.value = value
        #expect(parameter.range.contains(parameter.value), "\(parameter.name)")
      }
      _ = try render(128)
      parameter.value = parameter.defaultValue
    }
    let loud = try render(Int(max(640, Self.nonsenseFrames - rendered)))
    // What circulates, as in an echo, needs its time.
    var last: Float = 0
    for _ in 0..<4 { last = try render(48000) }
    #expect(last <= 4 || last < loud * 0.9, "\(name) is still at \(last) after \(loud)")
  }
}
