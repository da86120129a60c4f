import AudioGraph
import DSP
import Instruments
import MIDI

/// The synthesizer's chain, wired: instruments → multichannel mixer → preset EQ → limiter → output with its channel map;
/// reverb and chorus are fed from the mixer's inputs, after their faders, and return before the EQ.
///
///     instruments ══16 stereo buses══╦► mixer ──────────────► returns ──► equalizer ──► limiter ──► output
///                                    ╚► sends ─┬► reverb ───►
///                                              └► chorus ───►
///
/// Nothing in it knows a device: it is rendered by whoever pulls `engine`.
public final class Synthesizer: Sendable {
  public let engine: AudioEngine
  /// The sampler, and the oscillator instruments of the channels that have them.
  public let instruments: RackNode
  /// Input bus n is MIDI channel n, counted from 0.
  public let mixer = MixerNode(inputBusCount: SamplerNode.channelCount)
  /// Reverb and chorus, and what each channel sends to them.
  public let effects: EffectControls
  public let equalizer: EqualizerNode
  /// Nil where the configuration asks for none.
  public let limiter: LimiterNode?
  public let output: OutputNode

  /// Loads the soundfonts and wires the chain. [control thread]
  ///
  /// - Throws: `SamplerError`, `ChannelMapError` or `GraphError`.
  public init(_ configuration: SynthesizerConfiguration) throws {
    output = try OutputNode(channelCount: configuration.channelCount, channelMap: configuration.channelMap)
    equalizer = EqualizerNode(curve: configuration.curve, headroom: configuration.isLimited ? .everySine : .everyInput)
    limiter = configuration.isLimited ? LimiterNode() : nil
    // What General MIDI 2 and GS have at first: every channel sends 40 of 127 to the reverb, none to the chorus.
    let sends = SendNode(after: mixer.inputs, effects: ["reverb": 40.0 / 127, "chorus": 0])
    effects = EffectControls(
      reverbSends: sends.sends[0], chorusSends: sends.sends[1],
      reverb: ReverbNode(type: configuration.reverb ?? .largeHall),
      chorus: ChorusNode(type: configuration.chorus ?? .chorus3))
    instruments = try RackNode(
      RackConfiguration(
        sampler: SamplerConfiguration(soundFonts: configuration.soundFonts, gain: configuration.gain),
        assignments: configuration.instruments),
      sampleRate: configuration.sampleRate, effects: effects)
    engine = AudioEngine(sampleRate: configuration.sampleRate)
    try engine.edit { graph in
      try connect(sends, in: &graph)
      if configuration.reverb == nil { try graph.detach(effects.reverb) }
      if configuration.chorus == nil { try graph.detach(effects.chorus) }
    }
  }

  private func connect(_ sends: SendNode, in graph: inout Graph) throws(GraphError) {
    let returns = MixerNode(name: "returns", inputBusCount: 3)
    let nodes: [any AudioNode] = [instruments, mixer, sends, effects.reverb, effects.chorus, returns, equalizer]
    for node in nodes { try graph.attach(node) }
    for channel in 0..<SamplerNode.channelCount {
      try graph.connect(instruments, to: mixer, fromBus: channel, toBus: channel)
      try graph.connect(instruments, to: sends, fromBus: channel, toBus: channel)
    }
    try graph.connect(sends, to: effects.reverb, fromBus: 0)
    try graph.connect(sends, to: effects.chorus, fromBus: 1)
    try graph.connect(mixer, to: returns)
    try graph.connect(effects.reverb, to: returns, toBus: 1)
    try graph.connect(effects.chorus, to: returns, toBus: 2)
    try graph.connect(returns, to: equalizer)
    try graph.attach(output)
    guard let limiter else { return try graph.connect(equalizer, to: output) }
    try graph.attach(limiter)
    try graph.connect(equalizer, to: limiter)
    try graph.connect(limiter, to: output)
  }

  /// How many frames later than its event a sound leaves the chain. A file that is rendered begins without them.
  public var latency: Int { limiter == nil ? 0 : LimiterNode.latency }

  /// Plays a song from its start at the next quantum, in place of the present one, of which what rings in reverb and chorus
  /// dies away as it would have.
  ///
  /// - Returns: the song on the sample clock.
  @discardableResult
  public func play(_ song: Song) -> Timeline {
    let timeline = Timeline(song, sampleRate: engine.sampleRate)
    instruments.events.play(timeline)
    return timeline
  }
}

/// What a synthesizer is made from.
public struct SynthesizerConfiguration: Sendable {
  /// Paths of soundfonts, stacked: a preset is looked for in the last one first.
  public var soundFonts: [String]
  /// In hertz; the device's own, so that nothing is resampled.
  public var sampleRate: Double
  /// How many channels the device has.
  public var channelCount: Int
  /// Left out, the mix goes to the first channels.
  public var channelMap: ChannelMap?
  public var curve: EqualizerCurve
  /// What plays where; left empty, the sampler plays all channels.
  public var instruments: [InstrumentAssignment]
  /// Whether a limiter keeps true peaks below -1 dB; else what is beyond full scale is clipped by the device.
  public var isLimited: Bool
  /// Of the instruments, linear, 0 to 10. Twice FluidSynth's own: 31 songs then have -20 LUFS in the mean with each of
  /// three fonts (-18 to -20.5), and only the loudest, which would reach +3 dB, need the limiter.
  public var gain: Double
  /// The reverb until MIDI asks for another; nil for none.
  public var reverb: ReverbType?
  /// The chorus until MIDI asks for another; nil for none.
  public var chorus: ChorusType?

  public init(
    soundFonts: [String], sampleRate: Double = 48000, channelCount: Int = 2, channelMap: ChannelMap? = nil,
    curve: EqualizerCurve = .flat, instruments: [InstrumentAssignment] = [], isLimited: Bool = true,
    gain: Double = 0.4, reverb: ReverbType? = .largeHall, chorus: ChorusType? = .chorus3
  ) {
    self.soundFonts = soundFonts
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.channelMap = channelMap
    self.curve = curve
    self.instruments = instruments
    self.isLimited = isLimited
    self.gain = gain
    self.reverb = reverb
    self.chorus = chorus
  }
}
