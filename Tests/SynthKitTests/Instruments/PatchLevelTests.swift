import AudioGraph
import Glibc
import Instruments
import MIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("The patches")
struct PatchLevelTests {
  @Test("are as loud as each other, and as a soundfont's piano, within 3 dB; the figures are printed")
  func levels() throws {
    let piano = try level(of: .sampler, key: 60)
    print("piano: loudest 100 ms \(tenths(piano.rms)) dBFS, peak \(tenths(piano.peak)) dBFS")
    for patch in InstrumentLibrary.standard().patches().patches {
      let key: UInt8 = patch.name.contains("bass") ? 36 : 60
      let (rms, peak) = try level(of: .patch(patch), key: key)
      print("\(patch.name): loudest 100 ms \(tenths(rms)) dBFS, peak \(tenths(peak)) dBFS")
      #expect(abs(rms - piano.rms) < 3, "\(patch.name)")
      #expect(peak < -6, "\(patch.name)")
    }
  }

  /// Of one note at velocity 100, held for a second, in dB of full scale.
  private func level(of instrument: InstrumentAssignment.Instrument, key: UInt8) throws -> (rms: Double, peak: Double) {
    let rack = try RackNode(
      RackConfiguration(
        sampler: SamplerConfiguration(soundFonts: [TestFiles.soundFont]),
        assignments: [InstrumentAssignment(instrument, channel: 0)]),
      sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      try graph.attach(rack)
      try graph.attach(output)
      try graph.connect(rack, to: output)
    }
    let message = MIDIMessage.noteOn(channel: 0, note: key, velocity7: 100)
    _ = rack.events.send(MIDIEvent(time: 0, message: message))
    let buffer = SampleBuffer(channelCount: 2, frameCapacity: 4800)
    var (loudest, peak) = (0.0, Float(0))
    for _ in 0..<10 {
      try engine.render(buffer.slice(frameCount: 4800))
      let samples = buffer.channel(0, frameCount: 4800)
      loudest = max(loudest, samples.reduce(0.0) { $0 + Double($1) * Double($1) } / 4800)
      peak = max(peak, samples.reduce(0) { max($0, abs($1)) })
    }
    return (10 * log10(loudest), 20 * log10(Double(peak)))
  }

  private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
