import AudioGraph
import Foundation
import SynthAudioFiles
import SynthDSP
import SynthInstruments
import SynthMIDI
import TestSupport
import Testing

@testable import SynthKit

@Suite("A song that is an audio file", .timeLimit(.minutes(5)))
struct AudioSongTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "sounds-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  private func synthesizer(_ curve: EqualizerCurve = .flat) throws -> Synthesizer {
    let patch = Patch(
      name: "saw", title: "Saw", description: "One oscillator", oscillators: [.init(.saw)], amplitude: .init())
    return try Synthesizer(
      SynthesizerConfiguration(soundFonts: [], curve: curve, instruments: [InstrumentAssignment(.patch(patch))]))
  }

  private func write(_ samples: [Float], rate: Int = 48000, channels: Int = 1) throws -> String {
    let path = directory.appending(path: "\(UUID()).wav").path
    let file = try AudioFileWriter(path: path, samples: .float32, sampleRate: rate, channelCount: channels)
    try file.write(interleaved: samples, frameCount: samples.count / channels)
    try file.finish()
    return path
  }

  private func sine(_ frequency: Double, seconds: Double, rate: Int = 48000) -> [Float] {
    (0..<Int(seconds * Double(rate))).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / Double(rate))) }
  }

  /// The left channel.
  private func render(
    _ path: String, _ part: SongPart = SongPart(), with synthesizer: Synthesizer? = nil
  ) throws -> [Float] {
    let target = directory.appending(path: "\(UUID()).wav").path
    let file = try AudioFileWriter(path: target, samples: .float32, sampleRate: 48000, channelCount: 2)
    let synthesizer = try synthesizer ?? self.synthesizer()
    try synthesizer.render(Song(sound: FileSound(path: path)), part: part, to: file)
    try file.finish()
    return Array(try AudioFileReader(path: target).readAll()[0])
  }

  private func frequency(_ samples: ArraySlice<Float>) -> Double {
    let places = zip(samples.indices, samples.indices.dropFirst()).compactMap { before, after -> Double? in
      guard samples[before] < 0, samples[after] >= 0 else { return nil }
      return Double(before) + Double(samples[before] / (samples[before] - samples[after]))
    }
    return 48000 * Double(places.count - 1) / ((places.last ?? 0) - (places.first ?? 0))
  }

  @Test("passes the chain bit for bit, as long as it is, and every channel where it belongs")
  func exact() throws {
    var random = SplitMix64(seed: 1)
    let samples = (0..<2 * 100_000).map { _ in Float.random(in: -0.3...0.3, using: &random) }
    let path = try write(samples, channels: 2)
    let target = directory.appending(path: "copy.wav").path
    let file = try AudioFileWriter(path: target, samples: .float32, sampleRate: 48000, channelCount: 2)
    try synthesizer().render(Song(sound: FileSound(path: path)), to: file)
    try file.finish()
    let isSame =
      try AudioFileReader(path: target).readAll().channels.map(Array.init)
      == [0, 1].map { channel in stride(from: channel, to: samples.count, by: 2).map { samples[$0] } }
    #expect(isSame)
  }

  @Test("is heard through the equalizer")
  func equalized() throws {
    let path = try write(sine(1000, seconds: 1))
    let curve = try EqualizerPresetLibrary(directories: []).preset("bands:0,0,0,0,0,-24,0,0,0,0").curve
    let peak = try render(path, with: synthesizer(curve))[10_000..<40_000].map(abs).max() ?? 0
    #expect(peak > 0.01 && peak < 0.06)
  }

  @Test("of another rate is converted")
  func converted() throws {
    let rendered = try render(try write(sine(441, seconds: 2, rate: 44100), rate: 44100))
    let wanted = sine(441, seconds: 2)
    #expect(rendered.count == wanted.count)
    let errors = zip(rendered, wanted).map { abs($0 - $1) }[1000..<95_000]
    #expect((errors.max() ?? 1) < 1e-5)
  }

  @Test("keeps its pitch at another tempo and its tempo at another pitch")
  func stretched() throws {
    let path = try write(sine(441, seconds: 3))
    let slow = try synthesizer()
    slow.instruments.events.tempo = 0.8
    let stretched = try render(path, with: slow)
    #expect(abs(stretched.count - 180_000) <= 64)
    #expect(abs(1200 * log2(frequency(stretched[9600..<170_000]) / 441)) < 2)
    let low = try synthesizer()
    low.instruments.events.transposition = -2
    let shifted = try render(path, with: low)
    #expect(abs(shifted.count - 144_000) <= 64)
    #expect(abs(1200 * log2(frequency(shifted[9600..<134_000]) / 441) + 200) < 2)
  }

  @Test("repeats a passage to the frame")
  func looped() throws {
    let ramp = (0..<48000).map { Float($0) / 48000 * 0.4 }
    let part = SongPart(loop: SongLoop(0.25, 0.5, passCount: 3))
    let rendered = try render(try write(ramp), part)
    let wanted = ramp[..<24_000] + ramp[12_000..<24_000] + ramp[12_000..<24_000] + ramp[24_000...]
    let isSame = Array(rendered.prefix(wanted.count)) == Array(wanted)
    #expect(isSame)
  }

  @Test("is paused, sought in and followed by another without a click")
  func transport() throws {
    let output = HandOutput(sampleRate: 48000, period: 256)
    let synthesizer = try synthesizer()
    let session = Session(synthesizer, output: output, sources: [VirtualSource("keys")])
    let song = Song(sound: try FileSound(path: try write(sine(100, seconds: 20))))
    try session.play(song, then: .playOn)
    #expect(session.duration == 20)
    // Turns come faster than the thread reads that keeps seconds ahead of a clock.
    func turn(_ count: Int) {
      for _ in 0..<count {
        synthesizer.songSound.feed.fill()
        output.turn()
      }
    }
    turn(40)
    try session.seek(to: 7.503)
    turn(40)
    #expect(abs(session.position - 7.503 - 40 * 256 / 48000) < 0.02)
    session.isSongHeld = true
    turn(20)
    let isSilent = output.left.suffix(1000).allSatisfy { $0 == 0 }
    #expect(isSilent)
    session.isSongHeld = false
    turn(20)
    session.tempo = 0.7
    turn(40)
    session.transposition = 5
    turn(40)
    session.tempo = 1
    session.transposition = 0
    turn(40)
    try session.setLoop(SongLoop(7.55, 8))
    turn(40)
    try session.play(song, from: 3.1, then: .playOn)
    turn(40)
    // A sine of 100 Hz and 0.5 has steps of 0.0066, five semitones higher of 0.0088.
    let steepest = Recording.steepest(output.left[...])
    #expect(steepest < 0.015)
    #expect(output.left.suffix(2000).contains { abs($0) > 0.4 })
    try session.stop()
  }

  @Test("is followed by the next as soon as it is over")
  func queued() throws {
    let output = HandOutput(sampleRate: 48000, period: 64)
    let session = Session(try synthesizer(), output: output)
    let path = try write([Float](repeating: 0.25, count: 9600))
    try session.play(Song(sound: try FileSound(path: path)))
    try session.queue(Song(sound: try FileSound(path: path)))
    for _ in 0..<600 where output.isRunning { output.turn() }
    let heard = output.left.filter { $0 == 0.25 }.count
    #expect(heard >= 2 * 9600 - 64 && heard <= 2 * 9600)
    let last = output.left.lastIndex(of: 0.25) ?? 0
    #expect(last < 3 * 9600)
  }

  @Test("that is damaged is played as far as it goes, and rendering it fails")
  func damaged() throws {
    let whole = directory.appending(path: "whole.flac").path
    let file = try AudioFileWriter(path: whole, samples: .int16, sampleRate: 48000, channelCount: 1)
    var random = SplitMix64(seed: 2)
    let noise = (0..<480_000).map { _ in Float.random(in: -0.5...0.5, using: &random) }
    try file.write(interleaved: noise, frameCount: noise.count)
    try file.finish()
    let bytes = try Data(contentsOf: URL(filePath: whole))
    let path = directory.appending(path: "damaged.flac").path
    try bytes.prefix(bytes.count / 2).write(to: URL(filePath: path))
    #expect { try render(path) } throws: { "\($0)".hasPrefix("reading \(path): ") }
  }

  @Test("has neither bars nor channels")
  func refused() throws {
    let sound = try FileSound(path: try write(sine(100, seconds: 1)))
    let timeline = Timeline(Song(sound: sound), sampleRate: 48000)
    #expect(timeline.beats.isEmpty && timeline.events.isEmpty && timeline.duration == 48000)
    let session = Session(try synthesizer(), output: HandOutput(sampleRate: 48000, period: 256))
    try session.play(Song(sound: sound))
    var control = SynthesizerControl(session.synthesizer, session: session)
    #expect { try control.perform(try SynthesizerCommand(parsing: "mute 3")) } throws: {
      "\($0)" == "mute: an audio file is played, which has neither channels nor tracks"
    }
    #expect { try control.perform(try SynthesizerCommand(parsing: "solo track 1")) } throws: {
      "\($0)".hasPrefix("solo: an audio file")
    }
    try session.stop()
  }
}
