import AudioGraph
import TestSupport
import Testing

@Suite("A printed graph")
struct GraphTextTests {
  let mixer = MixerNode(name: "desk", inputBusCount: 18)
  let equalizer = EqualizerNode()
  let engine = AudioEngine(sampleRate: 48000)

  // many ═16═► desk ─► equalizer ─► output
  // click ───►
  init() throws {
    let many = SilentNode(name: "many", busCount: 16)
    let click = ConstantSource(1, name: "click", format: .mono(48000))
    let output = try OutputNode(channelCount: 2)
    try engine.edit { [mixer, equalizer] graph in
      for node in [many, click.node, mixer, equalizer, output] as [any AudioNode] { try graph.attach(node) }
      for bus in 0..<16 { try graph.connect(many, to: mixer, fromBus: bus, toBus: bus) }
      try graph.connect(click.node, to: mixer, toBus: 17)
      try graph.connect(mixer, to: equalizer)
      try graph.connect(equalizer, to: output)
    }
  }

  @Test("shows equal connections as one line, buffers, formats, and what was changed")
  func text() {
    mixer.inputs[9].gain.value = -6
    mixer.inputs[17].isMuted.value = 1
    #expect(
      "\(engine)" == """
        48000 Hz, 5 nodes, 19 connections, 18 buffers

        1 many (SilentNode)
          out 0–15  → 3 desk 0–15  stereo  buffers 0–15

        2 click (SourceNode)
          out 0     → 3 desk 17    mono    buffer 16
          sample rate 48000 Hz; channel count 1; output bus count 1

        3 desk (MixerNode)
          in  0–15  ← 1 many 0–15  stereo
          in  16    ← nothing
          in  17    ← 2 click      mono
          out 0     → 4 equalizer  stereo  buffer 17
          input bus count 18; input 9 gain −6 dB; input 17 mute on

        4 equalizer
          in  0     ← 3 desk       stereo
          out 0     → 5 output     stereo  buffer 15
          curve 0,0,0,0,0,0,0,0,0,0 dB

        5 output
          in  0     ← 4 equalizer  stereo
          out 0     → device       stereo  buffer 17
          channel count 2; channel map 0,1

        """)
  }

  @Test("shows what is not rendered, and fan-out as a line for each node that is fed")
  func idleAndFanOut() throws {
    let tail = EqualizerNode(name: "tail")
    try engine.edit { graph in
      try graph.attach(tail)
      try graph.connect(mixer, to: tail)
    }
    let text = "\(engine)"
    #expect(
      text.contains(
        """
          out 0     → 4 equalizer  stereo  buffer 17
          out 0     → 6 tail       stereo  buffer 17

        """))
    #expect(
      text.hasSuffix(
        """

        not rendered, as nothing pulls it:

        6 tail (EqualizerNode)
          in  0     ← 3 desk
          out 0     → nothing
          curve 0,0,0,0,0,0,0,0,0,0 dB

        """))
  }

  // far (44100 Hz) ─► mixer ─► output
  @Test("shows a converter that came with a connection, and rates that differ from the output's")
  func automatic() throws {
    let far = ConstantSource(1, name: "far", format: .stereo(44100))
    let text =
      "\(try AudioEngine.chain(far.node, MixerNode(inputBusCount: 1), output: try OutputNode(channelCount: 2)))"
    #expect(
      text.hasPrefix(
        """
        48000 Hz, 4 nodes, 3 connections, 2 buffers

        1 far (SourceNode)
          out 0  → 2 converter  44100 Hz stereo  buffer 0
          sample rate 44100 Hz; channel count 2; output bus count 1

        2 converter (automatic, takes its input after 1 far)
          in  0  ← 1 far        44100 Hz stereo
          out 0  → 3 mixer      stereo           buffer 0

        """))
  }

  @Test("of an engine without a graph says why it cannot be rendered; a graph alone tells its connections")
  func unprepared() throws {
    #expect(
      "\(AudioEngine(sampleRate: 44100))" == """
        44100 Hz, 0 nodes, 0 connections, 0 buffers
        not ready: preparing the graph: it has 0 output nodes; attach exactly one, it
          starts and stops the flow

        """)
    var graph = Graph()
    try graph.attach(equalizer)
    #expect(
      "\(graph)" == """
        1 node, 0 connections

        1 equalizer
          in  0  ← nothing
          out 0  → nothing
          curve 0,0,0,0,0,0,0,0,0,0 dB

        """)
  }

  @Test("keeps within 80 columns, and to what a terminal does not interpret, whatever the nodes are called")
  func width() throws {
    var random = SplitMix64(seed: 7)
    let letters = ["a", "ü", "b b", "\u{1B}[2J", "\n", "\"", "é"]
    for _ in 0..<20 {
      let engine = AudioEngine(sampleRate: 44100)
      let names = (0..<8).map { _ in
        (0..<Int.random(in: 0...60, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }.joined()
      }
      let mixers = names.map { MixerNode(name: $0, inputBusCount: .random(in: 0...64, using: &random)) }
      let output = try OutputNode(channelCount: 32)
      try engine.edit { graph in
        for node in mixers + [output] as [any AudioNode] { try graph.attach(node) }
        try graph.connect(mixers[0], to: output)
        for mixer in mixers {
          for parameter in mixer.parameters.shuffled(using: &random).prefix(9) { parameter.value = 0.5 }
          guard let other = mixers.randomElement(using: &random), other.inputBusCount > 0 else { continue }
          for _ in 0..<3 {
            // Some of these are refused: inputs are taken, paths lead back.
            try? graph.connect(mixer, to: other, toBus: .random(in: 0..<other.inputBusCount, using: &random))
          }
        }
      }
      let text = "\(engine)"
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" })
    }
  }
}
