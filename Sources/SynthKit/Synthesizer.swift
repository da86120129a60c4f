import AudioGraph
import DSP
import Instruments
import MIDI

/// The synthesizer's chain, wired: instruments → multichannel mixer → preset EQ → output with its channel map.
///
///     instruments ══16 stereo buses══► mixer ──► equalizer ──► output
///
/// Nothing in it knows a device: it is rendered by whoever pulls `engine`.
public final class Synthesizer: Sendable {
  public let engine: AudioEngine
  /// The sampler, and the oscillator instruments of the channels that have them.
  public let instruments: RackNode
  /// Input bus n is MIDI channel n, counted from 0.
  public let mixer = MixerNode(inputBusCount: SamplerNode.channelCount)
  public let equalizer: EqualizerNode
  public let output: OutputNode

  /// Loads the soundfonts and wires the chain. [control thread]
  ///
  /// - Throws: `SamplerError`, `ChannelMapError` or `GraphError`.
  public init(_ configuration: SynthesizerConfiguration) throws {
    output = try OutputNode(channelCount: configuration.channelCount, channelMap: configuration.channelMap)
    equalizer = EqualizerNode(curve: configuration.curve)
    instruments = try RackNode(
      RackConfiguration(
        sampler: SamplerConfiguration(soundFonts: configuration.soundFonts), assignments: configuration.instruments),
      sampleRate: configuration.sampleRate)
    engine = AudioEngine(sampleRate: configuration.sampleRate)
    try engine.edit { [instruments, mixer, equalizer, output] graph in
      for node in [instruments, mixer, equalizer, output] as [any AudioNode] { try graph.attach(node) }
      for channel in 0..<SamplerNode.channelCount {
        try graph.connect(instruments, to: mixer, fromBus: channel, toBus: channel)
      }
      try graph.connect(mixer, to: equalizer)
      try graph.connect(equalizer, to: output)
    }
  }

  /// Plays a song from its start at the next quantum, in place of the present one.
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

  public init(
    soundFonts: [String], sampleRate: Double = 48000, channelCount: Int = 2, channelMap: ChannelMap? = nil,
    curve: EqualizerCurve = .flat, instruments: [InstrumentAssignment] = []
  ) {
    self.soundFonts = soundFonts
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.channelMap = channelMap
    self.curve = curve
    self.instruments = instruments
  }
}
