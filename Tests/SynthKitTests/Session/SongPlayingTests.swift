import AudioGraph
import Foundation
import SynthALSA
import SynthKit
import SynthMIDI
import TestSupport
import Testing

@Suite("Playing on a device", .timeLimit(.minutes(1)))
struct SongPlayingTests {
  private let directory = FileManager.default.temporaryDirectory.appending(path: "player-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true) }

  private func play(_ song: Song, to file: URL, period: Int, map: ChannelMap?, channels: Int) throws -> Double {
    let request = PCMRequest(
      device: "file:'\(file.path)',raw", channelCount: channels, sampleRate: 48000, period: period)
    let output = try DeviceOutput([request])
    #expect(output.device.parameters.format == .float32)
    let session = try session(on: output, channelMap: map)
    try session.play(song)
    session.wait()
    return session.position
  }

  private func session(on output: DeviceOutput, channelMap: ChannelMap? = nil) throws -> Session {
    let configuration = SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], channelMap: channelMap)
    return Session(try Synthesizer(configuration.adapted(to: output)), output: output)
  }

  private func samples(_ file: URL) throws -> [Float] {
    try Data(contentsOf: file).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }

  @Test(
    "what a device got is what offline rendering gives, sample for sample, through the channel map, to the last frame",
    arguments: [64, 100, 1024])
  func liveEqualsOffline(period: Int) throws {
    let song = try song(strike(60, ticks: 480), strike(67, channel: 9, ticks: 100))
    let map = ChannelMap([1, -1, 0])
    let file = directory.appending(path: "\(period).raw")
    let position = try play(song, to: file, period: period, map: map, channels: 3)
    let live = try samples(file)

    let synthesizer = try Synthesizer(
      SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont], channelCount: 3, channelMap: map))
    synthesizer.play(song)
    let offline = synthesizer.samples(live.count / 3)
    #expect(live.count % 3 == 0 && position == Double(live.count / 3) / 48000)
    #expect((0..<3).map { channel in stride(from: channel, to: live.count, by: 3).map { live[$0] } } == offline)
    #expect(offline[0].contains { abs($0) > 0.01 })
  }

  @Test("an early end is a fade, and the next song begins as on a new player")
  func fadeOut() throws {
    let file = directory.appending(path: "fade.raw")
    let request = PCMRequest(device: "file:'\(file.path)',raw", channelCount: 2, sampleRate: 48000, period: 256)
    let player = try session(on: try DeviceOutput([request]))
    // An organ, whose notes do not fade by themselves.
    try player.play(try song([0, 0xC0, 19, 0, 0xB0, 91, 127], [0, 0x90, 48, 100], vlq(960 * 600), [0x80, 48, 64]))
    while player.position < 2 { usleep(1000) }
    try player.fadeOut()
    let faded = try samples(file)
    #expect(faded.suffix(2 * 768).allSatisfy { abs($0) < 1e-4 })
    let left = stride(from: 0, to: faded.count, by: 2).map { faded[$0] }
    let bends = left.indices.dropFirst().dropLast().map { abs(left[$0 - 1] - 2 * left[$0] + left[$0 + 1]) }
    // The first second is the attack; the fade's bends are those of what sounds.
    #expect((bends[48000...].max() ?? 1) <= 1.5 * (bends[48000..<96000].max() ?? 0))
    let next = try song(strike(60, ticks: 480))
    try player.play(next)
    player.wait()
    let all = try samples(file)
    let fresh = try Synthesizer(SynthesizerConfiguration(soundFonts: [try TestFiles.soundFont]))
    fresh.play(next)
    let offline = fresh.samples((all.count - faded.count) / 2)[0]
    let isFresh = stride(from: faded.count, to: all.count, by: 2).map { all[$0] } == offline
    #expect(isFresh && offline.contains { abs($0) > 0.01 })
  }

  @Test("a player plays one song after the other")
  func twice() throws {
    let player = try session(on: try DeviceOutput([PCMRequest(device: "null", sampleRate: 48000)]))
    let song = try song(strike(60, ticks: 96))
    var positions: [Double] = []
    for _ in 0..<2 {
      try player.play(song)
      player.wait()
      positions.append(player.position)
    }
    #expect(positions[0] > 0.1)
    #expect(abs(positions[0] - positions[1]) < 0.1)
  }

  @Test("a second puller is refused, whichever comes first")
  func secondPuller() throws {
    let player = try session(on: try DeviceOutput([PCMRequest(device: "null", sampleRate: 48000)]))
    let engine = player.synthesizer.engine
    let day = try song([0, 0x90, 60, 100], vlq(960 * 3600 * 10) + [0x80, 60, 0])
    try player.play(day)
    #expect(throws: EngineError.pulled(operation: "rendering", by: .outputUnit)) { try engine.render(frameCount: 64) }
    try player.stop()
    #expect(throws: Never.self) { try engine.render(frameCount: 64) }
    let node = try GraphNode(engine)
    #expect(throws: EngineError.pulled(operation: "starting", by: .outerEngine)) { try player.play(day) }
    #expect(!player.isPlaying)
    withExtendedLifetime(node) {}
  }

  @Test("stop ends a song early, from another thread than the device's")
  func stop() throws {
    let player = try session(on: try DeviceOutput([PCMRequest(device: "null", sampleRate: 48000)]))
    try player.play(try song([0, 0x90, 60, 100], vlq(960 * 3600 * 10) + [0x80, 60, 0]))
    try player.stop()
    player.wait()
    #expect(!player.isPlaying)
    #expect(player.position < 36000)
  }
}
