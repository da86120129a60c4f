import Testing

@testable import AudioGraph

// one (stereo) ─► (1) mixer ─► output
@Suite("Scope and element")
struct NodeElementTests {
  let mixer: any AudioNode = MixerNode(inputBusCount: 2, sends: ["reverb": 0])

  @Test("address a parameter beside its flat name")
  func parameters() throws {
    let gain = try mixer.parameter(named: "gain", of: .input(1))
    #expect(gain === (try mixer.parameter(named: "input 1 gain")))
    #expect(gain.element.scope == .input && gain.element.number == 1 && gain.shortName == "gain")
    #expect(try mixer.parameter(named: "gain", of: .output(0)).name == "output gain")
    #expect(try mixer.parameter(named: "enable", of: .output(1)).name == "reverb enable")
    #expect(
      mixer.parameters(of: .input(0)).map(\.shortName) == ["gain", "pan", "enable", "mute", "solo", "reverb send"])
    #expect(mixer.parameters(of: .global).map(\.name) == ["metering", "metering before faders"])
    #expect(mixer.parameters(of: .input(2)).isEmpty)
    #expect(NodeElement(.input, 1) == .input(1) && NodeElement(.global) == .global)
    let error = ParameterError.unknown(node: "mixer, input 1", name: "gains", near: ["gain"])
    #expect(throws: error) { try mixer.parameter(named: "gains", of: .input(1)) }
  }

  @Test("name each of a node's values once")
  func uniqueNames() throws {
    let matrix = try MatrixMixerNode(inputChannelCounts: [2, 1], outputChannelCount: 3)
    #expect(try matrix.parameter(named: "channel 2 gain", of: .output(0)).name == "output 2 gain")
    for node in try [mixer, matrix, SpatialMixerNode(inputBusCount: 2)] as [any AudioNode] {
      let names = node.parameters.map(\.name) + node.properties.map(\.name)
      #expect(Set(names).count == names.count)
      let addresses = node.parameters.map { "\($0.element) \($0.shortName)" }
      #expect(Set(addresses).count == addresses.count)
    }
  }

  @Test("address a property, and the format of each bus, which follows the connections")
  func formats() throws {
    let engine = AudioEngine(sampleRate: 44100)
    let (one, output) = (ConstantSource(1, format: .stereo(44100)), try OutputNode(channelCount: 2))
    #expect(try mixer.property(named: "peak", of: .input(1)).name == "input 1 peak")
    #expect(try engine.property(named: "format", of: mixer, .output(0)).value == "none")
    try engine.edit { graph in
      for node in [one.node, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(one.node, to: mixer, toBus: 1)
      try graph.connect(mixer, to: output)
    }
    let format = try engine.property(named: "format", of: mixer, .input(1))
    #expect(format.name == "input 1 format" && format.value == "44100 Hz stereo" && !format.isSettable)
    #expect(try engine.property(named: "format", of: mixer, .input(0)).value == "none")
    #expect(try engine.property(named: "format", of: mixer, .output(1)).value == "44100 Hz stereo")
    #expect(engine.formats(of: output)?.outputs == [.stereo(44100)])
    try engine.edit { graph in try graph.disconnect(input: mixer, bus: 1) }
    #expect(format.value == "none")
    let error = PropertyError.unknown(node: "mixer, input 0", name: "fromat", near: ["format"])
    #expect(throws: error) { try engine.property(named: "fromat", of: mixer, .input(0)) }
  }
}
