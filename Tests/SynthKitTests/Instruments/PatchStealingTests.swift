import AudioGraph
import Glibc
import SynthInstruments
import SynthMIDI
import Testing

@testable import SynthKit

/// A step is what the gain jumps by from one sample to the next, times the height of the sound: what is heard of it
/// beside the waveform's own way.
@Suite("When a voice of a patch yields to another, at full velocity and volume, there is no step above -60 dBFS")
struct PatchStealingTests {
  private static let patches = InstrumentLibrary.standard().patches().patches
  private static let start = 6400

  @Test("in its tail, held or let go at that moment", arguments: patches.map(\.name))
  func tail(_ name: String) throws {
    var patch = try patch(name)
    // At its height after a tenth of a second.
    patch.amplitude.attack = min(patch.amplitude.attack, 0.05)
    for release in [nil, 0.0] {
      if let release {
        patch.amplitude.release = release
        // The filter closes when the key is let go; that is no matter of the gain.
        patch.filter?.amount = 0
      }
      let alone = try play(patch, isStealing: false, victim: 0)
      let stolen = try play(patch, isStealing: true, victim: 0, isReleased: release != nil)
      let step = step(stolen[Self.start...], alone[Self.start...]) { _ in 1 }
      print("\(name), tail\(release == nil ? "" : ", let go with release 0"): \(tenths(step)) dBFS")
      #expect(step < -60)
      #expect(stolen[(Self.start + 1024)...].allSatisfy { $0 == 0 }, "it is gone after 21 ms")
    }
  }

  @Test("in the newcomer's head, also with attack 0", arguments: patches.map(\.name))
  func head(_ name: String) throws {
    var patch = try patch(name)
    patch.amplitude.attack = 0
    let stealing = try play(patch, isStealing: true, victim: 1)
    let alone = try play(patch, isStealing: false, victim: 1)
    // Alone, the shortest attack is a straight line over a quantum.
    let step = step(stealing[Self.start...], alone[Self.start...]) { min(Double($0 + 1) / 64, 1) }
    print("\(name), head with attack 0: \(tenths(step)) dBFS")
    #expect(step < -60)
    #expect(stealing[(Self.start + 1024)...].contains { abs($0) > 1e-3 })
  }

  /// The highest step of the gain that `played` has and `reference` has not, whose own is `gain`.
  private func step(_ played: ArraySlice<Float>, _ reference: ArraySlice<Float>, _ gain: (Int) -> Double) -> Double {
    let height =
      zip(reference.indices, reference)
      .map { abs(Double($1)) / gain($0 - Self.start) }.max() ?? 0
    var highest = 0.0
    var last: (index: Int, gain: Double)?
    for (index, sample) in zip(reference.indices, reference) {
      let own = gain(index - Self.start)
      // Where the wave is near 0 its gain cannot be told.
      guard abs(Double(sample)) / own > 0.05 * height else { continue }
      let present = Double(played[index]) / Double(sample) * own
      if let last, last.index == index - 1 { highest = max(highest, abs(present - last.gain)) }
      last = (index, present)
    }
    return 20 * log10(highest * height)
  }

  /// Channel 1 while a note of one channel yields, or need not yield, to one of the other.
  private func play(
    _ patch: Patch, isStealing: Bool, victim: UInt8, isReleased: Bool = false
  ) throws -> [Float] {
    let rack = try RackNode(
      RackConfiguration(
        sampler: SamplerConfiguration(
          soundFonts: [], linearGain: SynthesizerConfiguration(soundFonts: []).instruments.sampler.linearGain),
        assignments: [InstrumentAssignment(.patch(patch))],
        polyphony: isStealing ? patch.unison.voices : 64),
      sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      try graph.attach(rack)
      try graph.attach(output)
      try graph.connect(rack, to: output)
    }
    let key: UInt8 = patch.name.contains("bass") ? 36 : 60
    let time = Int64(Self.start)
    _ = rack.events.send(MIDIEvent(time: 0, message: .controlChange(channel: 0, .volume, value7: 127)))
    _ = rack.events.send(MIDIEvent(time: 0, message: .noteOn(channel: victim, note: key, velocity7: 127)))
    if isReleased { _ = rack.events.send(MIDIEvent(time: time, message: .noteOff(channel: victim, note: key))) }
    _ = rack.events.send(MIDIEvent(time: time, message: .noteOn(channel: 1 - victim, note: key + 7, velocity7: 127)))
    let frameCount = Self.start + 1600
    let buffer = SampleBuffer(channelCount: 2, frameCapacity: frameCount)
    try engine.render(buffer.slice(frameCount: frameCount))
    return Array(buffer.channel(0, frameCount: frameCount))
  }

  private func patch(_ name: String) throws -> Patch { try #require(Self.patches.first { $0.name == name }) }

  private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
