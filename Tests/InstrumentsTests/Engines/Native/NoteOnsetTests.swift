import Glibc
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@Suite("The beginning of a note")
struct NoteOnsetTests {
  private static let on = MIDIMessage.noteOn(channel: 0, note: 60, velocity7: 127)
  /// 1 ms of a constant at 48 kHz.
  private static let tick = SoundFontBytes.Sample([Int16](repeating: 20000, count: 48))

  private static func rack(_ font: SoundFontBytes) throws -> PlayedRack {
    try font.withFile { path in
      var sampler = SamplerConfiguration(soundFonts: [path], polyphony: 64, linearGain: 1)
      sampler.engine = .native
      return try PlayedRack(RackConfiguration(sampler: sampler))
    }
  }

  /// The frames from a note's beginning on, `offset` frames after the start of a quantum.
  private static func note(_ font: SoundFontBytes, at offset: Int) throws -> [Float] {
    let rack = try rack(font)
    rack.play(on, after: Int64(640 + offset))
    return Array(rack.render(640 + 2048)[(640 + offset)...].prefix(1920))
  }

  /// Where a sound has first half of its peak, between frames.
  private static func onset(_ samples: [Float]) throws -> Double {
    let half = try #require(samples.max()) / 2
    let index = try #require(samples.firstIndex { $0 >= half })
    let before = index > 0 ? samples[index - 1] : 0
    return Double(index) - Double((samples[index] - half) / (samples[index] - before))
  }

  @Test("lies within half a frame, and its peak within 0.05 dB, wherever in a quantum it begins")
  func grid() throws {
    let step = SoundFontBytes(Self.tick, [.init([.sampleModes: 1], playing: 0)])
    for font in [SoundFontBytes(Self.tick, [.init(playing: 0)]), step] {
      let reference = try Self.note(font, at: 0)
      let (onset, peak) = (try Self.onset(reference), try #require(reference.max()))
      for offset in 1..<64 {
        let samples = try Self.note(font, at: offset)
        #expect(abs(try Self.onset(samples) - onset) < 0.5, "\(offset)")
        #expect(abs(20 * log10((samples.max() ?? 0) / peak)) < 0.05, "\(offset)")
      }
    }
  }

  /// The difference to a note on the grid, as a share of that, in decibels.
  private static func difference(_ font: SoundFontBytes, at offset: Int, _ frames: Range<Int>) throws -> Double {
    let (reference, samples) = (try note(font, at: 0)[frames], try note(font, at: offset)[frames])
    return 20 * log10(rms(zip(reference, samples).map(-)) / rms(reference))
  }

  @Test(
    "sounds the same wherever in a quantum it begins, with any envelope",
    arguments: [
      ("attack of four quanta", [.attackVolEnv: -9000], -60),
      ("hold and decay", [.holdVolEnv: -9000, .decayVolEnv: -6000, .sustainVolEnv: 400], -40),
      ("delay", [.delayVolEnv: -9000], -60),
      ("envelope to pitch", [.modEnvToPitch: 1200, .decayModEnv: -2000, .sustainModEnv: 1000], -28),
      (
        "envelope to filter",
        [.initialFilterFc: 6000, .modEnvToFilterFc: 6000, .decayModEnv: -2000, .sustainModEnv: 1000], -60
      ),
      (
        "envelope to filter after a delay",
        [
          .initialFilterFc: 6000, .modEnvToFilterFc: 6000, .delayVolEnv: -9000, .delayModEnv: -9000,
          .decayModEnv: -2000, .sustainModEnv: 1000,
        ], -60
      ),
      ("vibrato", [.freqVibLFO: 0, .vibLfoToPitch: 100], -35),
    ] as [(String, KeyValuePairs<SoundFontBytes.Generator, Int>, Double)])
  func envelopes(_ name: String, _ generators: KeyValuePairs<SoundFontBytes.Generator, Int>, limit: Double) throws {
    var zone = SoundFontBytes.Zone(generators, playing: 0)
    zone.generators.append((.sampleModes, 1))
    let font = SoundFontBytes(.saw, [zone])
    let differences = try [1, 17, 32, 47, 63].map { try Self.difference(font, at: $0, 0..<768) }
    let largest = try #require(differences.max())
    print("\(name): \(tenth(largest)) dB")
    #expect(largest < limit, "\(differences)")
  }

  @Test("is the first one after a load as it is later", arguments: SamplerEngine.allCases)
  func first(_ engine: SamplerEngine) throws {
    try SoundFontBytes(Self.tick, [.init(playing: 0)]).withFile { path in
      var sampler = SamplerConfiguration(soundFonts: [path], polyphony: 64, linearGain: 1)
      sampler.engine = engine
      let rack = try PlayedRack(RackConfiguration(sampler: sampler))
      func peak() -> Float {
        rack.play(Self.on, .noteOff(channel: 0, note: 60))
        return rack.render(6400).max() ?? 0
      }
      let peaks = (0..<3).map { _ in peak() }
      #expect(peaks[0] > 0.2 && peaks == [peaks[0], peaks[0], peaks[0]])
      try rack.rack.exchange(rack.rack.configuration)
      #expect(peak() == peaks[0])
    }
  }

  @Test("is at its own place in the stereo image, whatever sounded before")
  func place() throws {
    let rack = try Self.rack(
      SoundFontBytes(
        Self.tick,
        [
          .init(keys: 0...59, [.pan: -500, .scaleTuning: 0], playing: 0),
          .init(keys: 60...127, [.pan: 500, .scaleTuning: 0], playing: 0),
        ]))
    func tick(_ key: UInt8) -> (left: [Float], right: [Float]) {
      rack.play(.noteOn(channel: 0, note: key, velocity7: 127), .noteOff(channel: 0, note: key))
      return rack.renderStereo(6400)
    }
    for _ in 0..<2 {
      let (left, right) = (tick(48), tick(60))
      #expect(left.left == right.right && rms(left.left) > 0.001)
      #expect(rms(left.right) == 0 && rms(right.left) == 0)
    }
  }

  @Test("does not follow its end during the delay")
  func delayed() throws {
    let rack = try Self.rack(SoundFontBytes(Self.tick, [.init([.sampleModes: 1, .delayVolEnv: -6000], playing: 0)]))
    rack.play(Self.on)
    _ = rack.render(320)
    rack.play(.controlChange(channel: 0, .allSoundOff, value7: 0))
    #expect(rms(rack.render(4800)) == 0)
    #expect(rack.rack.activeVoiceCount == 0)
  }
}
