import AudioGraph
import Glibc
import SynthAudioFiles
import TestSupport
import Testing

@Suite("The sound player", .timeLimit(.minutes(2)))
struct SoundPlayerTests {
  private let scratch = Scratch()

  private func sound(_ samples: [Float], rate: Int = 48000) throws -> FileSound {
    let path = scratch.file("\(UInt64.random(in: 0 ... .max)).wav")
    let writer = try AudioFileWriter(path: path, samples: .float32, sampleRate: rate, channelCount: 1)
    try writer.write([samples])
    try writer.finish()
    return try FileSound(path: path)
  }

  private func sine(_ frequency: Double, seconds: Double, rate: Double = 48000) -> [Float] {
    (0..<Int(seconds * rate)).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
  }

  /// player ─ output
  private func engine(_ player: SoundPlayerNode) throws -> AudioEngine {
    let engine = AudioEngine(sampleRate: 48000)
    let output = try OutputNode(channelCount: 2)
    try engine.edit { graph in
      try graph.attach(player)
      try graph.attach(output)
      try graph.connect(player, to: output)
    }
    return engine
  }

  private func render(_ engine: AudioEngine, _ count: Int, channel: Int = 0, channels: Int = 2) throws -> [Float] {
    let buffer = SampleBuffer(channelCount: channels, frameCapacity: 500)
    var samples: [Float] = []
    while samples.count < count {
      let part = min(500, count - samples.count)
      try engine.render(buffer.slice(frameCount: part))
      samples += buffer.channel(channel, frameCount: part)
    }
    return samples
  }

  private func frequency(_ samples: ArraySlice<Float>) -> Double {
    let places = zip(samples.indices, samples.indices.dropFirst()).compactMap { before, after -> Double? in
      guard samples[before] < 0, samples[after] >= 0 else { return nil }
      return Double(before) + Double(samples[before] / (samples[before] - samples[after]))
    }
    return 48000 * Double(places.count - 1) / ((places.last ?? 0) - (places.first ?? 0))
  }

  private func steepest(_ samples: [Float]) -> Float {
    zip(samples, samples.dropFirst()).map { abs($0 - $1) }.max() ?? 0
  }

  @Test("plays every sample as it is, to the last, and then again from the start")
  func exact() throws {
    let player = try SoundPlayerNode(sound(counting(10_000)))
    let engine = try engine(player)
    #expect(try render(engine, 100) == [Float](repeating: 0, count: 100))
    player.play()
    let played = try render(engine, 12_028)  // two quanta were begun
    let first = try #require(played.firstIndex(of: 1))
    #expect(Array(played[first..<first + 10_000]) == counting(10_000))
    #expect(played[(first + 10_000)...].allSatisfy { $0 == 0 })
    #expect(!player.isPlaying && player.position == player.duration)
    player.play()
    #expect(try render(engine, 1000).contains(900))
    #expect(player.missingFrameCount == 0)
  }

  @Test("leaves another player of the same sound what that needs, wherever it goes itself")
  func shared() throws {
    let sound = try sound(counting(1_000_000))
    let (player, other) = (try SoundPlayerNode(sound), try SoundPlayerNode(sound))
    let (engine, otherEngine) = (try engine(player), try engine(other))
    player.play()
    other.play()
    var played: [Float] = []
    for round in 0..<20 {
      other.position = 6 + Double(round) / 2
      _ = try render(otherEngine, 2400)
      played += try render(engine, 2400)
    }
    #expect(played == counting(48_000))
    #expect(player.missingFrameCount == 0 && other.missingFrameCount == 0)
  }

  @Test("repeats a passage to the frame, as often as it is told")
  func looped() throws {
    let player = try SoundPlayerNode(sound(counting(10_000)))
    let engine = try engine(player)
    player.loop = SoundLoop(0.05, 0.1, passCount: 3)  // frames 2400 to 4799
    player.play()
    let wanted = counting(4800) + counting(from: 2401, 2400) + counting(from: 2401, 2400) + counting(from: 4801, 5200)
    #expect(try render(engine, wanted.count) == wanted)
    #expect(player.loop == SoundLoop(0.05, 0.1, passCount: 3))
  }

