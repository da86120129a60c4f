import AudioGraph
import DSP
import Instruments
import MIDI

/// The synthesizer's chain, wired: sampler → multichannel mixer → preset EQ → limiter → output with its channel
/// map.
///
///     sampler ══16 stereo buses══► mixer ──► equalizer ──► limiter ──► output
///
/// Nothing in it knows a device: it is rendered by whoever pulls `engine`.
public final class Synthesizer: Sendable {
  public let engine: AudioEngine
  public let sampler: SamplerNode
  /// Input bus n is MIDI channel n, counted from 0.
  public let mixer = MixerNode(inputBusCount: SamplerNode.channelCount)
  public let equalizer: EqualizerNode
  /// Nil where the configuration asks for none.
  public let limiter: LimiterNode?
  public let output: OutputNode

  /// Loads the soundfonts and wires the chain. [control thread]
  ///
  /// - Throws: `SamplerError`, `ChannelMapError` or `GraphError`.
  public init(_ configuration: SynthesizerConfiguration) throws {
    output = try OutputNode(channelCount: configuration.channelCount, channelMap: configuration.channelMap)
    equalizer = EqualizerNode(curve: configuration.curve)
    sampler = try SamplerNode(
      SamplerConfiguration(soundFonts: configuration.soundFonts), sampleRate: configuration.sampleRate)
    engine = AudioEngine(sampleRate: configuration.sampleRate)
    limiter = configuration.isLimited ? LimiterNode() : nil
    try engine.edit { [sampler, mixer, equalizer, limiter, output] graph in
      for node in [sampler, mixer, equalizer, output] as [any AudioNode] { try graph.attach(node) }
      for channel in 0..<SamplerNode.channelCount {
        try graph.connect(sampler, to: mixer, fromBus: channel, toBus: channel)
      }
      try graph.connect(mixer, to: equalizer)
      if let limiter {
        try graph.attach(limiter)
        try graph.connect(equalizer, to: limiter)
        try graph.connect(limiter, to: output)
      } else {
        try graph.connect(equalizer, to: output)
      }
    }
  }

  /// How many frames later than its event a sound leaves the chain. A file that is rendered begins without them.
  public var latency: Int { limiter == nil ? 0 : LimiterNode.latency }

  /// Plays a song from its start at the next quantum, in place of the present one.
  ///
  /// - Returns: the song on the sample clock.
  @discardableResult
  public func play(_ song: Song) -> Timeline {
    let timeline = Timeline(song, sampleRate: engine.sampleRate)
    sampler.events.play(timeline)
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
  /// Whether a limiter keeps true peaks below -1 dB; else what is beyond full scale is clipped by the device.
  public var isLimited: Bool

  public init(
    soundFonts: [String], sampleRate: Double = 48000, channelCount: Int = 2, channelMap: ChannelMap? = nil,
    curve: EqualizerCurve = .flat, isLimited: Bool = true
  ) {
    self.soundFonts = soundFonts
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.channelMap = channelMap
    self.curve = curve
    self.isLimited = isLimited
  }
}
