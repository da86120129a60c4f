import AudioGraph
import SynthDSP

/// What an input captures, heard at once: through a fader, the preset equalizer and the limiter to an output.
///
///     let output = try DeviceOutput("hw:0")
///     let through = try PassThrough(InputNode(DeviceInput("hw:1"), channelCount: 2), to: output)
///     try through.engine.start()
public final class PassThrough: Sendable {
  /// Renders the graph; start and stop it.
  public let engine: AudioEngine
  /// What is heard.
  public let input: InputNode
  /// Its output gain is the level of all.
  public let mixer = MixerNode(inputBusCount: 1)
  /// Flat at first.
  public let equalizer: EqualizerNode
  /// Nil where it is left out: the sound then comes 64 frames sooner, and may clip.
  public let limiter: LimiterNode?

  /// Wires the chain. [control thread]
  ///
  /// - Parameters:
  ///   - input: of one or two channels; more are mixed down to two.
  ///   - gain: at first.
  /// - Throws: `ChannelMapError` or `GraphError`.
  public init(
    _ input: InputNode, to output: any OutputUnit, curve: EqualizerCurve = .flat, gain: Decibels = Decibels(0),
    isLimited: Bool = true
  ) throws {
    self.input = input
    engine = AudioEngine(output: output)
    equalizer = EqualizerNode(curve: curve, headroom: isLimited ? .everySine : .everyInput)
    limiter = isLimited ? LimiterNode() : nil
    mixer.outputGain.value = Float(gain.value)
    let end = try OutputNode(channelCount: output.channelCount)
    try engine.edit { [mixer, equalizer, limiter] graph in
      for node in [input, mixer, equalizer, end] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(input, to: mixer)
      try graph.connect(mixer, to: equalizer)
      guard let limiter else { return try graph.connect(equalizer, to: end) }
      try graph.attach(limiter)
      try graph.connect(equalizer, to: limiter)
      try graph.connect(limiter, to: end)
    }
  }

  /// From the capture of a frame to its sound, in seconds: what the input, the effects and the output hold it back; nil
  /// until it plays. Of devices it is measured, for which it may wait for some milliseconds. [control thread]
  public var latency: Double? {
    guard let output = engine.outputUnit else { return nil }
    let effects = Double(engine.latency) / output.sampleRate
    if let device = output as? DeviceOutput { return DuplexLatency(from: input, to: device).map { $0.total + effects } }
    let delay = input.statistics.delay
    guard delay > 0 else { return nil }
    let present = output.latency
    let queued = Double(present.buffer - present.period + present.alignment) / output.sampleRate
    return delay / input.format.sampleRate + effects + queued
  }
}
