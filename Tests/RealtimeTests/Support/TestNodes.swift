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
    Kind(description: "RackNode") { try soundingRack() },
    Kind(description: "MixerNode") { MixerNode(inputBusCount: 8) },
    Kind(description: "EqualizerNode") { EqualizerNode(curve: try curve()) },
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
      SamplerConfiguration(soundFonts: [TestFiles.soundFont], polyphony: polyphony), sampleRate: 48000)
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
        ], polyphony: 12), sampleRate: 48000)
    let notes: [MIDIMessage] = (40..<52).flatMap {
      [.noteOn(channel: 0, note: $0, velocity7: 100), .noteOn(channel: 1, note: $0, velocity7: 100)]
    }
    let pedals: [MIDIMessage] = [
      .controlChange(channel: 1, .sustain, value7: 127), .controlChange(channel: 1, .sostenuto, value7: 127),
      .registeredController(channel: 0, parameter: 6, value32: 15 << 25),
      .controlChange(channel: 1, .resetAllControllers, value7: 0),
    ]
    for message in notes + pedals + notes { _ = rack.events.send(MIDIEvent(time: 0, message: message)) }
    return rack
  }

  private static func soundingSampler() throws -> SamplerNode {
    let sampler = try sampler()
    _ = sampler.events.send(MIDIEvent(time: 0, message: .noteOn(channel: 0, note: 60, velocity7: 100)))
    return sampler
  }
}
