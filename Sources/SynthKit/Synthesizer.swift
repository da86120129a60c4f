import AudioGraph
import SynthDSP
import SynthInstruments
import SynthMIDI
import SynthRealtime

/// The synthesizer's chain, wired: instruments → multichannel mixer → preset EQ → limiter → output with its channel
/// map; reverb, chorus and delay are fed by the mixer's sends, after the faders, and return before the EQ.
///
///     instruments ══16 stereo buses══► mixer ─┬► metronome ► mainMixer ──► equalizer ──► limiter ──► output
///                   inserts                   │                     inserts
///                                             ├► reverb ──►
///                                             ├► chorus ──►
///                                             └► delay ───►
///
/// The reverb can hear chorus and delay, too, and the delay the chorus, where songs say so.
///
/// Each port that a song has beyond the first adds 16 buses. Where nothing is inserted (`insert(_:into:at:file:)`,
/// `apply(_:)`) there is no node.
///
/// Nothing in it knows a device: `Session` plays it on an output, `render` into a file.
///
/// FluidSynth renders at up to 96 kHz. For an output of a higher rate everything before the output node runs at a half
/// of it, a quarter or an eighth, the first that FluidSynth takes, and the output node converts.
public final class Synthesizer: Sendable {
  /// Renders the graph; edits of it take effect while it plays.
  public let engine: AudioEngine
  /// The sampler, and the oscillator instruments of the channels that have them.
  public let instruments: RackNode
  /// Input bus n is MIDI channel n of all ports, counted from 0; output buses 1 to 3 are what goes to reverb, chorus
  /// and delay.
  ///
  /// What General MIDI 2 and GS have at first: every channel sends 40 of 127 to the reverb, none to chorus
  /// and delay.
  public let mixer: MixerNode
  /// Reverb, chorus and delay, and what each channel sends to them.
  public let effects: EffectControls
  /// Clicks on the beats of songs, once it is switched on. It comes after the channels' faders and what they send to
  /// the effects, and before the level of all.
  public let metronome: MetronomeNode
  /// Adds buses that lead into the main mix; in the chain while there are any.
  let busMixer: MixerNode
  /// Plays songs that are audio files. It joins the chain behind the metronome with the first of them.
  let songSound: SongSoundNode
  /// The mix, and what reverb, chorus and delay return; its output gain is the level of all.
  public let mainMixer: MixerNode
  /// What presets change.
  public let equalizer: EqualizerNode
  /// Nil where the configuration asks for none.
  public let limiter: LimiterNode?
  /// Has the channel map.
  public let output: OutputNode
  /// How many frames of the engine are one of the instruments'.
  let framesPerInstrumentFrame: Int
  /// What it was made from.
  let configuration: SynthesizerConfiguration
  /// Inputs that are heard with what is played.
  let microphones = CheckedMutex<[Microphone]>([])
  /// One thread connects ports at a time.
  let portTurn = CheckedMutex(())
  /// One thread changes inserts and buses at a time.
  let insertTurn = CheckedMutex(())
  let insertRack = CheckedMutex(InsertRack())
  let busRack = CheckedMutex(BusRack())

