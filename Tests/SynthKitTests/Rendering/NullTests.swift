import FoundationEssentials
import SynthMIDI
import TestSupport
import Testing

/// The reference is libfluidsynth 2 driven without anything of the library: `FluidSynthAlone` fed by `PlainMIDIFile`.
///
/// Through the chain go sampler, mixer at unity, flat equalizer and output; limiter, reverb and chorus are off.
/// Wherever one channel sounds alone, and wherever the channels are added up in the mixer's order, every bit is the
/// same. FluidSynth's own mix of all channels is rounded once and ours up to 32 times, each time by half a bit of a
/// sample below full scale: 2⁻²⁰ at most, -120 dB.
@Suite("Against libfluidsynth itself")
struct NullTests {
  private static let rounding: Float = 0x1p-20

  private func expectSame(_ name: String, _ comparison: FluidSynthComparison, within limit: Float = 0) {
    #expect(comparison.peak > 0.01 && comparison.peak < 1, "\(name)")
    #expect(comparison.apart <= limit, "\(name)")
    #expect(comparison.mixed <= limit + Self.rounding, "\(name)")
    print(
      "\(name): \(comparison.frameCount) frames; difference \(FluidSynthComparison.decibels(comparison.apart)) channel by "
        + "channel, \(FluidSynthComparison.decibels(comparison.mixed)) from FluidSynth's own mix")
  }

  @Test(
    "a chromatic scale over all keys, at three velocities, on one channel, is the same bit for bit",
    arguments: [(0, 0), (0, 48), (9, 0)] as [(UInt8, UInt8)])
  func scale(channel: UInt8, program: UInt8) throws {
    var events: [UInt8] = [0, 0xC0 | channel, program]
    for velocity in [1, 64, 127] as [UInt8] {
      for key in 0..<128 as Range<UInt8> {
        events += [0, 0x90 | channel, key, velocity] + vlq(13) + [0x80 | channel, key, 64]
      }
    }
    let comparison = try FluidSynthComparison(smf(format: 0, tracks: [events + end()]))
    expectSame("scale, channel \(channel + 1), program \(program)", comparison)
    #expect(comparison.mixed == 0)
  }

  @Test("a sweep of every controller, bends, pressures, parameters, programs and banks")
  func controllers() throws {
    // Tunings and assignable parameters are the performance's, and reach FluidSynth's voices at other moments.
    expectSame("controllers", try FluidSynthComparison(ControllerSweep().file), within: 0.01)
  }

  @Test("messages of every kind at random, on all channels", arguments: [1, 2] as [UInt64])
  func random(seed: UInt64) throws {
    let comparison = try FluidSynthComparison(ControllerSweep.random(seed: seed), sampleRate: 44100)
    expectSame("random \(seed)", comparison, within: 1e-5)
  }

  // A debug build renders hardly faster than it plays.
  #if DEBUG
    private static let seconds = 4
  #else
    private static let seconds = 3600
  #endif

  @Test(
    "ten songs, all of each in a release build, the first seconds in a debug build",
    arguments: [
      "5432gone_redfarn", "be_sharp_bw_redfarn", "busy_schedule", "chemistry_lab", "flying_scotsman", "keep_on_rolling",
      "modern_motion", "train_filled_with_cash", "tttheme2", "wood_whistles",
    ])
  func song(_ name: String) throws {
    let bytes = try Data(contentsOf: URL(filePath: try TestFiles.song("\(name).mid")))
    expectSame(name, try FluidSynthComparison(Array(bytes), seconds: Self.seconds))
  }
}
