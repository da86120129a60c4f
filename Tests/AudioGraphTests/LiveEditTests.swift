import AudioGraph
import SynthDSP
import Testing

@Suite("Edits while running")
struct LiveEditTests {
  /// low (mono) ──► mixer, left only ──► output
  /// high (mono) ─► mixer, right only
  private final class TwoPaths {
    let low = SineSource(name: "low", format: .mono(48000))
    let high = SineSource(name: "high", format: .mono(48000))
    let mixer = MixerNode(inputBusCount: 2)
    let engine = AudioEngine(sampleRate: 48000)

    init() throws {
      let output = try OutputNode(channelCount: 2)
      mixer.inputs[0].pan.value = -1
      mixer.inputs[1].pan.value = 1
      try engine.edit { graph in
        for node in [low.node, high.node, mixer, output] as [any AudioNode] { try graph.attach(node) }
        try graph.connect(low.node, to: mixer)
        try graph.connect(high.node, to: mixer, toBus: 1)
        try graph.connect(mixer, to: output)
      }
    }
  }

  private func curve() throws -> EqualizerCurve {
    try EqualizerCurve(gains: (0..<EqualizerCurve.bandCount).map { Decibels($0 % 2 == 0 ? 3 : -3) })
  }

  @Test(
    "an equalizer goes into one of two paths: the other keeps every bit, and this one has nothing but the equalizer's own",
    arguments: [640, 1000, 4801])
  func insertion(position: Int) throws {
    let (edited, undisturbed) = (try TwoPaths(), try TwoPaths())
    let equalizer = EqualizerNode(curve: try curve())
    var samples = edited.engine.render(position)
    try edited.engine.edit(transition: .exact) { graph in
      try graph.attach(equalizer)
      try graph.disconnect(input: edited.mixer, bus: 0)
      try graph.connect(edited.low.node, to: equalizer)
      try graph.connect(equalizer, to: edited.mixer, toBus: 0)
    }
    let after = edited.engine.render(10_000 - position)
    for channel in 0..<2 { samples[channel] += after[channel] }
    let reference = undisturbed.engine.render(10_000)
    #expect(samples[1] == reference[1])

    // The edit takes effect at the first quantum that had not begun.
    let boundary = (position + 63) / 64 * 64
    #expect(samples[0].prefix(boundary) == reference[0].prefix(boundary))
    let late = SineSource(format: .mono(48000), silentUntil: Int64(boundary))
    let alone = try AudioEngine.chain(
      late.node, EqualizerNode(curve: try curve()), output: try OutputNode(channelCount: 1, sourceCount: 1))
    #expect(samples[0].suffix(10_000 - boundary) == alone.render(10_000, channels: 1)[0].suffix(10_000 - boundary))
  }

  @Test("a list of edits is taken whole or not at all")
  func atomicity() throws {
    let paths = try TwoPaths()
    let equalizer = EqualizerNode()
    let before = paths.engine.graph
    #expect(throws: GraphError.notConnected(input: "mixer input bus 1")) {
      try paths.engine.edit { graph in
        try graph.attach(equalizer)
        try graph.disconnect(input: paths.mixer, bus: 1)
        try graph.connect(paths.high.node, to: equalizer)
        try graph.disconnect(input: paths.mixer, bus: 1)
      }
    }
    #expect(paths.engine.graph.connections == before.connections)
    #expect(paths.engine.graph.nodes.count == before.nodes.count)
    let undisturbed = try TwoPaths()
    #expect(paths.engine.render(1000) == undisturbed.engine.render(1000))
  }

  @Test(
    "a thousand random edits, valid and not: no gap, no click, no leak, and what is refused changes nothing",
    arguments: [1, 2, 3] as [UInt64], [EditTransition.exact, .faded])
  func thousandEdits(seed: UInt64, transition: EditTransition) throws {
    let random = try RandomEdits(seed: seed, transition)
    for _ in 0..<1000 { try random.step() }
    #expect(random.refusedCount > 100 && random.acceptedCount > 100)
    // Every reason there is for connecting and taking apart has occurred.
    for reason in [
      "attached already", "not attached", "does not exist", "already;", "leads back", "nothing is connected",
    ] {
      #expect(random.refusals.contains { $0.contains(reason) }, "\(reason)")
    }
    try random.detachAll()
    #expect(random.aliveCount == 0)
  }
}