  /// Loads the soundfonts and wires the chain. [control thread]
  ///
  /// - Throws: `InstrumentError`, `ChannelMapError`, `GraphError`, or why an effect of the scene cannot be made.
  public init(_ configuration: SynthesizerConfiguration) throws {
    self.configuration = configuration
    framesPerInstrumentFrame = configuration.framesPerInstrumentFrame
    let instrumentRate = configuration.sampleRate / Double(framesPerInstrumentFrame)
    output = try OutputNode(channelCount: configuration.channelCount, channelMap: configuration.channelMap)
    mixer = MixerNode(
      aligning: RackNode.channelCount * configuration.instruments.portCount,
      sends: ["reverb": 40.0 / 127, "chorus": 0, "delay": 0],
      sampleRate: instrumentRate)
    busMixer = MixerNode(name: "bus mixer", aligning: 1, sampleRate: instrumentRate)
    mainMixer = MixerNode(name: "main mixer", inputBusCount: 1 + Effect.allCases.count, sampleRate: instrumentRate)
    let presets = configuration.presetControl?.presets ?? configuration.equalizerPresets
    equalizer = EqualizerNode(
      curve: configuration.curve,
      presets: (presets ?? EqualizerPresetLibrary.standard().presets().presets).map(\.nodePreset),
      headroom: configuration.isLimited ? .everySine : .everyInput)
    limiter = configuration.isLimited ? LimiterNode() : nil
    effects = EffectControls(
      reverbSends: mixer.inputs.map { $0.sends[0] }, chorusSends: mixer.inputs.map { $0.sends[1] },
      delaySends: mixer.inputs.map { $0.sends[2] },
      reverb: ReverbNode(type: configuration.reverb ?? .largeHall),
      chorus: ChorusNode(type: configuration.chorus ?? .chorus3),
      delay: TapDelayNode(name: "delay", type: configuration.delay ?? .delay1),
      delayType: configuration.delay ?? .delay1, returnPans: mainMixer.inputs.dropFirst().map(\.pan),
      presetControl: configuration.presetControl?.midiControl(of: equalizer))
    instruments = try RackNode(
      configuration.teamed, sampleRate: instrumentRate, effects: effects, engines: SamplerEngine.allCases)
    metronome = MetronomeNode(following: instruments.events)
    songSound = SongSoundNode(following: instruments.events)
    engine = AudioEngine(sampleRate: configuration.sampleRate)
    let isLeftOut = [configuration.reverb == nil, configuration.chorus == nil, configuration.delay == nil]
    try engine.edit { graph in
      try connect(in: &graph)
      for effect in Effect.allCases where isLeftOut[effect.rawValue] {
        mixer.sends[effect.rawValue].isEnabled.value = 0
        try graph.detach(node(of: effect))
      }
    }
    if let scene = configuration.scene { try apply(scene) }
  }

  private func connect(in graph: inout Graph) throws(GraphError) {
    let returns = Effect.allCases.map(node)
    for node in [instruments, mixer, metronome] + returns + [mainMixer, equalizer] as [any AudioNode] {
      try graph.attach(node)
    }
    for channel in 0..<mixer.inputBusCount {
      try graph.connect(instruments, to: mixer, fromBus: channel, toBus: channel)
    }
    try graph.connect(mixer, to: metronome)
    try graph.connect(metronome, to: mainMixer)
    for effect in Effect.allCases { try connect(effect, in: &graph) }
    try graph.connect(mainMixer, to: equalizer)
    try graph.attach(output)
    guard let limiter else { return try graph.connect(equalizer, to: output) }
    try graph.attach(limiter)
    try graph.connect(equalizer, to: limiter)
    try graph.connect(limiter, to: output)
  }

  /// How many frames later than its event a sound leaves the chain. A file that is rendered begins without them.
  public var latency: Int { engine.latency }

  /// What the instruments render at a time, in frames of the engine.
  var quantum: Int { renderQuantum * framesPerInstrumentFrame }

  /// Plays a song from its start at the next quantum, in place of the present one, of which what rings in reverb and
  /// chorus dies away as it would have.
  ///
  /// `load` it first where the configuration preloads only what is used, and the song is not among its songs: a channel
  /// whose preset is not loaded keeps the preset it has. The same for a song with more ports than there are: those that
  /// there are not play on the first one.
  ///
  /// - Returns: from its start to its last event, in frames of the engine, without `latency`.
  @discardableResult
  public func play(_ song: Song) -> Int64 {
    let timeline = Timeline(song, sampleRate: instruments.sampleRate)
    play(timeline)
    let (duration, overflows) = timeline.duration.multipliedReportingOverflow(by: Int64(framesPerInstrumentFrame))
    return overflows ? .max : duration
  }

  /// - Returns: the song's number.
  @discardableResult
  func play(
    _ timeline: Timeline, from start: Int64 = 0, to end: Int64? = nil, loop: TimelineLoop? = nil,
    notes: NoteLog? = nil
  ) -> Int {
    instruments.events.play(timeline, from: start, to: end, loop: loop, notes: notes)
  }
}

