import AudioGraph
import SynthAudioFiles
import SynthInstruments
import SynthKit
import SynthMIDI
import Testing

@Suite("Every node begins anew at a reset")
struct ResetTests {
  @Test(
    "rendered, reset and rendered again it gives the same samples", arguments: try TestNodes.kinds.map(\.name), [1, 2])
  func reset(_ name: String, channelCount: Int) throws {
    let format = AudioFormat(sampleRate: 48000, channelCount: channelCount)
    let kind = try ComponentRegistry.standard().component(named: name)
    let node = name == "sink" ? SinkNode { _ in } : try TestNodes.node(of: kind, fedWith: format)
    let engine = AudioEngine(sampleRate: 48000)
    try engine.feed(node, channelCount: channelCount)
    try prepare(node, in: engine)
    var lives: [AudioBuffer] = []
    for _ in 1...2 {
      try cue(node, at: 100)
      lives.append(try engine.render(frameCount: 5000 + node.latency))
      try engine.reset()
    }
    #expect(lives[0].channels.contains { $0.peak > 0 })
    #expect(lives[0] == lives[1])
  }

  @Test(
    "so it does when it was disconnected from what hears it, and is connected again",
    arguments: try TestNodes.kinds.map(\.name).filter { $0 != "sink" && $0 != "tap" && $0 != "output" }, [1, 2])
  func reconnection(_ name: String, channelCount: Int) throws {
    let format = AudioFormat(sampleRate: 48000, channelCount: channelCount)
    let node = try TestNodes.node(of: try ComponentRegistry.standard().component(named: name), fedWith: format)
    let engine = AudioEngine(sampleRate: 48000)
    try engine.feed(node, channelCount: channelCount)
    try prepare(node, in: engine)
    let heard = engine.graph.connections.filter { $0.source.node === node }
    var lives: [AudioBuffer] = []
    let length = 4800 + node.latency
    // A second apart, at which all rates begin a quantum.
    for start in [0, 48000] as [Int64] {
      try cue(node, at: start + 100)
      lives.append(try engine.render(frameCount: length))
      try engine.edit(transition: .exact) { graph in
        for end in heard { try graph.disconnect(input: end.destination.node, bus: end.destination.bus) }
      }
      _ = try engine.render(frameCount: 48000 - length)
      try engine.edit(transition: .exact) { graph in
        for end in heard {
          try graph.connect(node, to: end.destination.node, fromBus: end.source.bus, toBus: end.destination.bus)
        }
      }
    }
    #expect(lives[0].channels.contains { $0.peak > 0 })
    #expect(lives[0] == lives[1])
  }

  /// Uses up what a node was given to play, so that all lives have the same.
  private func prepare(_ node: any AudioNode, in engine: AudioEngine) throws {
    for send in (node as? MixerNode)?.inputs.flatMap(\.sends) ?? [] { send.value = 1 }
    if node is FilePlayerNode || node is BufferPlayerNode || node is RackNode || node is SamplerNode {
      _ = try engine.render(frameCount: 5000)
      try engine.reset()
    }
  }

  /// Gives what plays something to play.
  private func cue(_ node: any AudioNode, at time: Int64) throws {
    let note = MIDIEvent(time: time, message: .noteOn(channel: 1, note: 60, velocity7: 100))
    switch node {
    case let rack as RackNode: _ = rack.events.send(note)
    case let sampler as SamplerNode: sampler.send(note.message, at: time)
    case let player as FilePlayerNode:
      let path = try TestNodes.constantFile()
      defer { TestNodes.remove(path) }
      try player.schedule(AudioFileSegment(path), at: time)
      player.prepareToRender(frameCount: 0)
      player.play()
    case let player as BufferPlayerNode:
      try player.schedule(TestNodes.constantBuffer(seconds: 0.05), at: time)
      player.play()
    case let player as SoundPlayerNode: player.play()
    default: break
    }
  }
}

extension AudioEngine {
  /// Feeds every input of a node from a signal generator, and mixes all its outputs, or the generators beside a sink.
  fileprivate func feed(_ node: any AudioNode, channelCount: Int) throws {
    try edit { graph in
      try graph.attach(node)
      var heard = (0..<node.outputBusCount).map { (node, $0) }
      for bus in 0..<node.inputBusCount {
        let source = SignalGeneratorNode(waveform: .triangle, frequency: 500, channelCount: channelCount)
        try graph.attach(source)
        try graph.connect(source, to: node, toBus: bus)
        if node.outputBusCount == 0 { heard.append((source, 0)) }
      }
      guard !(node is OutputNode) else { return }
      let (mixer, output) = (MixerNode(inputBusCount: heard.count), try OutputNode(channelCount: 2))
      try graph.attach(mixer)
      try graph.attach(output)
      for (input, (node, bus)) in heard.enumerated() { try graph.connect(node, to: mixer, fromBus: bus, toBus: input) }
      try graph.connect(mixer, to: output)
    }
  }
}
