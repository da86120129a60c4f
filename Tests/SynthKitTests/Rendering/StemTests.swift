import Foundation
import SynthAudioFiles
import SynthDSP
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("Stems of a song", .timeLimit(.minutes(10)))
struct StemTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "stems-\(UUID())")
  private let busy: Song

  init() throws {
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    busy = Song(try MIDIFile(path: try TestFiles.song("busy_schedule.mid")))
  }

  private struct Rendered {
    var mix: [[Float]]
    /// In the order of their names.
    var stems: [(name: String, samples: [[Float]])]

    /// The stems, added to silence one after the other.
    var sum: [[Float]] {
      var sum = [[Float]](repeating: [Float](repeating: 0, count: mix[0].count), count: 2)
      for stem in stems {
        for channel in 0..<2 {
          for frame in sum[channel].indices { sum[channel][frame] += stem.samples[channel][frame] }
        }
      }
      return sum
    }
  }

  private func synthesizer(isMastered: Bool, isDry: Bool = false) throws -> Synthesizer {
    var configuration = SynthesizerConfiguration(
      soundFonts: [try TestFiles.soundFont], preload: .used([busy]), isLimited: isMastered)
    if isMastered { configuration.curve = try EqualizerCurve(gains: (0..<10).map { Decibels(Double($0 % 3)) }) }
    if isDry { (configuration.reverb, configuration.chorus) = (nil, nil) }
    return try Synthesizer(configuration)
  }

  /// The first six seconds, of the busy song if no other is given.
  private func render(
    _ division: StemDivision?, of other: Song? = nil, with synthesizer: Synthesizer
  ) throws -> Rendered {
    let song = other ?? busy
    func file(_ name: String) throws -> AudioFileWriter {
      try AudioFileWriter(
        path: directory.appending(path: "\(name).wav").path, samples: .float32, sampleRate: 48000, channelCount: 2)
    }
    func read(_ name: String) throws -> [[Float]] {
      try AudioFileReader(path: directory.appending(path: "\(name).wav").path).readAll().channels.map(Array.init)
    }
    let mix = try file("mix")
    let stems = division.map { synthesizer.stems(of: song, by: $0) } ?? []
    let files = Dictionary(uniqueKeysWithValues: try stems.map { ($0, try file($0.name)) })
    try synthesizer.render(song, to: mix, stems: files) { $0.duration < 6 }
    for file in [mix] + files.values { try file.finish() }
    return Rendered(
      mix: try read("mix"), stems: try stems.map(\.name).sorted().map { ($0, try read($0)) })
  }

  @Test("of channels with inserts come after these, in time with the others, and are the mix bit for bit")
  func inserts() throws {
    let plain = try render(.channel, with: try synthesizer(isMastered: false, isDry: true))
    let one = try synthesizer(isMastered: false, isDry: true)
    // At pitch 0 it passes bit for bit, a tenth of a second late.
    for channel in 0..<4 { try one.insert("pitch shift", into: .channel(channel)) }
    let late = try render(.channel, with: one)
    let isSame = late.stems.map(\.samples) == plain.stems.map(\.samples) && late.sum == late.mix
    #expect(isSame)
    let mute = try one.insert("gate", into: .channel(9))
    try mute.effect.parameter(named: "threshold", of: .global).value = 0
    let gated = try render(.channel, with: one)
    #expect(gated.stems.map(\.samples) != plain.stems.map(\.samples))
    let isMix = gated.sum == gated.mix
    #expect(isMix)
  }

  // Equality is not asked for in expectations themselves, which would look for the way from one to the other.

  @Test("channels and effects, added in the order of their names, are the mix before equalizer and limiter bit for bit")
  func sum() throws {
    let plain = try render(.channel, with: try synthesizer(isMastered: false))
    #expect(plain.stems.count > 8 && plain.stems.suffix(2).map(\.name) == ["FX1 Reverb", "FX2 Chorus"])
    let sounding = plain.stems.indices.filter { plain.stems[$0].samples[0].contains { abs($0) > 1e-3 } }
    #expect(sounding.count > 3)
    let isMix = plain.sum == plain.mix
    #expect(isMix)
    // A stem that is left out is missed.
    var incomplete = plain
    incomplete.stems.remove(at: sounding[2])
    let isLess = incomplete.sum != plain.mix
    #expect(isLess)
  }

  @Test("equalizer and limiter do not change the stems, nor the stems the mix")
  func mastered() throws {
    let plain = try render(.channel, with: try synthesizer(isMastered: false))
    let mastered = try render(.channel, with: try synthesizer(isMastered: true))
    let isMix = mastered.sum == plain.mix
    #expect(isMix)
    let alone = try render(nil, with: try synthesizer(isMastered: true))
    let isSame = alone.mix == mastered.mix && alone.mix != plain.mix
    #expect(isSame)
  }

  @Test("drums and the rest are the mix to within rounding; the drums are those of channel 10")
  func drums() throws {
    let one = try synthesizer(isMastered: false)
    let channels = try render(.channel, with: one)
    let drums = try render(.drums, with: one)
    #expect(drums.stems.map(\.name) == ["01 Drums", "02 Rest", "FX1 Reverb", "FX2 Chorus"])
    let difference = zip(drums.sum[0], drums.mix[0]).reduce(0) { max($0, abs($1.0 - $1.1)) }
    #expect(difference < 1e-6)
    let ten = try #require(channels.stems.first { $0.name == "10 Drums" }).samples
    let isTen = drums.stems[0].samples == ten
    #expect(isTen)
  }

  /// A lead and a bass on channels that are theirs alone, and two tracks that share the drums' channel: a kick at
  /// once, a snare after two seconds. Their volume is set by the first track.
  private func band() throws -> Song {
    func track(_ name: String, _ events: [UInt8]...) -> [UInt8] { text(3, name) + events.flatMap(\.self) + end() }
    let tracks = [
      track("Conductor", [0, 0xB9, 7, 90, 0, 0xC1, 32]), track("Lead/1", strike(72, ticks: 960)),
      track("", strike(40, channel: 1, ticks: 1200)), track("Kick", strike(36, channel: 9, ticks: 100)),
      track("Snare", vlq(1920), Array(strike(38, channel: 9, ticks: 100).dropFirst())),
    ]
    return Song(try MIDIFile(bytes: smf(tracks: tracks)))
  }

  @Test("tracks with channels of theirs alone are these, others sound by themselves; they add up to nearly the mix")
  func tracks() throws {
    let song = try band()
    let one = try Synthesizer(
      SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], preload: .used([song]), isLimited: false))
    let tracks = try render(.track, of: song, with: one)
    #expect(
      tracks.stems.map(\.name) == [
        "02 Lead-1", "03 Acoustic Bass", "04 Kick", "05 Snare", "FX1 Reverb", "FX2 Chorus",
      ])
    #expect(tracks.stems.allSatisfy { $0.samples[0].count == tracks.mix[0].count })
    let channels = try render(.channel, of: song, with: one)
    let areSame = (0..<2).allSatisfy { tracks.stems[$0].samples == channels.stems[$0].samples }
    #expect(areSame && channels.stems[2].name == "10 Drums")

    let (kick, snare, drums) = (tracks.stems[2].samples[0], tracks.stems[3].samples[0], channels.stems[2].samples[0])
    #expect(snare[..<96000].allSatisfy { $0 == 0 } && kick[90000...].allSatisfy { abs($0) < 1e-4 })
    let isKick = kick[..<90000] == drums[..<90000] && kick.contains { abs($0) > 0.01 }
    #expect(isKick)
    // In the mix the snare takes a voice of FluidSynth that the kick had, and begins its first 64 frames at its gain.
    let differences = zip(tracks.sum[0], tracks.mix[0]).map { abs($0 - $1) }
    #expect(differences[..<96000].allSatisfy { $0 < 1e-6 } && differences[96064...].allSatisfy { $0 < 1e-6 })
    #expect(snare.contains { abs($0) > 0.01 })
  }

  @Test("without effects the channels alone are the mix")
  func dry() throws {
    let dry = try render(.channel, with: try synthesizer(isMastered: false, isDry: true))
    #expect(dry.stems.allSatisfy { !$0.name.hasPrefix("FX") })
    let isMix = dry.sum == dry.mix
    #expect(isMix)
  }

  @Test("names tell channel and program, or the instrument, and are fit for files")
  func names() throws {
    let five = try song(
      [0, 0xC2, 32, 0, 0xC4, 7], strike(40, channel: 2, ticks: 9), strike(40, channel: 9, ticks: 9),
      strike(40, channel: 4, ticks: 9), strike(40, channel: 0, ticks: 9))
    let patch = Patch(
      name: "odd", title: "A/B: \u{7}odd?. ", description: "", oscillators: [.init(.saw)], amplitude: .init())
    let one = try Synthesizer(
      SynthesizerConfiguration(
        soundFonts: [try TestFiles.soundFont], instruments: [InstrumentAssignment(.patch(patch), channel: 4)],
        chorus: nil))
    #expect(
      one.stems(of: five, by: .channel).map(\.name) == [
        "01 Acoustic Grand Piano", "03 Acoustic Bass", "05 A-B- -odd-", "10 Drums", "FX1 Reverb",
      ])
    #expect(FileNames.safe(String(repeating: "é", count: 300)).utf8.count == 200)
  }

  @Test("files of another rate or with other channels are refused, and rates that the instruments do not have")
  func refusals() throws {
    let one = try synthesizer(isMastered: false)
    let stem = one.stems(of: busy, by: .drums)[0]
    for (rate, channels) in [(44100, 2), (48000, 1)] {
      let file = try AudioFileWriter(
        path: directory.appending(path: "x.wav").path, sampleRate: rate, channelCount: channels)
      #expect(throws: AudioFileError.self) { try one.render(busy, to: nil, stems: [stem: file]) }
    }
    let fast = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], sampleRate: 192_000))
    let file = try AudioFileWriter(path: directory.appending(path: "x.wav").path, sampleRate: 192_000, channelCount: 2)
    #expect(throws: AudioFileError.self) { try fast.render(busy, to: nil, stems: [stem: file]) }
  }
}