/// What a synthesizer is made from.
public struct SynthesizerConfiguration: Sendable {
  /// The sampler's soundfonts, what plays on which channels, the number of voices, and the level.
  public var instruments: RackConfiguration
  /// In hertz; the device's own, so that nothing is resampled up to 96 kHz.
  public var sampleRate: Double
  /// How many channels the device has.
  public var channelCount: Int
  /// Left out, the mix goes to the first channels.
  public var channelMap: ChannelMap?
  /// Of the equalizer; flat if not given.
  public var curve: EqualizerCurve
  /// What the equalizer's parameter "preset" chooses from, where MIDI does not; nil for all presets that
  /// `EqualizerPresetLibrary.standard()` has.
  public var equalizerPresets: [EqualizerPreset]?
  /// How MIDI chooses presets while it plays; nil where it does not.
  public var presetControl: EqualizerPresetControl?
  /// Whether a limiter keeps true peaks below -1 dB; else what is beyond full scale is clipped by the device.
  public var isLimited: Bool
  /// The reverb until MIDI asks for another; nil for none.
  public var reverb: ReverbType?
  /// The chorus until MIDI asks for another; nil for none.
  public var chorus: ChorusType?
  /// The delay until MIDI asks for another; nil for none.
  public var delay: DelayType? = .delay1
  /// What is inserted at first; nil for nothing.
  public var scene: Scene?
  /// Whether `render` has the instruments play ahead of mixer and effects, on a thread of their own, where neither a
  /// metronome clicks nor notes are recorded. The samples are the same, bit for bit; what `report` is told of voices is
  /// of up to 21 ms later, and what it changes in the instruments takes effect as much later.
  public var rendersAhead = false

  /// - Parameters:
  ///   - soundFonts: Paths, stacked: a preset is looked for in the last one first.
  ///   - gain: Of the instruments, 20 dB at most. At -8 dB, which is twice FluidSynth's own gain, 31 songs have
  ///     -20 LUFS in the mean with each of three fonts (-18 to -20.5), and only the loudest, which would reach +3 dB,
  ///     need the limiter.
  ///   - instruments: What plays where; left empty, the sampler plays all channels.
  ///   - soundFontPool: Keeps the samples where many synthesizers follow one another.
  public init(
    soundFonts: [String], preload: SamplerPreload = .all, sampleRate: Double = 48000, channelCount: Int = 2,
    channelMap: ChannelMap? = nil, curve: EqualizerCurve = .flat, presetControl: EqualizerPresetControl? = nil,
    instruments: [InstrumentAssignment] = [], isLimited: Bool = true,
    gain: Decibels = Decibels(amplitude: 0.4), reverb: ReverbType? = .largeHall, chorus: ChorusType? = .chorus3,
    soundFontPool: SoundFontPool? = nil
  ) {
    self.instruments = RackConfiguration(
      sampler: SamplerConfiguration(
        soundFonts: soundFonts, linearGain: gain.amplitude, preload: preload, pool: soundFontPool),
      assignments: instruments)
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.channelMap = channelMap
    self.curve = curve
    self.presetControl = presetControl
    self.isLimited = isLimited
    self.reverb = reverb
    self.chorus = chorus
  }

  /// The instruments with a team of threads that the graph's can help, if they are to play ahead of it.
  fileprivate var teamed: RackConfiguration {
    var teamed = instruments
    if rendersAhead {
      teamed.sampler.cores.team = try? WorkerTeam(teamed.sampler.cores.count, named: "voices", hasHelper: true)
    }
    return teamed
  }

  /// How many frames of the output are one of the instruments': the least power of two that FluidSynth can follow.
  var framesPerInstrumentFrame: Int {
    var count = 1
    while sampleRate / Double(count) > RackNode.sampleRates.upperBound, count < Self.mostFramesPerInstrumentFrame {
      count *= 2
    }
    return count
  }

  /// More than any rate of an engine takes.
  private static let mostFramesPerInstrumentFrame = 16
}
