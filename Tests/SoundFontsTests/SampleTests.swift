import CSynthSndfile
import Glibc
import Testing

@testable import SynthSoundFonts

@Suite("Samples")
struct SampleTests {

  private func sample(_ change: (inout FontBuilder.Sample) -> Void) throws -> PlayableSample? {
    var builder = FontBuilder()
    change(&builder.samples[0])
    return try builder.playable().preset(bank: 0, program: 0)?.pointee.zones[0].sample
  }

  @Test("have their loop corrected: turned round, or set to where the wave begins and ends")
  func loops() throws {
    func loop(_ start: Int, _ end: Int) throws -> [Int]? {
      try sample { ($0.start, $0.end, $0.loop) = (50, 150, (start, end)) }.map { [$0.loopStart, $0.loopEnd] }
    }
    #expect(try loop(60, 140) == [60, 140])
    #expect(try loop(140, 60) == [60, 140])
    #expect(try loop(10, 140) == [50, 140])
    #expect(try loop(60, 5000) == [60, 150])
    #expect(try loop(60, 190) == [60, 190])
    #expect(try loop(0, 0) == [50, 150])
  }

  @Test("play within the wave, whatever offsets are added")
  func spans() throws {
    let sample = try #require(try sample { ($0.start, $0.end, $0.loop) = (50, 150, (60, 190)) })
    #expect(sample.span() == SampleSpan(start: 50, end: 150, loopStart: 60, loopEnd: 150, canLoop: true))
    #expect(
      sample.span(start: 5, end: -20, loopStart: 1, loopEnd: -60)
        == SampleSpan(start: 55, end: 130, loopStart: 61, loopEnd: 130, canLoop: true))
    #expect(sample.span(start: 1 << 40, end: 1 << 40) == nil)
    #expect(
      sample.span(start: 90, end: -80) == SampleSpan(start: 69, end: 141, loopStart: 60, loopEnd: 150, canLoop: true))
    #expect(sample.span(loopStart: 500)?.canLoop == false)
  }

  @Test("that cannot be played silence their zones, and are listed")
  func unplayable() throws {
    for (change, reason) in [
      ({ $0.type = 0x8001 }, "it is in a synthesizer's ROM; it is silent"),
      ({ $0.type = 0x21 }, "it is compressed in a way that is not known; it is silent"),
      ({ $0.end = 1 }, "it has less than two words; it is silent"),
      ({ ($0.start, $0.end) = (60, 50) }, "it has less than two words; it is silent"),
      ({ $0.end = 201 }, "it ends behind the font's samples; it is silent"),
      ({ $0.type = 0x11 }, "it is no Vorbis stream of one channel, or it is too long; it is silent"),
    ] as [((inout FontBuilder.Sample) -> Void, String)] {
      var builder = FontBuilder()
      change(&builder.samples[0])
      let presets = try builder.playable()
      #expect(presets.count == 0)
      #expect(presets.problems.first.map(\.reason) == [reason])
    }
  }

  @Test("without a rate have none, without a pitch that of middle C")
  func pitches() throws {
    let sample = try #require(try sample { ($0.rate, $0.rootKey, $0.correction) = (0, 255, -7) })
    #expect(sample.sampleRate == 0 && sample.rootKey == 60 && sample.correction == -7)
  }

  @Test("of Vorbis are decoded, each once, only for presets that are made playable")
  func vorbis() throws {
    let stream = try vorbis(channels: 1)
    var builder = FontBuilder()
    builder.version = (3, 0)
    builder.words = stream.words
    builder.samples = [
      .init(start: 0, end: stream.byteCount, loop: (100, 900), type: 0x11),
      .init(start: 0, end: stream.byteCount, loop: (5, 9), type: 0x11),
    ]
    builder.instruments[0].zones.append(.init(generators: [(53, 1)]))
    let font = try SoundFont(bytes: builder.bytes, name: "test")
    #expect(PlayablePresets(font, presets: []).preloadedByteCount == 0)
    let presets = FontBuilder.keep(PlayablePresets(font))
    let zones = try #require(presets.preset(bank: 0, program: 0)).pointee.zones
    let (second, first) = (zones[0].sample, zones[1].sample)
    #expect(first.words == second.words && first.wordCount == 4800 && first.start == 0 && first.end == 4800)
    #expect(first.loopStart == 100 && first.loopEnd == 900 && second.loopEnd == 9)
    let again = PlayablePresets(font)
    #expect(try #require(again.preset(bank: 0, program: 0)).pointee.zones[0].sample.words == first.words)
    // A sine at half of full scale, of which Vorbis loses little.
    let error = (0..<4800).map { abs(Float(first.words[$0]) / 32768 - Self.sine($0)) }.max() ?? 1
    #expect(error < 0.02)
  }

  @Test("of Vorbis with two channels are silent")
  func stereo() throws {
    let stream = try vorbis(channels: 2)
    var builder = FontBuilder()
    builder.words = stream.words
    builder.samples = [.init(start: 0, end: stream.byteCount, type: 0x11)]
    #expect(try builder.playable().count == 0)
  }

  private static func sine(_ frame: Int) -> Float { sin(Float(frame) * 0.05) / 2 }

  private func vorbis(channels: Int) throws -> (words: [Int16], byteCount: Int) {
    let path = "/tmp/SampleTests-\(getpid())-\(channels).ogg"
    defer { unlink(path) }
    var info = SF_INFO()
    (info.samplerate, info.channels) = (48000, Int32(channels))
    info.format = Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
    let file = try #require(sf_open(path, Int32(SFM_WRITE), &info))
    sf_writef_float(file, (0..<4800 * channels).map { Self.sine($0 / channels) }, 4800)
    sf_close(file)
    let stream = try #require(fopen(path, "rb"))
    defer { fclose(stream) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    bytes.removeLast(bytes.count - fread(&bytes, 1, bytes.count, stream))
    let words = stride(from: 0, to: bytes.count, by: 2).map { place in
      Int16(bitPattern: UInt16(bytes[place]) | UInt16(place + 1 < bytes.count ? bytes[place + 1] : 0) << 8)
    }
    return (words, bytes.count)
  }
}
