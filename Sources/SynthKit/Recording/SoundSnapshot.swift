import AudioGraph
import SynthDSP
import SynthInstruments
import SynthMIDI

/// How a synthesizer sounds at a moment, for another one that is to sound so: its soundfonts and instruments, faders,
/// effects, equalizer and limiter. Notes and the metronome are not in it.
struct SoundSnapshot: Sendable {
  /// In stereo, at the rate of the instruments.
  private var configuration: SynthesizerConfiguration
  /// Of the nodes that have faders and settings.
  private let values: [[Float]]

  /// [control thread]
  init(of synthesizer: Synthesizer) {
    configuration = synthesizer.configuration
    configuration.sampleRate = synthesizer.instruments.sampleRate
    (configuration.channelCount, configuration.channelMap) = (2, nil)
    configuration.instruments = synthesizer.instruments.configuration
    configuration.curve = synthesizer.equalizer.curve
    configuration.scene = synthesizer.scene
    let (effects, sends) = (synthesizer.effects, synthesizer.mixer.sends)
    let (reverb, chorus) = (Int(effects.initialReverb.value), Int(effects.initialChorus.value))
    configuration.reverb = sends[0].isEnabled.value == 0 ? nil : ReverbType.allCases[reverb]
    configuration.chorus = sends[1].isEnabled.value == 0 ? nil : ChorusType(rawValue: UInt8(chorus))
    configuration.delay = sends[2].isEnabled.value == 0 ? nil : DelayType(rawValue: UInt8(effects.initialDelay.value))
    values = Self.nodes(of: synthesizer).map { $0.parameters.map(\.value) }
  }

  private static func nodes(of synthesizer: Synthesizer) -> [any AudioNode] {
    [synthesizer.mixer, synthesizer.mainMixer] + Synthesizer.Effect.allCases.map(synthesizer.node)
      + (synthesizer.limiter.map { [$0] } ?? [])
  }

  /// In hertz.
  var sampleRate: Double { configuration.sampleRate }

  /// A synthesizer that sounds so, with the presets that a song needs. [control thread]
  func synthesizer(for song: Song) throws -> Synthesizer {
    var configuration = configuration
    configuration.instruments.sampler.preload = .used([song])
    let synthesizer = try Synthesizer(configuration)
    for (node, values) in zip(Self.nodes(of: synthesizer), values) {
      for (parameter, value) in zip(node.parameters, values) { parameter.value = value }
    }
    // Else faders would move to their places in the first 20 ms.
    try synthesizer.engine.reset()
    return synthesizer
  }
}
