import AudioGraph
import Glibc
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("The patches, at the synthesizer's own gain")
struct PatchLevelTests {
  private static let patches = InstrumentLibrary.standard().patches().patches
  private static let gain = SynthesizerConfiguration(soundFonts: []).instruments.sampler.linearGain

  @Test("are within 4 dB as loud as the middle of a soundfont's programs; the figures are printed")
  func loudness() throws {
    let programs: [UInt8] = [0, 4, 16, 24, 33, 48, 56, 61, 80, 81, 90]
    let levels = try programs.map { program in
      try loudness(of: .sampler, keys: program == 33 ? [31, 40, 48] : [48, 60, 72], program: program)
    }
    let middle = levels.sorted()[levels.count / 2]
    print("the soundfont: \(levels.map(tenths)), the middle \(tenths(middle)) LUFS")
    for patch in Self.patches {
      let level = try loudness(of: .patch(patch), keys: patch.name.contains("bass") ? [31, 40, 48] : [48, 60, 72])
      print("\(patch.name): \(tenths(level)) LUFS")
      #expect(abs(level - middle) < 4, "\(patch.name)")
    }
  }

  @Test("play eight notes at full velocity below the limiter's -1 dB", arguments: patches.map(\.name))
  func chord(_ name: String) throws {
    let patch = try #require(Self.patches.first { $0.name == name })
    let stage = try Stage(.patch(patch), gain: Self.gain)
    for key: UInt8 in [36, 48, 52, 55, 60, 64, 67, 72] { stage.play(.noteOn(channel: 0, note: key, velocity7: 127)) }
    let peak = try stage.render(24000).joined().map(abs).max() ?? 0
    print("\(name): a chord's peak \(tenths(20 * log10(Double(peak)))) dBFS")
    #expect(peak < 0.891)
  }

  /// Of notes half a second long, one after the other, in LUFS without gating. Source: ITU-R BS.1770-4.
  private func loudness(
    of instrument: some Instrument, keys: [UInt8], program: UInt8 = 0
  ) throws -> Double {
    let stage = try Stage(instrument, gain: Self.gain)
    stage.play(.programChange(channel: 0, program: program))
    var channels: [[Float]] = [[], []]
    for key in keys {
      stage.play(.noteOn(channel: 0, note: key, velocity7: 90))
      for (channel, samples) in try stage.render(24000).enumerated() { channels[channel] += samples }
      stage.play(.noteOff(channel: 0, note: key))
    }
    return -0.691 + 10 * log10(channels.map(weightedPower).reduce(0, +))
  }

  /// The mean square after the two filters of the standard, at 48 kHz.
  private func weightedPower(_ samples: [Float]) -> Double {
    var shelf = (x1: 0.0, x2: 0.0, y1: 0.0, y2: 0.0)
    var pass = shelf
    var sum = 0.0
    for sample in samples {
      let x = Double(sample)
      let y =
        1.535_124_859_586_97 * x - 2.691_696_189_406_38 * shelf.x1 + 1.198_392_810_852_85 * shelf.x2
        + 1.690_659_293_182_41 * shelf.y1 - 0.732_480_774_215_85 * shelf.y2
      shelf = (x, shelf.x1, y, shelf.y1)
      let z =
        y - 2 * pass.x1 + pass.x2 + 1.990_047_454_833_98 * pass.y1 - 0.990_072_250_366_21 * pass.y2
      pass = (y, pass.x1, z, pass.y1)
      sum += z * z
    }
    return sum / Double(samples.count)
  }

  private func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}

/// Channel 1 of a rack, played by hand.
private final class Stage {
  private let rack: RackNode
  private let engine = AudioEngine(sampleRate: 48000)

  init(_ instrument: some Instrument, gain: Double) throws {
    rack = try RackNode(
      RackConfiguration(
        sampler: SamplerConfiguration(soundFonts: [TestFiles.soundFont], linearGain: gain),
        assignments: [InstrumentAssignment(instrument, channel: 0)]),
      sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { [rack] graph in
      try graph.attach(rack)
      try graph.attach(output)
      try graph.connect(rack, to: output)
    }
  }

  /// At the next quantum.
  func play(_ message: MIDIMessage) { _ = rack.events.send(MIDIEvent(time: 0, message: message)) }

  /// Left and right.
  func render(_ frameCount: Int) throws -> [[Float]] {
    let buffer = SampleBuffer(channelCount: 2, frameCapacity: frameCount)
    try engine.render(buffer.slice(frameCount: frameCount))
    return [Array(buffer.channel(0, frameCount: frameCount)), Array(buffer.channel(1, frameCount: frameCount))]
  }
}
