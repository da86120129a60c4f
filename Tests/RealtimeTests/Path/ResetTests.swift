import AudioFiles
import AudioGraph
import Instruments
import MIDI
import SynthKit
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
    for send in (node as? SendNode)?.parameters ?? [] { send.value = 1 }
    // What they were given to play is used up, so that both lives have the same.
    if node is FilePlayerNode || node is RackNode {
      _ = try engine.render(frameCount: 5000)
      try engine.reset()
    }
    var lives: [[[Float]]] = []
    for _ in 1...2 {
      try cue(node)
      lives.append(try engine.render(frameCount: 5000))
      try engine.reset()
    }
    #expect(lives[0].joined().contains { $0 != 0 })
    #expect(lives[0] == lives[1])
  }

  /// Gives what plays something to play.
  private func cue(_ node: any AudioNode) throws {
    let note = MIDIEvent(time: 100, message: .noteOn(channel: 1, note: 60, velocity7: 100))
    switch node {
    case let rack as RackNode: _ = rack.events.send(note)
    case let player as FilePlayerNode:
      let path = try TestNodes.constantFile()
      defer { TestNodes.remove(path) }
      try player.schedule(AudioFileSegment(path), at: 100)
      player.play()
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
