import AudioGraph
import SynthAudioFiles
import TestSupport
import Testing

@Suite("Files and places that are not finite", .timeLimit(.minutes(2)))
struct NonFiniteFileTests {
  private let scratch = Scratch()

  /// A file of floats as a program may have written it.
  private func file(_ samples: [Float]) throws -> String {
    let path = scratch.file("bad.wav")
    let writer = try AudioFileWriter(path: path, samples: .float32, sampleRate: 48000, channelCount: 1)
    try writer.write([samples])
    try writer.finish()
    return path
  }

  @Test("samples of a file are read as 0")
  func samples() throws {
    let reader = try AudioFileReader(path: try file([0.5, .nan, .infinity, -Float.infinity, 0.25]))
    #expect(Array(try reader.readAll()[0]) == [0.5, 0, 0, 0, 0.25])
  }

  @Test(
    "a player clamps its place and loop, and ignores NaN", arguments: [Double.infinity, -Double.infinity, 1e300, -1])
  func player(_ number: Double) throws {
    let sound = try FileSound(path: try file([Float](repeating: 0.25, count: 48000)))
    let player = try SoundPlayerNode(sound)
    player.position = 0.5
    player.position = .nan
    #expect(player.position == 0.5)
    player.position = number
    #expect((0...1).contains(player.position))
    let loop = SoundLoop(0, 0.5)
    player.loop = loop
    for bad in [SoundLoop(.nan, 1), SoundLoop(0, .nan)] {
      player.loop = bad
      #expect(player.loop == loop)
    }
    player.loop = SoundLoop(number, -number, passCount: .min)
    sound.prepare(at: .nan)
    sound.prepare(at: number)
    let engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      try graph.attach(player)
      try graph.attach(output)
      try graph.connect(player, to: output)
    }
    player.play()
    #expect(try engine.render(frameCount: 6400).channels.joined().allSatisfy { $0.isFinite })
  }

  @Test("a recorder that is finished and not stopped has the frames that were rendered", arguments: [1, 63, 100, 777])
  func recorder(frameCount: Int) throws {
    let path = scratch.file("take.wav")
    let recorder = try FileRecorder(path: path, samples: .float32, format: .mono(48000))
    let source = SourceNode(format: .mono(48000)) { request in
      request.buffers[0].update(repeating: 0.5, count: request.frameCount)
    }
    let engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    try engine.edit { graph in
      try graph.attach(source)
      try graph.attach(output)
      try graph.connect(source, to: output)
      try graph.tap(source, with: recorder.node)
    }
    recorder.start()
    _ = try engine.render(frameCount: frameCount)
    try recorder.finish()
    #expect(try AudioFileReader(path: path).readAll().frameCount == frameCount)
  }
}
