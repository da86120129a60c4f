import Foundation
import SynthAudioFiles
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("Instruments that play ahead of mixer and effects sound the same, bit for bit", .timeLimit(.minutes(10)))
struct RenderAheadTests {
  private func synthesizer(_ engine: SamplerEngine, ahead: Bool, cores: Int = 1) throws -> Synthesizer {
    var configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], preload: .used([]))
    configuration.instruments.sampler.engine = engine
    configuration.instruments.sampler.interpolation = .cubic
    configuration.instruments.sampler.cores = RenderingCores(cores)
    configuration.rendersAhead = ahead
    configuration.presetControl = EqualizerPresetControl(
      EqualizerPresetLibrary.standard().presets().presets, by: PresetMessages(controller: 20))
    return try Synthesizer(configuration)
  }

  private func render(_ song: Song, with one: Synthesizer, seconds: Double = 6) throws -> [Float] {
    var samples: [Float] = []
    _ = try one.render(
      song, SongPart(), stems: [:], tail: .standard, longest: seconds, recordsNotes: false, report: { _ in true }
    ) { buffer, count in
      for channel in 0..<2 { samples += buffer.channel(channel, frameCount: count) }
    }
    return samples
  }

  /// Everything that channels can be told, with resets and settings of reverb, chorus and equalizer between the notes.
  private func sweep(_ seed: UInt64) throws -> Song { Song(try MIDIFile(bytes: ControllerSweep.random(seed: seed))) }

  @Test("whatever the song says to instruments and effects", arguments: SamplerEngine.allCases, [1, 2, 3])
  func everyMessage(_ engine: SamplerEngine, seed: UInt64) throws {
    let song = try sweep(seed)
    let plain = try render(song, with: try synthesizer(engine, ahead: false))
    let ahead = try render(song, with: try synthesizer(engine, ahead: true))
    #expect(plain.contains { abs($0) > 0.01 })
    #expect(ahead == plain)
  }

  @Test("with any number of threads", arguments: [1, 2, 5])
  func cores(_ count: Int) throws {
    let song = Song(try MIDIFile(path: try TestFiles.song("busy_schedule.mid")))
    let plain = try render(song, with: try synthesizer(.native, ahead: false))
    let shared = try render(song, with: try synthesizer(.native, ahead: true, cores: count))
    #expect(shared == plain)
  }

  @Test("drum keys that send less to effects than their channel", arguments: [1, 3])
  func drumSends(_ count: Int) throws {
    let sends: [UInt8] = [0, 0xB9, 91, 127, 0, 0xB9, 93, 100, 0, 0xB9, 99, 0x1D, 0, 0xB9, 98, 38, 0, 0xB9, 6, 20]
    let song = try song(sends, (0..<40).flatMap { strike([36, 38, 42, 38, 63][$0 % 5], channel: 9, ticks: 17 + $0) })
    let plain = try render(song, with: try synthesizer(.native, ahead: false))
    let ahead = try render(song, with: try synthesizer(.native, ahead: true, cores: count))
    #expect(plain.contains { abs($0) > 0.01 })
    #expect(ahead == plain)
  }

  @Test("again and again, also after a rendering that was ended")
  func repeated() throws {
    let song = try sweep(4)
    let plain = try render(song, with: try synthesizer(.native, ahead: false), seconds: 2)
    let one = try synthesizer(.native, ahead: true)
    #expect(try render(song, with: one, seconds: 2) == plain)
    _ = try one.render(song, to: nil) { _ in false }
    #expect(try render(song, with: one, seconds: 2) == plain)
  }

  @Test("and a metronome clicks where it would")
  func metronome() throws {
    let song = try sweep(5)
    var results: [[Float]] = []
    for ahead in [false, true] {
      let one = try synthesizer(.native, ahead: ahead)
      one.metronome.set(.on)
      results.append(try render(song, with: one, seconds: 2))
    }
    #expect(results[0] == results[1])
  }
}
