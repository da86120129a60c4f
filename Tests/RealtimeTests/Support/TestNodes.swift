import AudioGraph
import Glibc
import SynthAudioFiles
import SynthDSP
import SynthInstruments
import SynthKit
import SynthMIDI
import SynthRealtime
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
    case "stereo sampler":
      let sampler = try SamplerNode()
      try sampler.load(TestFiles.soundFont)
      sampler.noteOn(60)
      sampler.tuning = 10
      return sampler
    case "equalizer":
      return EqualizerNode(curve: try curve(), presets: [.init(name: "flat", curve: .flat)])
    case "mixer": return try kind.make(["sends": ["reverb", "chorus"]])
    case "delay": return try DelayNode(delay: 0, format: format)
    case "tap delay":
      let delay = TapDelayNode()
      for time in [delay.time, delay.leftTime, delay.rightTime] { time.value = 0.001 }
      return delay
    case "limiter": return LimiterNode(ceiling: -20)
    case "sink": return sink()
    case "effect": return effect()
    case "graph": return try graph()
    case "input": return try input()
    case "instruments": return try soundingRack()
    case "spatial mixer": return try placedSource()
    case "signal generator": return SignalGeneratorNode(waveform: .sawtooth)
    case "buffer player": return try playingBuffers()
    case "file player": return try playingFile()
    case "sound player": return try playingSound()
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

  /// Halves what it is given.
  static func effect() -> EffectNode {
    let parts = (0..<2).map {
      Parameter("part \($0)", unit: .ratio, range: 0...1, default: 0.5, precision: .frame, rampDuration: Double($0))
    }
    return EffectNode(parameters: parts, context: RealtimeProbe.unused) { _, request in
      let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
      let part = request.parameter(0)
      for channel in 0..<request.buffers.channelCount {
        for frame in 0..<renderQuantum { request.buffers[channel][frame] *= part[frame] }
      }
    }
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

  /// Has captured a second of a constant.
  static func input() throws -> InputNode {
    let unit = VirtualInput()
    let node = try InputNode(unit)
    try node.start()
    unit.deliver([[Float]](repeating: [Float](repeating: 0.25, count: 48000), count: 2))
    return node
  }

  /// One input, heard through the head and in a room.
  static func placedSource() throws -> SpatialMixerNode {
    let mixer = try SpatialMixerNode(inputBusCount: 1)
    mixer.inputs[0].render(by: .hrtf)
    mixer.inputs[0].doppler.value = 1
    mixer.inputs[0].reverbBlend.value = 50
    return mixer
  }

  /// A loop that is interrupted by others while the node is watched, and then loops on.
  static func playingBuffers() throws -> BufferPlayerNode {
    let player = BufferPlayerNode(format: .stereo(48000))
    try player.schedule(constantBuffer(seconds: 0.01), options: .loops)
    for time in [2000, 2010] as [Int64] {
      try player.schedule(constantBuffer(seconds: 0.01), at: time, options: .interrupts)
    }
    try player.schedule(constantBuffer(seconds: 0.01), at: 3000, options: .loops)
    player.play()
    return player
  }

  /// 0.25 in both channels.
  static func constantBuffer(seconds: Double) -> AudioBuffer {
    AudioBuffer(format: .stereo(48000), frameCount: Int(48000 * seconds)) { _, _ in 0.25 }
  }

  /// Plays 20 s of a constant.
  static func playingFile() throws -> FilePlayerNode {
    let path = try constantFile(seconds: 20)
    defer { remove(path) }
    let player = try FilePlayerNode(format: .stereo(48000))
    try player.schedule(AudioFileSegment(path))
    player.play()
    player.prepareToRender(frameCount: 4096)
    return player
  }

  /// A player within a loop of half a second.
  static func playingSound() throws -> SoundPlayerNode {
    let path = try constantFile()
    defer { remove(path) }
    let player = try SoundPlayerNode(FileSound(path: path))
    player.loop = SoundLoop(0.1, 0.6)
    player.play()
    return player
  }

  /// A constant at 44.1 kHz, in its own file.
  static func constantFile(rate: Int = 44100, seconds: Int = 1) throws -> String {
    let path = "/tmp/realtime-\(UInt64.random(in: 0 ... .max)).wav"
    let writer = try AudioFileWriter(path: path, sampleRate: rate, channelCount: 1)
    let frameCount = seconds * 44100
    try writer.write(interleaved: [Float](repeating: 0.25, count: frameCount), frameCount: frameCount)
    try writer.finish()
    return path
  }

  static func remove(_ path: String) { unlink(path) }

  /// - Parameter choice: what the programs of channel 16 and controller 20 choose.
  static func sampler(
    _ engine: SamplerEngine = .native, polyphony: Int = 256, preload: SamplerPreload = .all, choice: Parameter? = nil
  ) throws -> RackNode {
    var configuration = SamplerConfiguration(
      soundFonts: [try TestFiles.soundFont], polyphony: polyphony, preload: preload)
    configuration.engine = engine
    return try RackNode(configuration, sampleRate: 48000, effects: effects(choice))
  }

  /// Effects that hear nothing, but whose settings events change.
  private static func effects(_ choice: Parameter? = nil) -> EffectControls {
    let inputs = MixerNode(inputBusCount: RackNode.channelCount, sends: ["reverb": 0.5, "chorus": 0, "delay": 0]).inputs
    return EffectControls(
      reverbSends: inputs.map { $0.sends[0] }, chorusSends: inputs.map { $0.sends[1] },
      delaySends: inputs.map { $0.sends[2] }, reverb: ReverbNode(), chorus: ChorusNode(), delay: TapDelayNode(),
      presetControl: choice.map { PresetMIDIControl($0, by: PresetMessages(programChannel: 15, controller: 20)) })
  }

  /// Up and down by 6 dB from band to band.
  static func curve() throws -> EqualizerCurve {
    try EqualizerCurve(gains: (0..<EqualizerCurve.bandCount).map { Decibels($0.isMultiple(of: 2) ? 6 : -6) })
  }

  /// The sampler on channel 1 and a patch of every kind of oscillator on the others.
  private static func soundingRack() throws -> RackNode {
    var patch = Patch(
      name: "test", title: "Test", description: "Everything there is",
      oscillators: [.init(.pulse, width: 0.3), .init(.triangle, detune: 7)],
      amplitude: .init(attack: 0.01, decay: 0.1, sustain: 0.5, release: 0.1))
    patch.noise = -30
    patch.filter = .init(cutoff: 1000)
    patch.filter?.amount = 2
    patch.lfo.amplitude = 6
    patch.unison = .init(voices: 3, detune: 20, spread: 1)
    let rack = try RackNode(
      RackConfiguration(
        sampler: SamplerConfiguration(soundFonts: [TestFiles.soundFont]),
        assignments: [
          InstrumentAssignment(.sampler, channel: 0), InstrumentAssignment(.patch(patch)),
        ], polyphony: 12), sampleRate: 48000, effects: effects(Parameter("choice", values: ["none", "one", "two"])))
    let notes: [MIDIMessage] = (40..<52).flatMap {
      [.noteOn(channel: 0, note: $0, velocity7: 100), .noteOn(channel: 1, note: $0, velocity7: 100)]
    }
    let pedals: [MIDIMessage] = [
      .controlChange(channel: 1, .sustain, value7: 127), .controlChange(channel: 1, .sostenuto, value7: 127),
      .registeredController(channel: 0, parameter: 6, value32: 15 << 25),
      .controlChange(channel: 1, .resetAllControllers, value7: 0),
      .programChange(channel: 15, program: 1), .controlChange(channel: 2, Controller(rawValue: 20), value7: 0),
    ]
    for message in notes + pedals + notes { _ = rack.events.send(MIDIEvent(time: 0, message: message)) }
    return rack
  }
}
