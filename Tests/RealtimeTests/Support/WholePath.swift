import AudioGraph
import SynthInstruments
import SynthMIDI
import SynthRealtime
import TestSupport

/// The way a note goes, and a source beside it that can be taken away.
///
///     sampler ═(16 buses)═╗
///                         ╠═ mixer ─ equalizer ─ limiter ─ output (channel map -1,-1,0,1)
///     source ─────────────╝
final class WholePath {
  let watched = WatchedEngine()
  let sampler: RackNode
  let mixer = MixerNode(inputBusCount: RackNode.channelCount + 1)
  let equalizer: EqualizerNode
  let limiter = LimiterNode(ceiling: -20)
  let source = TestNodes.source()
  let output: OutputNode

  /// The path, prepared and running.
  init(_ engine: SamplerEngine = .native, polyphony: Int = 256, preload: SamplerPreload = .all) throws {
    equalizer = EqualizerNode(
      curve: try TestNodes.curve(),
      presets: [.init(name: "flat", curve: .flat), .init(name: "waves", curve: try TestNodes.curve())])
    sampler = try TestNodes.sampler(engine, polyphony: polyphony, preload: preload, choice: equalizer.preset)
    output = try OutputNode(channelCount: 4, channelMap: ChannelMap([-1, -1, 0, 1]))
    try watched.engine.edit { graph in
      for node in [sampler, source, mixer, equalizer, limiter, output] as [any AudioNode] { try graph.attach(node) }
      for bus in 0..<RackNode.channelCount { try graph.connect(sampler, to: mixer, fromBus: bus, toBus: bus) }
      try graph.connect(source, to: mixer, toBus: RackNode.channelCount)
      try graph.connect(mixer, to: equalizer)
      try graph.connect(equalizer, to: limiter)
      try graph.connect(limiter, to: output)
    }
  }

  /// Plays messages at the next quantum, and renders it.
  func play(_ messages: MIDIMessage...) {
    for message in messages { _ = sampler.events.send(MIDIEvent(time: 0, message: message)) }
    watched.render(renderQuantum)
  }

  /// Plays a System Exclusive message, F0 and F7 left out, and renders a quantum.
  func play(systemExclusive bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { payload in
      _ = sampler.events.send(MIDIEvent(time: 0, systemExclusive: payload))
      watched.render(renderQuantum)
    }
  }

  /// The test song on the sample clock.
  static func timeline() throws -> Timeline {
    Timeline(Song(try MIDIFile(path: TestFiles.song)), sampleRate: 48000)
  }
}
