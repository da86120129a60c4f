import Foundation
import SynthAudioFiles
import Testing

@Suite("Lossy files", .timeLimit(.minutes(5)))
struct LossyFileTests {
  private let scratch = Scratch()

  /// A tone on the left that fades in and out, an octave higher and weaker on the right.
  private func tones(_ rate: Int, channels: Int) -> [[Float]] {
    (1...channels).map { number in
      (0..<rate).map { frame in
        let fade = Float(min(1, Double(min(frame, rate - frame)) / Double(rate) * 20))
        return fade * Float(0.5 / Double(number) * sin(2 * .pi * 440 * Double(number * frame) / Double(rate)))
      }
    }
  }

  private func write(_ name: String, _ channels: [[Float]], rate: Int) throws {
    let writer = try AudioFileWriter(path: scratch.file(name), sampleRate: rate, channelCount: channels.count)
    try writer.write(channels)
    try writer.finish()
  }

  @Test(
    "They are read back with their length, rate and channels, and nearly as they were",
    arguments: ["ogg", "opus", "mp3"], [(8000, 1), (16000, 2), (48000, 2)])
  func roundTrip(name: String, format: (sampleRate: Int, channelCount: Int)) throws {
    let channels = tones(format.sampleRate, channels: format.channelCount)
    try write("a.\(name)", channels, rate: format.sampleRate)
    let reader = try AudioFileReader(path: scratch.file("a.\(name)"))
    #expect((reader.sampleRate, reader.channelCount) == (format.sampleRate, format.channelCount))
    let read = try reader.readAll().channels.map(Array.init)
    #expect(read.allSatisfy { $0.count == format.sampleRate }, "\(read.map(\.count))")
    for (original, copy) in zip(channels, read) {
      let power = original.reduce(0) { $0 + $1 * $1 }
      let error = zip(original, copy).reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
      #expect(error < power / 30, "\(10 * log10(power / error)) dB")
    }
  }

  @Test("The same audio always makes the same file", arguments: ["ogg", "opus", "mp3"])
  func deterministic(name: String) throws {
    let channels = tones(48000, channels: 2)
    for copy in ["a", "b"] { try write("\(copy).\(name)", channels, rate: 48000) }
    let bytes = contents(scratch.file("a.\(name)"))
    #expect(bytes.count > 3000 && bytes == contents(scratch.file("b.\(name)")))
  }

  @Test("An Opus or MP3 file of no frames at all can be read, and is silent")
  func empty() throws {
    for name in ["opus", "mp3"] {
      try write("empty.\(name)", [[]], rate: 48000)
      let samples = try AudioFileReader(path: scratch.file("empty.\(name)")).readAll()[0]
      #expect(samples.count <= 1 && samples.allSatisfy { abs($0) < 1e-9 }, "\(name): \(samples.count)")
    }
  }

  @Test("They have every rate they claim", arguments: ["ogg", "opus", "mp3"])
  func rates(name: String) throws {
    for rate in [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 96000, 192_000, 200_000] {
      guard let writer = try? AudioFileWriter(path: scratch.file("r.\(name)"), sampleRate: rate, channelCount: 2) else {
        continue
      }
      try writer.write(tones(rate, channels: 2))
      try writer.finish()
      let reader = try AudioFileReader(path: scratch.file("r.\(name)"))
      #expect(reader.sampleRate == rate)
      #expect(try reader.readAll()[0].contains { abs($0) > 0.1 })
    }
  }
}
