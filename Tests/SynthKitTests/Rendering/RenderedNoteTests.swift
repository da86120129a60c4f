import Foundation
import SynthAudioFiles
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("The notes of a rendered song", .timeLimit(.minutes(10)))
struct RenderedNoteTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  private func render(
    _ song: Song, _ engine: SamplerEngine = .native, rate: Int = 48000, isLimited: Bool = true,
    atMost seconds: Double = 60
  ) throws -> (notes: [RenderedNote], left: [Float]) {
    var configuration = SynthesizerConfiguration(
      soundFonts: [try TestFiles.soundFont], preload: .used([song]), sampleRate: Double(rate), isLimited: isLimited,
      reverb: nil, chorus: nil)
    configuration.instruments.sampler.engine = engine
    let one = try Synthesizer(configuration)
    let path = directory.appending(path: "\(UUID()).wav").path
    let file = try AudioFileWriter(path: path, samples: .float32, sampleRate: rate, channelCount: 2)
    let notes = try one.render(song, to: file, recordsNotes: true) { $0.duration < seconds }.notes
    try file.finish()
    return (notes, Array(try AudioFileReader(path: path).readAll()[0]))
  }

  /// Program 17, an organ; the first note begins at tick 33, which is frame 1650 at 48 kHz.
  private func organ(_ events: [UInt8]...) throws -> Song {
    try song([0, 0xC0, 16, 33, 0x90, 60, 100] + events.flatMap(\.self))
  }

  @Test(
    "its first and last frames are those of the file, limited or not, also at rates the instruments do not have",
    arguments: SamplerEngine.allCases)
  func frames(engine: SamplerEngine) throws {
    let song = try organ([207, 0x80, 60, 0])
    for (rate, isLimited) in [(48000, true), (48000, false), (192_000, false)] {
      let (notes, left) = try render(song, engine, rate: rate, isLimited: isLimited)
      let frames = try #require(notes.first?.frames)
      let factor = rate / 48000
      // At 192 kHz the instruments render at 96, where the note begins at frame 3300. FluidSynth's notes begin where a
      // quantum does.
      #expect(frames.lowerBound == (engine == .native ? 1650 * factor : factor == 1 ? 1600 : 2 * 3264))
      // What is before and after is silent, but for what the converter smears.
      let threshold: Float = rate == 48000 ? 0 : 1e-4
      let sounding = left.indices.filter { abs(left[$0]) > threshold }
      let (first, last) = (try #require(sounding.first), try #require(sounding.last))
      #expect((frames.lowerBound - 64..<frames.lowerBound + 128 * factor).contains(first), "\(rate): \(first)")
      #expect(last < frames.upperBound + 64 && frames.upperBound > 12000 * factor, "\(rate): \(last)")
      if rate == 48000 { #expect(last > frames.upperBound - 6400) }
    }
  }

  @Test("a key ends by its note off, by the same key, by All Notes Off, or at the end of the song")
  func keys() throws {
    let ends = try render(
      try organ(
        [67, 0x90, 60, 100, 10, 0x80, 60, 0, 0, 0x91, 62, 90, 20, 0xB1, 123, 0, 0, 0x91, 64, 80], end(after: 9))
    ).notes
    #expect(ends.map(\.startTick) == [33, 100, 110, 130])
    #expect(ends.map(\.endTick) == [100, 110, 130, 139])
    #expect(ends.map(\.velocity) == [100, 100, 90, 80] && ends.map(\.channel) == [0, 0, 1, 1])
    #expect(ends[0].preset?.program == 16 && ends[2].preset?.program == 0)
  }

  @Test("a pedal holds the sound, not the key")
  func pedal() throws {
    let held = try #require(
      try render(try organ([0, 0xB0, 64, 127, 7, 0x80, 60, 0], vlq(960), [0xB0, 64, 0], end(after: 9))).notes.first)
    #expect(held.endTick == 40)
    let end = try #require(held.frames).upperBound
    #expect((50000..<70000).contains(end), "\(end)")
  }

  @Test("what the file no longer has is not in its notes")
  func cut() throws {
    let song = try organ(vlq(4800), [0x90, 64, 100], end(after: 960))
    let (notes, left) = try render(song, atMost: 1)
    #expect(notes[0].frames?.upperBound == left.count && notes[1].frames == nil)
    #expect(notes[1].startTick == 4833)
  }

  @Test("a line of JSON has all of it; tracks and channels count from 1")
  func lines() throws {
    let tracks = [text(3, "Conductor") + end(), text(3, "Lead \"1\"") + note(60) + end(after: 480)]
    let song = Song(try MIDIFile(bytes: smf(tracks: tracks)))
    let notes = try render(song).notes
    let stem = Stem(.channels([0]), name: "01 Piano")
    let line = try #require(NoteLines(of: song, stems: [stem]).text(notes, after: 4800).split(separator: "\n").first)
    let value = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(value["track"] as? Int == 2 && value["trackName"] as? String == "Lead \"1\"")
    #expect(value["channel"] as? Int == 1 && value["key"] as? Int == 60 && value["stem"] as? String == "01 Piano")
    #expect(value["endTick"] as? Int == 480 && value["endSeconds"] as? Double == 0.5)
    #expect(value["firstSample"] as? Int == 4800)
    #expect(value["lastSample"] as? Int == 4799 + (notes[0].frames?.upperBound ?? 0))
    #expect(value["stolen"] as? Bool == false && value["preset"] is String)
  }
}
