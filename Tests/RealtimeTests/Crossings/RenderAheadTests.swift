import Foundation
import SynthAudioFiles
import SynthInstruments
import SynthKit
import SynthMIDI
import Testing

@Suite("Instruments that play ahead", .timeLimit(.minutes(5)))
struct RenderAheadTests {
  @Test("share nothing with mixer and effects but what is handed over")
  func crossing() throws {
    let patch = Patch(
      name: "sine", title: "Sine", description: "One oscillator", oscillators: [.init(.sine)],
      amplitude: .init(release: 0.01))
    var configuration = SynthesizerConfiguration(soundFonts: [], instruments: [InstrumentAssignment(.patch(patch))])
    configuration.rendersAhead = true
    let synthesizer = try Synthesizer(configuration)
    // A note, sends to reverb and chorus that move, and another reverb.
    var track: [UInt8] = [0, 0x90, 60, 100]
    for value in UInt8(0)..<100 { track += [4, 0xB0, 91, value, 0, 0xB0, 93, value] }
    track += [0, 0xF0, 11, 0x7F, 0x7F, 4, 5, 1, 1, 1, 1, 1, 0, 2, 0xF7, 64, 0x80, 60, 64, 0, 0xFF, 0x2F, 0]
    let header: [UInt8] = [0x4D, 0x54, 0x68, 0x64, 0, 0, 0, 6, 0, 0, 0, 1, 0, 96, 0x4D, 0x54, 0x72, 0x6B, 0, 0]
    let length = [UInt8(track.count >> 8), UInt8(track.count & 255)]
    let song = Song(try MIDIFile(bytes: header + length + track))
    let path = FileManager.default.temporaryDirectory.appending(path: "ahead-\(UUID()).wav").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try AudioFileWriter(path: path, samples: .float32, sampleRate: 48000, channelCount: 2)
    let progress = try synthesizer.render(song, to: file, tail: .exactly(0.5))
    try file.finish()
    #expect(progress.peak > 0.01)
  }
}
