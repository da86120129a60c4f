import AudioGraph
import Foundation
import SynthAudioFiles
import SynthInstruments
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("Above 96 kHz, where the instruments run at a part of the output's rate", .timeLimit(.minutes(5)))
struct HighRateTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "high-rate-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  private func synthesizer(_ rate: Int, _ instruments: [InstrumentAssignment] = []) throws -> Synthesizer {
    try Synthesizer(
      SynthesizerConfiguration(
        soundFonts: [try TestFiles.soundFont], sampleRate: Double(rate), instruments: instruments))
  }

  /// The left samples.
  private func render(_ song: Song, at rate: Int) throws -> [Float] {
    let path = directory.appending(path: "\(rate).wav").path
    let file = try AudioFileWriter(path: path, samples: .float32, sampleRate: rate, channelCount: 2)
    try synthesizer(rate).render(song, to: file)
    try file.finish()
    return Array(try AudioFileReader(path: path).readAll()[0])
  }

  @Test(
    "the instruments run at the output's rate, its half or its quarter, the first that FluidSynth takes",
    arguments: [
      (8000, 8000), (96000, 96000), (96001, 48000.5), (176_400, 88200), (192_000, 96000), (352_800, 88200),
      (384_000, 96000), (768_000, 96000),
    ] as [(Int, Double)])
  func rates(output: Int, instruments: Double) throws {
    let synthesizer = try synthesizer(output)
    #expect(synthesizer.engine.sampleRate == Double(output) && synthesizer.instruments.sampleRate == instruments)
  }

  @Test("a rate that no engine takes is refused", arguments: [7999.0, 2_000_000, .infinity, .nan])
  func refusal(rate: Double) throws {
    #expect(throws: (any Error).self) {
      try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], sampleRate: rate))
    }
  }

  @Test(
    "a song is that of the instruments' rate, converted: to the frame, and to its end",
    arguments: [(192_000, 96000), (176_400, 88200), (384_000, 96000)])
  func rendering(rate: Int, instrumentRate: Int) throws {
    let song = try song(
      [0, 0xB1, 93, 100], strike(60, ticks: 240), strike(67, channel: 1, ticks: 300), strike(36, channel: 9, ticks: 96))
    let factor = rate / instrumentRate
    let (high, low) = (try render(song, at: rate), try render(song, at: instrumentRate))
    #expect(abs(high.count - low.count * factor) <= rate / 1000)
    var (signal, noise) = (0.0, 0.0)
    for frame in 0..<min(low.count, high.count / factor) {
      signal += Double(low[frame] * low[frame])
      let difference = Double(high[frame * factor] - low[frame])
      noise += difference * difference
    }
    // The converter cuts off what lies above 0.9 of half the rate.
    let ratio = 10 * log10(signal / noise)
    #expect(ratio > 80, "\(ratio) dB")
  }

  @Test("a song that is played live has its length, and ends by itself", arguments: [192_000, 176_400.0])
  func playing(rate: Double) throws {
    let heard = Recording()
    let output = FreeRunningOutput(sampleRate: rate, period: 1000) { heard.take($0) }
    let song = try song(strike(60, ticks: 480))
    let session = Session(try synthesizer(Int(rate)), output: output)
    try session.play(song)
    session.wait()
    // From a file the latency is left out.
    let frameCount = try render(song, at: Int(rate)).count + session.synthesizer.latency
    #expect(heard.left.count == frameCount && frameCount > Int(rate / 2))
    #expect(abs(session.position - Double(frameCount) / rate) < 1e-9)
  }

  @Test(
    "a key sounds when the session says, wherever in a period it was struck",
    arguments: [(192_000, 1024), (192_000, 192), (192_000, 64), (176_400, 300), (384_000, 64), (96000, 64)])
  func key(rate: Int, period: Int) throws {
    let patch = Patch(
      name: "saw", title: "Saw", description: "One oscillator", oscillators: [.init(.saw)],
      amplitude: .init(attack: 0, release: 0.001))
    for offset in stride(from: 0, to: 1024, by: 61) {
      let keyboard = VirtualSource("keyboard")
      let output = HandOutput(sampleRate: Double(rate), period: period)
      let session = Session(
        try synthesizer(rate, [InstrumentAssignment(.patch(patch))]), output: output, sources: [keyboard])
      try session.start()
      // The MIDI thread may take a millisecond to wake.
      let key = 20 * period + offset
      while output.left.count <= key + rate / 1000 { output.turn() }
      keyboard.send(.noteOn(channel: 0, note: 96, velocity7: 127), at: output.hostTime(ofFrame: key))
      while output.left.count < key + rate / 50 { output.turn() }
      try session.stop()
      let onset = try #require(output.left.firstIndex { abs($0) > 1e-4 })
      let frames = (session.latency.lowerBound * Double(rate))...(session.latency.upperBound * Double(rate))
      // The first period of the wave takes a while to be heard.
      let delay = Double(onset - key)
      #expect(delay > frames.lowerBound - 16 && delay < frames.upperBound + 16, "\(delay) of \(frames), \(offset)")
    }
  }

  @Test("a key is heard on an output that keeps pace")
  func keyPaced() throws {
    let heard = Recording()
    let keyboard = VirtualSource("keyboard")
    let session = Session(
      try synthesizer(192_000), output: heard.paced(sampleRate: 192_000, period: 1024), sources: [keyboard])
    try session.start()
    keyboard.send(.noteOn(channel: 0, note: 60, velocity7: 100))
    #expect(heard.sounds())
    try session.stop()
  }
}
