import CSynthFluidSynth
import SynthMIDI
import TestSupport
import Testing

@testable import SynthFluidSynth
@testable import SynthInstruments

@Suite("The sampler's tuning")
struct SamplerTuningTests {
  @Test("is FluidSynth's own to the last bit, of all keys of a kind of sound", arguments: [0, 16, 24, 48, 73, 81])
  func equality(program: UInt8) throws {
    // Up and down by less than half a semitone, which keeps FluidSynth at the same sample.
    let pitches = (0..<128).map { (key: Int) -> Double in
      max(Double(key * 16384 + key * 5557 % 16001 - 8000), 0) / 16384
    }
    let (ours, theirs) = (try PlayedSampler(TestFiles.soundFont), try PlayedSampler(TestFiles.soundFont))
    ours.play(tuningDump(pitches))
    theirs.tune(pitches.map { $0 * 100 })
    for sampler in [ours, theirs] { sampler.play(.programChange(channel: 0, program: program)) }
    var heard: Float = 0
    for key in stride(from: UInt8(1), through: 125, by: 4) {
      for sampler in [ours, theirs] { sampler.play(.noteOn(channel: 0, note: key, velocity7: 100)) }
      let (mine, other) = (ours.render(), theirs.render())
      let isEqual = mine == other
      #expect(isEqual, "key \(key)")
      heard = max(heard, mine.max() ?? 0)
    }
    #expect(heard > 0.01)
  }

  @Test("is FluidSynth's own where keys are half a semitone apart, to a thousandth of a cent")
  func scaleTuning() throws {
    let pitches = (0..<128).map { min(Double($0) + Double($0 % 5) / 8, 127) }
    try SineFont.withFile { font in
      let (ours, theirs) = (try PlayedSampler(font), try PlayedSampler(font))
      ours.play(tuningDump(pitches))
      theirs.tune(pitches.map { $0 * 100 })
      for key in [UInt8(40), 69, 93] {
        for sampler in [ours, theirs] {
          sampler.play(.programChange(channel: 0, program: 1))
          sampler.play(.noteOn(channel: 0, note: key, velocity7: 100))
        }
        let (mine, other) = (try #require(ours.pitch), try #require(theirs.pitch))
        print("key \(key), scale tuning 50: ours \(mine), FluidSynth's \(other) cents")
        #expect(abs(mine - other) < 0.001)
        _ = (ours.render(), theirs.render())
      }
    }
  }

  @Test("never lets FluidSynth select a tuning itself, which allocates")
  func selection() throws {
    let sampler = try PlayedSampler(TestFiles.soundFont)
    sampler.play(.registeredController(channel: 0, parameter: 3, value32: 5 << 25))
    for (controller, value) in [(101, 0), (100, 3), (6, 5), (38, 0), (96, 0)] as [(UInt8, UInt8)] {
      sampler.play(.controlChange(channel: 0, Controller(rawValue: controller), value7: value))
    }
    // An assignable parameter between the two halves of the number leaves the first as it is.
    for (controller, value) in [(101, 0), (100, 3), (99, 1), (98, 8), (100, 3), (6, 5)] as [(UInt8, UInt8)] {
      sampler.play(.controlChange(channel: 0, Controller(rawValue: controller), value7: value))
    }
    #expect(!sampler.hasTunings)
  }
}

extension PlayedSampler {
  /// Has FluidSynth tune keys itself, in cents.
  fileprivate func tune(_ pitches: [Double]) {
    fluid_synth_activate_key_tuning(synth.handle, 0, 0, "test", pitches, 1)
    fluid_synth_activate_tuning(synth.handle, 0, 0, 0, 1)
  }

  fileprivate var hasTunings: Bool {
    fluid_synth_tuning_iteration_start(synth.handle)
    var (bank, program): (Int32, Int32) = (0, 0)
    return fluid_synth_tuning_iteration_next(synth.handle, &bank, &program) != 0
  }

  /// Of the voice that began last, in cents.
  fileprivate var pitch: Float? {
    var voices = [OpaquePointer?](repeating: nil, count: 257)
    fluid_synth_get_voicelist(synth.handle, &voices, 257, -1)
    let newest = voices.prefix { $0 != nil }.compactMap(\.self).max { fluid_voice_get_id($0) < fluid_voice_get_id($1) }
    return newest.map { fluid_voice_gen_get($0, Int32(GEN_PITCH.rawValue)) }
  }

  /// A tenth of a second, left and right of channel 1.
  fileprivate func render() -> [Float] {
    var samples = [Float](repeating: 0, count: 2 * 4800)
    samples.withUnsafeMutableBufferPointer { buffer in
      var outputs = [UnsafeMutablePointer<Float>?](repeating: buffer.baseAddress, count: 32)
      outputs[1] = buffer.baseAddress.map { $0 + 4800 }
      fluid_synth_process(synth.handle, 4800, 0, nil, 32, &outputs)
    }
    return samples
  }
}
