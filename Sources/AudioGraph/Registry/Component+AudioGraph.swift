import SynthDSP

extension Component {
  /// The kinds of node of this module.
  public static var audioGraph: [Component] {
    [
      source, input, signalGenerator, bufferPlayer, graph, mixer, matrixMixer, spatialMixer, effect, equalizer,
      parametricEqualizer, reverb, chorus, compressor, gate, limiter, distortion, pitchShift, echo, tapDelay,
      voiceProcessing, delay, converter, output, sink, tap,
    ]
  }

  private static let source = Component(
    .generator, "rcbk", name: "source",
    summary: "renders by a callback; silent, until one with a callback replaces it",
    creation: [SourceNode.sampleRate, SourceNode.channelCount, SourceNode.busCount]
  ) { values in
    SourceNode(format: format(values), busCount: values[SourceNode.busCount]?.integer ?? 1) { $0.buffers.silence() }
  }

  private static func format(_ values: CreationValues) -> AudioFormat {
    AudioFormat(
      sampleRate: values[SourceNode.sampleRate]?.number ?? 48000,
      channelCount: values[SourceNode.channelCount]?.integer ?? 2)
  }

  private static let input = Component(
    .generator, "ainp", name: "input", summary: "what a device captures; silent, until one with a device replaces it",
    creation: [SourceNode.sampleRate, SourceNode.channelCount]
  ) { values in
    try InputNode(format: format(values))
  }

  private static let signalGenerator = Component(
    .generator, "sgnl", name: "signal generator", summary: "plays a sine, sawtooth, square, triangle or white noise",
    creation: [SignalGeneratorNode.channels]
  ) { values in
    SignalGeneratorNode(channelCount: values[SignalGeneratorNode.channels]?.integer ?? 1)
  }

  private static let bufferPlayer = Component(
    .generator, "bfpl", name: "buffer player", summary: "plays buffers at sample times, in loops or over each other",
    creation: [SourceNode.sampleRate, SourceNode.channelCount]
  ) { values in
    BufferPlayerNode(format: format(values))
  }

  private static let mixer = Component(
    .mixer, "mcmx", name: "mixer",
    summary: "mixes mono and stereo inputs into one stereo output, and others into sends",
    creation: [MixerNode.busCount, MixerNode.sendNames]
  ) { values in
    let sends = values[MixerNode.sendNames]?.list ?? []
    return MixerNode(
      inputBusCount: values[MixerNode.busCount]?.integer ?? 8,
      sends: sends.compactMap(\.text).enumerated().map { MixerSend($1, initialShare: 0, bus: 1 + $0) })
  }

  private static let matrixMixer = Component(
    .mixer, "mxmx", name: "matrix mixer", summary: "mixes any channel of its inputs into any channel of its output",
    creation: [MatrixMixerNode.inputChannels, MatrixMixerNode.outputChannels]
  ) { values in
    let inputs = values[MatrixMixerNode.inputChannels]?.list?.compactMap(\.integer)
    return try MatrixMixerNode(
      inputChannelCounts: inputs ?? [2, 2],
      outputChannelCount: values[MatrixMixerNode.outputChannels]?.integer ?? 2)
  }

  private static let spatialMixer = Component(
    .mixer, "3dem", name: "spatial mixer",
    summary: "places mono inputs around a listener: HRTF, equal power or loudspeakers, distance, obstacles, reverb",
    creation: [SpatialMixerNode.busCount, SpatialMixerNode.speakers, SpatialMixerNode.hrtfFile]
  ) { values in
    let layout = values[SpatialMixerNode.speakers]?.text.flatMap(SpeakerLayout.init(rawValue:))
    return try SpatialMixerNode(
      name: values.name, inputBusCount: values[SpatialMixerNode.busCount]?.integer ?? 8, layout: layout ?? .stereo,
      hrtf: try values[SpatialMixerNode.hrtfFile]?.text.map(HRTFSet.init(path:)))
  }

  private static let effect = Component(
    .effect, "efcb", name: "effect",
    summary: "alters sound by a callback; passes it on, until one with a callback replaces it",
    creation: [EffectNode.latencyFrames, EffectNode.tailFrames]
  ) { values in
    let tail = values[EffectNode.tailFrames]?.integer ?? 0
    return EffectNode(latency: values[EffectNode.latencyFrames]?.integer ?? 0, tail: tail < 0 ? nil : tail) { _ in }
  }