  @Test("varies speed and pitch together, by the sinc's curve", arguments: [0.25, 0.5, 0.8, 1.5, 4])
  func varispeed(rate: Double) throws {
    let player = try SoundPlayerNode(sound(sine(441, seconds: 8)))
    player.rate.value = Float(rate)
    player.play()
    let played = try render(try engine(player), 48_000)
    let exact = Double(Float(rate))
    let errors = played.indices.dropFirst(100).map {
      abs(Double(played[$0]) - 0.5 * sin(2 * .pi * 441 * exact * Double($0) / 48000))
    }
    #expect((errors.max() ?? 1) < 3e-5)
  }

  @Test("parts rate from pitch", arguments: [(0.5, 0), (1.5, 0), (1, 700), (0.8, -300)] as [(Float, Float)])
  func stretched(rate: Float, pitch: Float) throws {
    let player = try SoundPlayerNode(sound(sine(441, seconds: 4)))
    player.keepsPitch.value = 1
    player.rate.value = rate
    player.pitch.value = pitch
    player.play()
    let played = try render(try engine(player), 96_000)
    #expect(abs(1200 * log2(frequency(played[9600..<90_000]) / 441) - Double(pitch)) < 2)
    #expect(abs(player.position - 2 * Double(rate)) < 0.01)
  }

  @Test("of another rate is converted")
  func converted() throws {
    let player = try SoundPlayerNode(sound(sine(441, seconds: 1, rate: 44100), rate: 44100))
    player.play()
    let played = try render(try engine(player), 40_000)
    let errors = zip(played, sine(441, seconds: 1)).map { abs($0 - $1) }.dropFirst(500)
    #expect((errors.max() ?? 1) < 1e-5)
  }

  @Test("is turned, sped, sought in, looped and paused without a click, and says where it is")
  func clickless() throws {
    let player = try SoundPlayerNode(sound(sine(100, seconds: 20)))
    let engine = try engine(player)
    player.play()
    var played: [Float] = []
    func go(_ change: () -> Void) throws {
      change()
      played += try render(engine, 9_600)
    }
    try go {}
    try go { player.gain.value = -6 }
    try go { player.pan.value = 0.5 }
    try go { player.rate.value = 1.3 }
    try go { player.position = 12.3456 }
    #expect(abs(player.position - (12.3456 + 1.3 * 0.2)) < 0.005)
    try go { player.keepsPitch.value = 1 }
    try go { player.pitch.value = 300 }
    try go { player.loop = SoundLoop(12.9, 13) }
    try go { player.pause() }
    #expect(!player.isPlaying && played.suffix(2000).allSatisfy { $0 == 0 })
    player.position = 3
    #expect(player.position == 3)
    try go { player.play() }
    // A sine of 100 Hz and 0.5 has steps of 0.0066, at 1.3 times the rate of 0.0085.
    let step = steepest(played)
    #expect(step < 0.012)
    #expect(played.suffix(4800).contains { $0 > 0.05 })
  }

  @Test("two players have a pair of channels each")
  func pairs() throws {
    let players = try [0.25, 0.5].map { level in
      try SoundPlayerNode(sound([Float](repeating: level, count: 4800)))
    }
    let pairs = try MatrixMixerNode(inputChannelCounts: [2, 2], outputChannelCount: 4)
    let output = try OutputNode(channelCount: 4, sourceCount: 4)
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      for node in players + [pairs, output] as [any AudioNode] { try graph.attach(node) }
      for (pair, player) in players.enumerated() { try graph.connect(player, to: pairs, toBus: pair) }
      try graph.connect(pairs, to: output)
    }
    pairs.route(input: 1, toOutputsFrom: 2)
    for player in players { player.play() }
    let buffer = SampleBuffer(channelCount: 4, frameCapacity: 4096)
    try engine.render(buffer.slice(frameCount: 4096))
    #expect((0..<4).map { buffer.channel($0, frameCount: 4096)[4000] } == [0.25, 0.25, 0.5, 0.5])
  }
}
