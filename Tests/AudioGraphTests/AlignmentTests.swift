import SynthRealtime
import Testing

@testable import AudioGraph

/// Two paths from a source that counts frames; the effect of one is late.
///
///     source ─┬─► effect ─► mixer input 0, left only ─► output
///             └───────────► mixer input 1, right only
@Suite("Paths that meet are aligned where the node asks for it")
struct AlignmentTests {
  private let source = CountingSource()
  private let mixer: MixerNode
  private let engine = AudioEngine(sampleRate: 48000)

  init() throws {
    mixer = MixerNode(aligning: 3, sends: [:], sampleRate: 48000)
    let (source, mixer) = (source.node, mixer)
    mixer.inputs[0].pan.value = -1
    mixer.inputs[1].pan.value = 1
    let output = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      for node in [source, mixer, output] as [any AudioNode] { try graph.attach(node) }
      for bus in 0..<2 { try graph.connect(source, to: mixer, toBus: bus) }
      try graph.connect(mixer, to: output)
    }
  }

  /// Gives on what it gets, as late as it says.
  private func late(_ frames: Int) -> EffectNode {
    let history = History(frames)
    return EffectNode(latency: frames) { request in
      for channel in 0..<request.buffers.channelCount {
        for frame in 0..<request.frameCount {
          request.buffers[channel][frame] = history.pass(request.buffers[channel][frame], channel)
        }
      }
    }
  }

  /// The latest samples of two channels. One thread renders.
  private final class History: @unchecked Sendable {
    private var samples: [[Float]]

    init(_ count: Int) { samples = Array(repeating: [Float](repeating: 0, count: count), count: 2) }

    func pass(_ sample: Float, _ channel: Int) -> Float {
      samples[channel].append(sample)
      return samples[channel].removeFirst()
    }
  }

  private func insert(_ effect: any AudioNode, before bus: Int = 0, _ transition: EditTransition = .faded) throws {
    try engine.edit(transition: transition) { graph in
      try graph.attach(effect)
      try graph.disconnect(input: mixer, bus: bus)
      try graph.connect(source.node, to: effect)
      try graph.connect(effect, to: mixer, toBus: bus)
    }
  }

  private var renderedNodes: [any AudioNode] { engine.published.withLock { $0.renderedNodes } }
  private var alignments: [Int] { renderedNodes.compactMap { ($0 as? AlignmentNode)?.latency } }

  @Test("to the sample, whatever the effect's latency", arguments: [1, 63, 64, 65, 1000])
  func aligned(latency: Int) throws {
    try insert(late(latency))
    #expect(alignments == [latency] && engine.latency == latency)
    let samples = engine.render(4096)
    for frame in latency..<4096 {
      guard samples[0][frame] == Float(frame - latency), samples[1][frame] == -Float(frame - latency) else {
        Issue.record("frame \(frame): \(samples[0][frame]), \(samples[1][frame])")
        return
      }
    }
    #expect(samples[0][..<latency].allSatisfy { $0 == 0 } && samples[1][..<latency].allSatisfy { $0 == 0 })
  }

  @Test("and where nothing is late, and with a mixer that does not ask for it, no node is added")
  func none() throws {
    #expect(alignments.isEmpty && engine.latency == 0)
    try insert(CompressorNode())
    #expect(alignments.isEmpty)
    let plain = MixerNode(inputBusCount: 2)
    try engine.edit { graph in
      try graph.replace(mixer, with: plain)
      let limiter = LimiterNode()
      try graph.attach(limiter)
      try graph.disconnect(input: plain)
      try graph.connect(source.node, to: limiter)
      try graph.connect(limiter, to: plain)
    }
    #expect(alignments.isEmpty && engine.latency == LimiterNode.latency)
  }

  @Test("also after edits: what is delayed already keeps every bit while another path is edited")
  func edits() throws {
    try insert(late(100), .exact)
    _ = engine.render(4800)
    let before = renderedNodes.first { $0 is AlignmentNode }
    let other = CountingSource(name: "other").node
    mixer.inputs[2].gain.value = -120
    try engine.edit { graph in
      try graph.attach(other)
      try graph.connect(other, to: mixer, toBus: 2)
    }
    let samples = engine.render(4800)
    #expect(renderedNodes.contains { $0 === before })
    let isSteady = samples[1].enumerated().allSatisfy { $1 == -Float(4800 + $0 - 100) }
    #expect(isSteady)
  }

  @Test("a delay that goes and comes back begins with silence, and a fade")
  func comeback() throws {
    let effect = late(1000)
    try insert(effect)
    _ = engine.render(9600)
    try engine.edit { graph in
      try graph.detach(effect)
      try graph.connect(source.node, to: mixer)
    }
    _ = engine.render(9600)
    #expect(alignments.isEmpty && engine.latency == 0)
    let last = engine.render(64)[1][63]
    try insert(late(1000))
    let samples = engine.render(9600)[1]
    // From the present frame to the one a thousand before, in a straight line, and no silence between.
    let steps = zip([last] + samples, samples).map { abs($1 - $0) }
    #expect(steps.max() ?? 0 <= 1 + 1000 / 400 && samples.allSatisfy { $0 != 0 })
    #expect(samples[9599] == -Float(19264 + 9599 - 1000))
  }

  @Test("converters count, at their rates")
  func converters() throws {
    let converter = ConverterNode(sampleRate: 44100)
    try insert(converter)
    #expect(alignments.count == 1 && alignments[0] == engine.latency)
  }
}
