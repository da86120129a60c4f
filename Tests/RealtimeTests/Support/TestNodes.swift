import AudioGraph
import DSP
import Instruments
import MIDI
import Realtime
import TestSupport

/// Every kind of node there is, made ready to be rendered.
enum TestNodes {
  struct Kind: Sendable, CustomStringConvertible {
    let description: String
    let make: @Sendable () throws -> any AudioNode
  }

  /// One line per class that is an `AudioNode`; a test compares this list with the sources.
  static let kinds = [
    Kind(description: "SourceNode") { source() },
    Kind(description: "SamplerNode") { try soundingSampler() },
    Kind(description: "MixerNode") { MixerNode(inputBusCount: 8) },
    Kind(description: "EqualizerNode") { EqualizerNode(curve: try curve()) },
    Kind(description: "ReverbNode") { ReverbNode() },
    Kind(description: "ChorusNode") { ChorusNode() },
    Kind(description: "SendNode") {
      SendNode(after: MixerNode(inputBusCount: 8).inputs, effects: ["one": 0.5, "two": 0])
    },
    Kind(description: "LimiterNode") { LimiterNode(ceiling: -20) },
    Kind(description: "OutputNode") { try OutputNode(channelCount: 2) },
  ]

  /// A constant 0.25 in every channel.
  static func source(_ format: AudioFormat = .stereo(48000)) -> SourceNode {
    SourceNode(format: format, context: RealtimeProbe.unused) { _, request in
      let request = request.assumingMemoryBound(to: RenderRequest.self).pointee
      for channel in 0..<request.buffers.channelCount {
        request.buffers[channel].update(repeating: 0.25, count: request.frameCount)
      }
    }
  }

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

  private static func soundingSampler() throws -> SamplerNode {
    let sampler = try sampler()
    _ = sampler.events.send(MIDIEvent(time: 0, message: .noteOn(channel: 0, note: 60, velocity7: 100)))
    return sampler
  }
}