  private static let reverb = Component(
    .effect, "rvrb", name: "reverb", summary: "a room for a send bus; wet only"
  ) { values in
    ReverbNode(name: values.name)
  }

  private static let chorus = Component(
    .effect, "chor", name: "chorus", summary: "a chorus or flanger for a send bus; wet only"
  ) { values in
    ChorusNode(name: values.name)
  }

  private static let equalizer = Component(
    .effect, "greq", aliases: ["ipeq"], name: "equalizer", summary: "ten bands; its curve changes while it plays"
  ) { values in
    EqualizerNode(name: values.name)
  }

  private static let parametricEqualizer = Component(
    .effect, "nbeq", name: "parametric equalizer", summary: "1 to 64 bands: peaks, shelves, passes and notches",
    creation: [ParametricEqualizerNode.bandCount]
  ) { values in
    try ParametricEqualizerNode(name: values.name, bandCount: values[ParametricEqualizerNode.bandCount]?.integer ?? 4)
  }

  private static let compressor = Component(
    .effect, "dcmp", name: "compressor", summary: "turns down what is above a threshold, by a ratio"
  ) { values in
    CompressorNode(name: values.name)
  }

  private static let gate = Component(
    .effect, "gate", name: "gate", summary: "turns down what is below a threshold"
  ) { values in
    GateNode(name: values.name)
  }

  private static let limiter = Component(
    .effect, "lmtr", name: "limiter", summary: "keeps true peaks below a ceiling, by looking ahead",
    creation: [LimiterNode.ceilingLevel]
  ) { values in
    let ceiling = values[LimiterNode.ceilingLevel]?.number.map { Decibels($0) }
    return LimiterNode(name: values.name, ceiling: ceiling ?? LookAheadLimiter.standardCeiling)
  }

  private static let distortion = Component(
    .effect, "dist", name: "distortion", summary: "bends samples by a curve, at eight times their rate"
  ) { values in
    DistortionNode(name: values.name)
  }

  private static let pitchShift = Component(
    .effect, "ptch", name: "pitch shift", summary: "makes sound higher or lower, and leaves its tempo"
  ) { values in
    PitchShiftNode(name: values.name)
  }

  private static let echo = Component(
    .effect, "echo", aliases: ["dely"], name: "echo",
    summary: "repeats sound, each time more quietly and through a low pass"
  ) { values in
    EchoNode(name: values.name)
  }

  private static let tapDelay = Component(
    .effect, "tapd", name: "tap delay", summary: "echoes left, in the middle and right for a send bus; wet only"
  ) { values in
    TapDelayNode(name: values.name)
  }

  private static let voiceProcessing = Component(
    .effect, "vpio", name: "voice processing",
    summary: "takes the loudspeakers' echo and noise out of a microphone; automatic gain, mute",
    creation: [VoiceProcessingNode.qualityName]
  ) { values in
    let quality = values[VoiceProcessingNode.qualityName]?.text.flatMap(VoiceQuality.init)
    return try VoiceProcessingNode(name: values.name, quality: quality ?? .medium)
  }

  private static let delay = Component(
    .effect, "dlin", name: "delay", summary: "a delay line, which alone may close a loop",
    creation: [DelayNode.delayTime]
  ) { values in
    try DelayNode(delay: values[DelayNode.delayTime]?.number ?? 0)
  }

  private static let converter = Component(
    .converter, "conv", name: "converter", summary: "converts the sample rate, to the output unit's or another",
    creation: [ConverterNode.outputRate]
  ) { values in
    let rate = values[ConverterNode.outputRate]?.number ?? 0
    return ConverterNode(sampleRate: rate > 0 ? rate : nil)
  }

  private static let graph = Component(
    .generator, "grph", name: "graph", summary: "a whole graph as one node; silent, until it is edited",
    creation: [GraphNode.sampleRate]
  ) { values in
    try GraphNode(AudioEngine(sampleRate: values[GraphNode.sampleRate]?.number ?? 48000))
  }

  private static let sink = Component(
    .sink, "sink", name: "sink", summary: "hands what arrives to a callback; one that does so replaces it"
  ) { _ in
    SinkNode { _ in }
  }

  private static let tap = Component(
    .sink, "tap ", name: "tap", summary: "takes a copy of what arrives off the audio thread"
  ) { _ in
    TapNode()
  }

  private static let output = Component(
    .output, "genr", aliases: ["rioc"], name: "output", summary: "routes the mix to the channels of a device or a file"
  ) { _ in
    try OutputNode(channelCount: 2)
  }
}
