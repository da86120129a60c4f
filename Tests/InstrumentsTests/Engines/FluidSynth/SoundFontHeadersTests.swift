import CSynthFluidSynth
import Foundation
import TestSupport
import Testing

@testable import SynthFluidSynth
@testable import SynthInstruments

@Suite("Excerpts of soundfonts")
struct SoundFontHeadersTests {
  private func presets(_ synth: FluidSynth) -> [UInt32: ChannelPreset] {
    var presets: [UInt32: ChannelPreset] = [:]
    let index = PresetIndex(synth.handle)
    for bank in [UInt32(0), 8, 128] {
      for program in UInt32(0)..<128 { presets[bank << 8 | program] = index[1 << 24 | bank << 8 | program] }
    }
    return presets
  }

  private func synth(_ path: String, _ preload: SamplerPreload) throws -> FluidSynth {
    try FluidSynth(SamplerConfiguration(soundFonts: [path], preload: preload), sampleRate: 48000)
  }

  @Test("name all presets")
  func names() throws {
    let path = try TestFiles.soundFont
    let whole = try presets(synth(path, .all))
    #expect(whole.count > 128)
    #expect(try presets(synth(path, .used([]))) == whole)
  }

  @Test("have zones for what is needed, and no other")
  func zones() throws {
    let synth = try synth(try TestFiles.soundFont, .used([]))
    synth.need(PresetRequest(isDrum: false, bank: 0, program: 48))
    try synth.loadNeeded()
    #expect(synth.pinned.count == 1)
    for (program, isHeard) in [(Int32(49), false), (48, true)] {
      fluid_synth_program_change(synth.handle, 0, program)
      fluid_synth_noteon(synth.handle, 0, 60, 100)
      #expect((fluid_synth_get_active_voice_count(synth.handle) > 0) == isHeard, "program \(program)")
    }
  }

  @Test("are not made of what FluidSynth refuses, so that it says why", arguments: [-1, 1])
  func damaged(extraByteCount: Int) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sf2").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var bytes = try Data(contentsOf: URL(filePath: try TestFiles.soundFont))
    bytes = extraByteCount < 0 ? bytes.dropLast() : bytes + [0]
    try bytes.write(to: URL(filePath: path))
    #expect(SoundFontHeaders(path: path) == nil)
    let refusal = #expect(throws: InstrumentError.self) { try synth(path, .used([])) }
    #expect(refusal == #expect(throws: InstrumentError.self) { try synth(path, .all) })
  }
}
