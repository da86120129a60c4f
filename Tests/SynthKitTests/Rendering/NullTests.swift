import CFluidSynth
import MIDI
import SynthKit
import TestSupport
import Testing

@Suite("Against libfluidsynth itself")
struct NullTests {
  // One note, a bend and a volume change; all on 64-frame boundaries at 48 kHz: 8 ticks are 400 frames, 32 are 1600.
  private let events: [(frame: Int, status: UInt8, data1: UInt8, data2: UInt8)] = [
    (0, 0xC0, 48, 0), (0, 0x90, 60, 100), (1600, 0x90, 67, 80), (3200, 0xE0, 0, 80), (4800, 0xB0, 7, 60),
    (8000, 0x80, 60, 64), (9600, 0x80, 67, 64),
  ]

  @Test("one channel through mixer, flat equalizer and output is what fluid_synth_process gives")
  func null() throws {
    let font = try TestFiles.soundFont
    let synthesizer = try Synthesizer(
      SynthesizerConfiguration(soundFonts: [font], isLimited: false, gain: 0.2, reverb: nil))
    var bytes: [UInt8] = []
    var time = 0
    for event in events {
      bytes += vlq((event.frame - time) / 50) + [event.status, event.data1]
      if event.status != 0xC0 { bytes.append(event.data2) }
      time = event.frame
    }
    synthesizer.play(try song(bytes))
    let ours = synthesizer.samples(16384)
    let theirs = try reference(font, frameCount: 16384)
    #expect(theirs[0].contains { $0 != 0 })
    #expect(ours == theirs)
  }

  private func reference(_ font: String, frameCount: Int) throws -> [[Float]] {
    let settings = try #require(new_fluid_settings())
    fluid_settings_setnum(settings, "synth.sample-rate", 48000)
    fluid_settings_setint(settings, "synth.reverb.active", 0)
    fluid_settings_setint(settings, "synth.chorus.active", 0)
    let synth = try #require(new_fluid_synth(settings))
    defer {
      delete_fluid_synth(synth)
      delete_fluid_settings(settings)
    }
    try #require(fluid_synth_sfload(synth, font, 1) != FLUID_FAILED)
    var channels = [[Float]](repeating: [Float](repeating: 0, count: frameCount), count: 2)
    for start in stride(from: 0, to: frameCount, by: 64) {
      for event in events where (start..<start + 64).contains(event.frame) { play(event, on: synth) }
      var left = [Float](repeating: 0, count: 64)
      var right = left
      left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          var outputs = [left.baseAddress, right.baseAddress]
          _ = fluid_synth_process(synth, 64, 0, nil, 2, &outputs)
        }
      }
      channels[0].replaceSubrange(start..<start + 64, with: left)
      channels[1].replaceSubrange(start..<start + 64, with: right)
    }
    return channels
  }

  private func play(_ event: (frame: Int, status: UInt8, data1: UInt8, data2: UInt8), on synth: OpaquePointer) {
    switch event.status {
    case 0x80: fluid_synth_noteoff(synth, 0, Int32(event.data1))
    case 0x90: fluid_synth_noteon(synth, 0, Int32(event.data1), Int32(event.data2))
    case 0xB0: fluid_synth_cc(synth, 0, Int32(event.data1), Int32(event.data2))
    case 0xC0: fluid_synth_program_change(synth, 0, Int32(event.data1))
    default: fluid_synth_pitch_bend(synth, 0, Int32(event.data2) << 7 | Int32(event.data1))
    }
  }
}
