import AudioGraph
import SynthAudioFiles
import Testing

/// The channels of a file hold 1, 2, 4, 8 … parts of 1024, so that what is heard tells which ones were added.
@Suite("A file of many channels in stereo", .timeLimit(.minutes(2)))
struct FileChannelsTests {
  private let scratch = Scratch()

  /// player ─ output
  private func stereo(ofChannels count: Int) throws -> [Float] {
    let path = scratch.file("a.wav")
    let writer = try AudioFileWriter(path: path, samples: .float32, sampleRate: 48000, channelCount: count)
    try writer.write((0..<count).map { Array(repeating: Float(1 << $0) / 1024, count: 4800) })
    try writer.finish()
    let player = try SoundPlayerNode(FileSound(path: path))
    let engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      try graph.attach(player)
      try graph.attach(output)
      try graph.connect(player, to: output)
    }
    player.play()
    let sides = try engine.render(frameCount: 2400)
    return sides.channels.map { $0[2000] * 1024 }
  }

  private static let part = Float(0.5).squareRoot()

  @Test(
    "plays each of them, but low frequencies",
    arguments: [
      (3, [1 + 4 * part, 2 + 4 * part]), (5, [1 + 12 * part, 2 + 20 * part]),
      (6, [1 + 20 * part, 2 + 36 * part]), (7, [9 + 36 * part, 10 + 68 * part]),
      (9, [511.0 / 9, 511.0 / 9]),
    ] as [(Int, [Float])])
  func mixed(count: Int, levels: [Float]) throws {
    for (side, level) in zip(try stereo(ofChannels: count), levels) { #expect(abs(side - level) < 0.001) }
  }
}
