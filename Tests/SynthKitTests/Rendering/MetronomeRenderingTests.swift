import AudioGraph
import Foundation
import SynthAudioFiles
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("A synthesizer's metronome", .timeLimit(.minutes(10)))
struct MetronomeRenderingTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "metronome-\(UUID())")
  private let output = HandOutput(sampleRate: 48000, period: 100)

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  private func synthesizer(rate: Double = 48000) throws -> Synthesizer {
    let patch = Patch(
      name: "sine", title: "Sine", description: "One oscillator", oscillators: [.init(.sine)],
      amplitude: .init(release: 0.01))
    return try Synthesizer(
      SynthesizerConfiguration(
        soundFonts: [], sampleRate: rate, instruments: [InstrumentAssignment(.patch(patch))], isLimited: false,
        reverb: nil, chorus: nil))
  }

  /// Two seconds: a note of half a second.
  private func note() throws -> Song { try song(strike(60, ticks: 480), end(after: 1440)) }

  private func render(_ song: Song, with one: Synthesizer) throws -> (mix: [Float], stem: [Float]) {
    func file() throws -> (path: String, file: AudioFileWriter) {
      let path = directory.appending(path: "\(UUID()).wav").path
      let rate = Int(one.engine.sampleRate)
      return (path, try AudioFileWriter(path: path, samples: .float32, sampleRate: rate, channelCount: 2))
    }
    let (mix, stem) = (try file(), try file())
    let stems = one.framesPerInstrumentFrame == 1 ? one.stems(of: song, by: .channel) : []
    let files = Dictionary(uniqueKeysWithValues: stems.map { ($0, stem.file) })
    try one.render(song, to: mix.file, stems: files, tail: .exactly(0))
    for file in [mix.file, stem.file] { try file.finish() }
    return (
      Array(try AudioFileReader(path: mix.path).readAll()[0]), Array(try AudioFileReader(path: stem.path).readAll()[0])
    )
  }

  @Test("adds clicks to the mix alone, and neither solo, mute nor transposition change them")
  func mix() throws {
    let one = try synthesizer()
    let plain = try render(try note(), with: one)
    one.metronome.set(.on)
    let clicked = try render(try note(), with: one)
    let isSameStem = clicked.stem == plain.stem && plain.stem.contains { abs($0) > 0.01 }
    #expect(isSameStem)
    let clicks = zip(plain.mix, clicked.mix).map { $1 - $0 }
    #expect(onsets(of: clicks) == [0, 24000, 48000, 72000])
    one.mixer.inputs[0].isMuted.value = 1
    one.mixer.inputs[3].isSoloed.value = 1
    one.instruments.events.transposition = 5
    let alone = try render(try note(), with: one).mix
    #expect(zip(alone, clicks).allSatisfy { abs($0 - $1) < 1e-5 })
    one.metronome.set(.off)
    #expect(try render(try note(), with: one).mix.allSatisfy { $0 == 0 })
  }

  @Test("counts bars in front of a rendered song, which is shifted by exactly these")
  func countIn() throws {
    let one = try synthesizer()
    let plain = try render(try note(), with: one).mix
    one.instruments.events.countIn = 2
    let counted = try render(try note(), with: one).mix
    #expect(counted.count == plain.count + 192_000)
    let isShifted = counted[192_000...].elementsEqual(plain)
    #expect(isShifted && counted[168_000] != 0)
  }

  @Test("clicks at rates that the instruments do not have")
  func highRate() throws {
    let one = try synthesizer(rate: 192_000)
    one.metronome.set(.on)
    let silent = try song(end(after: 1920))
    let mix = try render(silent, with: one).mix
    // The converter smears the first sample a little.
    let loud = mix.indices.filter { abs(mix[$0]) > 0.1 }
    #expect(loud.contains { abs($0 - 96000) < 32 } && loud.contains { abs($0 - 192_000) < 32 })
    #expect(!loud.contains { (12_000..<95_000).contains($0) })
  }

  @Test("while bars are counted, a session is at the place where the song begins; its settings read back")
  func session() throws {
    let session = Session(try synthesizer(), output: output)
    session.countIn = 20
    #expect(session.countIn == 16)
    session.countIn = 1
    session.metronome.set(.level(-6))
    #expect(session.metronome.isOn.value == 1 && session.metronome.level.value == -6)
    try session.play(try song(end(after: 9600)), from: 4, then: .playOn)
    for _ in 0..<900 { output.turn() }
    #expect(session.position == 4 && session.mediaState.position == 4)
    for _ in 0..<540 { output.turn() }
    // Two seconds were counted, and one was played.
    #expect(abs(session.position - 5) < 0.002)
    try session.seek(to: 6, countsIn: true)
    for _ in 0..<100 { output.turn() }
    #expect(session.position == 6)
    try session.stop()
  }

  @Test("follows a sequencer, also through an edit")
  func sequencer() throws {
    let session = Session(try synthesizer(), output: output)
    session.metronome.set(.on)
    var sequence = MusicSequence()
    try sequence.addNote(60, at: 30, for: 1)
    let sequencer = try Sequencer(sequence, playing: session.synthesizer.instruments)
    try session.start()
    try sequencer.start()
    for _ in 0..<600 { output.turn() }
    try sequencer.edit { try $0.setTempo(60, at: 0) }
    for _ in 0..<2000 { output.turn() }
    try session.stop()
    let onsets = onsets(of: output.left)
    let lengths = zip(onsets, onsets.dropFirst()).map { $1 - $0 }
    // The edit comes within the third beat.
    #expect(lengths.prefix(2) == [24000, 24000] && (24000..<48000).contains(lengths[2]), "\(lengths)")
    #expect(lengths.count > 4 && lengths.dropFirst(3).allSatisfy { abs($0 - 48000) <= 1 }, "\(lengths)")
  }

  /// Where clicks begin.
  private func onsets(of clicks: [Float]) -> [Int] {
    var quiet = 64
    return clicks.indices.filter { frame in
      let isLoud = abs(clicks[frame]) > 1e-5
      defer { quiet = isLoud ? 0 : quiet + 1 }
      return isLoud && quiet >= 64
    }
  }
}
