import AudioFiles
import AudioGraph
import DSP
import Glibc
import Instruments
import MIDI
import Realtime
import SynthKit
import TestSupport

/// Every kind of node there is, made ready to be rendered.
enum TestNodes {
  /// All kinds of the registry, so that none can be forgotten.
  static var kinds: [Component] {
    get throws { try ComponentRegistry.standard().components }
  }

  /// A node of a kind, with something to do, that takes a format.
  static func node(of kind: Component, fedWith format: AudioFormat = .stereo(48000)) throws -> any AudioNode {
    switch kind.name {
    case "source": return source()
    case "sampler":
      let sampler = try sampler()
      _ = sampler.events.send(MIDIEvent(time: 0, message: .noteOn(channel: 0, note: 60, velocity7: 100)))
      return sampler
    case "equalizer": return EqualizerNode(curve: try curve())
    case "delay": return try DelayNode(delay: 0, format: format)
    case "limiter": return LimiterNode(ceiling: -20)
    case "sink": return sink()
    case "graph": return try graph()
    case "signal generator": return SignalGeneratorNode(waveform: .sawtooth)
    case "file player": return try playingFile()
    default: return try kind.make()
    }
  }

  /// A constant 0.25 in every channel.
  static func source(_ format: AudioFormat = .stereo(48000)) -> SourceNode {
    SourceNode(format: format, context: RealtimeProbe.unused) { _, request in
      let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
      for channel in 0..<request.buffers.channelCount {
        request.buffers[channel].update(repeating: 0.25, count: request.frameCount)
      }
    }
  }

  /// Reads what it is given.
  static func sink() -> SinkNode {
    SinkNode(
      RenderCallback(
        { _, request in
          let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
          if request.buffers[0][0] != 0.25 { abort() }
        }, context: RealtimeProbe.unused))
  }

  /// A graph with an equalizer in it.
  static func graph() throws -> GraphNode {
    let inner = AudioEngine(sampleRate: 48000)
    let node = try GraphNode(inner)
    let source = source()
    let equalizer = EqualizerNode(curve: try curve())
    let output = try OutputNode(channelCount: 2)
    try inner.edit { graph in
      for node in [source, equalizer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(source, to: equalizer)
      try graph.connect(equalizer, to: output)
    }
    return node
  }

  /// Plays a second of a constant over and over, until 20 s are over.
  static func playingFile() throws -> FilePlayerNode {
    let path = try constantFile()
    defer { remove(path) }
    let player = try FilePlayerNode(format: .stereo(48000))
    for _ in 1...20 { try player.schedule(AudioFileSegment(path)) }
    player.play()
    player.prepareToRender(frameCount: 4096)
    return player
  }

  /// A second of a constant at 44.1 kHz, in a file of its own.
  static func constantFile() throws -> String {
    let path = "/tmp/realtime-\(UInt64.random(in: 0 ... .max)).wav"
    let writer = try AudioFileWriter(path: path, rate: 44100, channels: 1)
    try writer.write(interleaved: [Float](repeating: 0.25, count: 44100), frameCount: 44100)
    try writer.finish()
    return path
  }

  static func remove(_ path: String) { unlink(path) }

  static func sampler(polyphony: Int = 256) throws -> SamplerNode {
    try SamplerNode(
      SamplerConfiguration(soundFonts: [TestFiles.soundFont], polyphony: polyphony), sampleRate: 48000,
      effects: effects())
  }

  /// Effects that hear nothing, but whose settings events change.
  private static func effects() -> EffectControls {
    let mixer = MixerNode(inputBusCount: SamplerNode.channelCount)
    let sends = SendNode(after: mixer.inputs, effects: ["reverb": 0.5, "chorus": 0])
    return EffectControls(
      reverbSends: sends.sends[0], chorusSends: sends.sends[1], reverb: ReverbNode(), chorus: ChorusNode())
  }

  /// Up and down by 6 dB from band to band.
  static func curve() throws -> EqualizerCurve {
    try EqualizerCurve(gains: (0..<EqualizerCurve.bandCount).map { Decibels($0.isMultiple(of: 2) ? 6 : -6) })
  }
}
