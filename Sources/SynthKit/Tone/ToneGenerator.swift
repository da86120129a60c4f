import AudioGraph
import SynthDSP

/// A test tone on an output, whose waveform, frequency and level change while it sounds; for programs and user
/// interfaces. Every change is ramped or faded. [control thread]
///
///     let tone = try ToneGenerator(DeviceOutput(), waveform: .sawtooth)
///     let observation = tone.observe { state in … }
///     try tone.start()
///     tone.frequency = 220
public final class ToneGenerator: Sendable {
  /// What a user interface shows.
  public struct State: Sendable, Hashable {
    /// What is generated.
    public let waveform: Waveform
    /// In hertz.
    public let frequency: Double
    /// 0 dB is full scale.
    public let level: Decibels
    /// Whether it is to be heard.
    public let isSounding: Bool
  }

  /// Renders the graph; start it to hear the tone.
  public let engine: AudioEngine
  /// What sounds.
  public let generator: SignalGeneratorNode
  /// Starts and stops the tone, and has its meters.
  public let mixer = MixerNode(inputBusCount: 1)

  /// Silent, until `start`.
  ///
  /// - Parameter frequency: in hertz.
  /// - Throws: `GraphError` or `EngineError`.
  public init(
    _ output: any OutputUnit, waveform: Waveform = .sine, frequency: Double = 440, level: Decibels = -12
  ) throws {
    engine = AudioEngine(output: output)
    // Stereo, because a mixer takes 3 dB of a mono input in the centre.
    generator = SignalGeneratorNode(
      waveform: waveform, frequency: Float(frequency), level: Float(level.value), channelCount: 2)
    mixer.inputs[0].isMuted.value = 1
    let device = try OutputNode(channelCount: output.channelCount)
    try engine.edit { [generator, mixer] graph in
      for node in [generator, mixer, device] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(generator, to: mixer)
      try graph.connect(mixer, to: device)
    }
  }

  /// The first use of one makes its tables, in some 40 ms.
  public var waveform: Waveform {
    get { generator.waveform }
    set { generator.waveform = newValue }
  }

  /// In hertz, 0 to 192000; beyond half the sample rate it is played at half the rate.
  public var frequency: Double {
    get { Double(generator.frequency.value) }
    set { generator.frequency.value = Float(newValue) }
  }

  /// -120 dB (which is silence) to 24 dB.
  public var level: Decibels {
    get { Decibels(Double(generator.level.value)) }
    set { generator.level.value = Float(newValue.value) }
  }

  /// Whether it is to be heard.
  public var isSounding: Bool { engine.isRunning && mixer.inputs[0].isMuted.value == 0 }

  /// [any thread]
  public var state: State {
    State(waveform: waveform, frequency: frequency, level: level, isSounding: isSounding)
  }

  /// Calls `tell` with the new state after each change, from any source. [any thread]
  ///
  /// - Returns: the observation, which ends when it is released. See `ValueObservation` for thread and rate.
  public func observe(_ tell: @escaping @Sendable (State) -> Void) -> ValueObservation {
    ValueObservation(of: { [weak self] in self?.state }, tell: { if let state = $0 { tell(state) } })
  }

  /// Lets it sound; the output is started if it does not run.
  ///
  /// - Throws: what the output has against it.
  public func start() throws {
    if !engine.isRunning { try engine.start() }
    mixer.inputs[0].isMuted.value = 0
  }

  /// Fades it out, in 20 ms. The output runs on.
  public func stop() { mixer.inputs[0].isMuted.value = 1 }

  /// Stops the output. What still sounds is cut off.
  public func end() throws {
    if engine.state != .stopped { try engine.stop() }
  }
}
