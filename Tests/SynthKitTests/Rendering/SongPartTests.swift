import Foundation
import SynthAudioFiles
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("A part of a song rendered", .timeLimit(.minutes(10)))
struct SongPartTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "part-\(UUID())")
  private let tail = Tail.exactly(0)

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  private func synthesizer(withSampler: Bool) throws -> Synthesizer {
    let patch = Patch(
      name: "saw", title: "Saw", description: "One oscillator", oscillators: [.init(.saw)],
      amplitude: .init(release: 0.01))
    return try Synthesizer(
      SynthesizerConfiguration(
        soundFonts: withSampler ? [try TestFiles.soundFont] : [],
        instruments: withSampler ? [] : [InstrumentAssignment(.patch(patch))], isLimited: false, reverb: nil,
        chorus: nil))
  }

  private struct Rendered {
    let progress: RenderProgress
    let mix: [[Float]]
    /// Of all stems in the order of their names.
    let sum: [[Float]]
  }

  private func render(
    _ song: Song, _ part: SongPart = SongPart(), tempo: Double = 1, transposition: Int = 0, withSampler: Bool = false,
    by division: StemDivision = .channel, renewingAt place: Int? = nil
  ) throws -> Rendered {
    let one = try synthesizer(withSampler: withSampler)
    one.instruments.events.tempo = tempo
    one.instruments.events.transposition = transposition
    func file() throws -> (path: String, file: AudioFileWriter) {
      let path = directory.appending(path: "\(UUID()).wav").path
      return (path, try AudioFileWriter(path: path, samples: .float32, sampleRate: 48000, channelCount: 2))
    }
    let mix = try file()
    let stems = try one.stems(of: song, by: division).sorted { $0.name < $1.name }.map { ($0, try file()) }
    let files = Dictionary(uniqueKeysWithValues: stems.map { ($0, $1.file) })
    let progress = try one.render(song, part: part, to: mix.file, stems: files, tail: tail, recordsNotes: true) {
      if $0.frameCount == place { try? one.instruments.exchange(one.instruments.configuration) }
      return true
    }
    for file in [mix.file] + files.values { try file.finish() }
    var sum = [[Float]](repeating: [Float](repeating: 0, count: progress.frameCount), count: 2)
    for (_, stem) in stems {
      for (channel, samples) in try AudioFileReader(path: stem.path).readAll().channels.enumerated() {
        #expect(samples.count == progress.frameCount)
        for (frame, sample) in samples.enumerated() { sum[channel][frame] += sample }
      }
    }
    return Rendered(
      progress: progress, mix: try AudioFileReader(path: mix.path).readAll().channels.map(Array.init), sum: sum)
  }

  /// A note from 0 s to 0.5 s, one from 2 s to 3 s, and what 480 controllers say between: more than is chased in a
  /// quantum.
  private func phrases() throws -> Song {
    let controls = (0..<16 as Range<UInt8>).flatMap { channel in
      (0..<30 as Range<UInt8>).flatMap { [0, 0xB0 | channel, $0 < 20 ? 12 + $0 : 82 + $0, 10 + $0] }
    }
    return try song(
      strike(60, ticks: 480), vlq(480) + [0xB0, 7, 70], controls, vlq(960) + [0x90, 64, 100],
      vlq(960) + [0x80, 64, 0])
  }

  /// A voice that has sounded before begins a little otherwise, so the whole rendering gets new ones there.
  @Test("from where nothing sounds, it is what the whole rendering has there, bit for bit", arguments: [false, true])
  func rest(withSampler: Bool) throws {
    let song = try phrases()
    let place = 22 * renderBlock
    let whole = try render(song, withSampler: withSampler, renewingAt: place)
    let part = try render(song, SongPart(from: Double(place) / 48000), withSampler: withSampler)
    let expected = whole.mix.map { Array($0[place...]) }
    #expect(expected[0].count == 144_000 - place && expected[0].contains { abs($0) > 0.001 })
    let isSame = part.mix == expected
    #expect(isSame)
    let areStems = part.sum == part.mix
    #expect(areStems)
  }

  @Test("at half the tempo it lasts twice as long, and its notes are where they are heard")
  func tempo() throws {
    let song = try phrases()
    let (plain, slow) = (try render(song), try render(song, tempo: 0.5))
    #expect(plain.progress.frameCount == 144_000 && slow.progress.frameCount == 288_000)
    #expect(slow.progress.songDuration == 6)
    let part = try render(song, SongPart(from: 1.92, to: 2.5), tempo: 0.5)
    #expect(part.progress.frameCount == 55_680)
    let notes = part.progress.notes
    #expect(notes.map(\.frames) == [nil, 7680..<55_680] && notes.map(\.startTick) == [0, 1920])
  }

  @Test("is transposed, as its notes say, drums excepted")
  func transposition() throws {
    let song = try song(strike(60, ticks: 480), strike(38, channel: 9, ticks: 480), strike(127, ticks: 48))
    let notes = try render(song, transposition: 2, withSampler: true).progress.notes
    #expect(notes.map(\.key) == [62, 38, 127] && notes[2].frames == nil)
    #expect(notes.map(\.startTick) == [0, 480, 960])
  }

  @Test("repeats its passage")
  func loop() throws {
    let song = try song(strike(60, ticks: 960), strike(64, ticks: 960))
    let part = try render(song, SongPart(to: 1.5, loop: SongLoop(0, 1, passCount: 3)))
    #expect(part.progress.frameCount == 3 * 48000 + 24000 && part.progress.songDuration == 3.5)
    // The second note is not heard but after the third pass.
    #expect(part.progress.notes.map(\.frames?.lowerBound) == [0, 144_000])
  }

  @Test("tracks that share a channel sound by themselves, as long as the part is")
  func tracks() throws {
    func track(_ wait: Int, _ key: UInt8) -> [UInt8] { vlq(wait) + strike(key, ticks: 960).dropFirst() + end() }
    let song = Song(try MIDIFile(bytes: smf(tracks: [track(0, 60), track(1920, 64)])))
    let part = try render(song, SongPart(from: 1.92, to: 2.5), by: .track)
    let difference = zip(part.sum[0], part.mix[0]).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(difference < 1e-6 && part.mix[0].contains { abs($0) > 0.01 })
  }

  @Test("that the song has not is refused")
  func refusal() throws {
    #expect(throws: SongError.noSuchPlace(4, duration: 3)) { try render(phrases(), SongPart(from: 4)) }
  }
}
