import AudioGraph
import Testing

@Suite("Where inputs of a mixer go")
struct MixerDestinationTests {
  private let mixer = MixerNode(inputBusCount: 2, sends: ["reverb": 0])
  private let one = ConstantSource(1)
  private let ten = ConstantSource(10)
  private let engine = AudioEngine(sampleRate: 48000)

  // one, ten ─► mixer ─┬► output 1-2
  //                    └► output 3-4
  init() throws {
    let output = try OutputNode(channelCount: 4)
    let bus = try #require(mixer.addSend(named: "drums"))
    output.setOthers([[2, 3]])
    try engine.edit { [mixer, one, ten] graph in
      for node in [one.node, ten.node, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(one.node, to: mixer, toBus: 0)
      try graph.connect(ten.node, to: mixer, toBus: 1)
      try graph.connect(mixer, to: output)
      try graph.connect(mixer, to: output, fromBus: bus, toBus: 1)
    }
  }

  private func settled() -> [Float] {
    withExtendedLifetime((one, ten)) { engine.render(2048, channels: 4).map { $0[2047] } }
  }

  @Test("an input that goes to a send is in that alone, with its gain; shares are added")
  func destination() {
    #expect(settled() == [11, 13, 0, 0])
    mixer.inputs[1].destination.value = 2
    #expect(settled() == [1, 2, 10, 11])
    mixer.inputs[0].sends[1].value = 0.5
    #expect(settled() == [1, 2, 10.5, 12])
    mixer.inputs[1].gain.value = -120
    #expect(settled() == [1, 2, 0.5, 1])
    mixer.inputs[1].gain.value = 0
    mixer.inputs[1].destination.value = 0
    #expect(settled() == [11, 13, 0.5, 1])
  }

  @Test("a change fades from one bus to the other, in equal steps whose sum stays")
  func fade() {
    _ = settled()
    mixer.inputs[1].destination.value = 2
    let samples = withExtendedLifetime((one, ten)) { engine.render(2048, channels: 4) }
    for frame in 1..<2048 {
      #expect(abs(samples[0][frame] + samples[2][frame] - 11) < 1e-4)
      #expect(abs(samples[2][frame] - samples[2][frame - 1]) < 10 / 900)
    }
  }

  @Test("a send that is added while it plays changes nothing of the others, and is heard from its edit on")
  func added() throws {
    mixer.inputs[0].sends[0].value = 1
    let before = settled()
    let bus = try #require(mixer.addSend(named: "room"))
    #expect(mixer.sends.map(\.name) == ["reverb", "drums", "room"] && mixer.outputBusCount == 4 && bus == 3)
    #expect(settled() == before)
    mixer.inputs[0].sends[2].value = 1
    try engine.edit { graph in
      let output = try #require(graph.nodes.compactMap { $0 as? OutputNode }.first)
      try graph.disconnect(input: output, bus: 1)
      try graph.connect(mixer, to: output, fromBus: bus, toBus: 1)
    }
    #expect(settled() == [11, 13, 1, 2])
    while mixer.addSend(named: "more") != nil {}
    #expect(mixer.sends.count == 64)
  }
}
