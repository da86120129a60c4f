import AudioGraph
import Synchronization
import TestSupport
import Testing

@Suite("The buffer player", .timeLimit(.minutes(1)))
struct BufferPlayerTests {
  private let player = BufferPlayerNode(format: .mono(48000))
  private let engine: AudioEngine
  private let ends = BufferEnds()

  init() throws {
    engine = try AudioEngine.chain(player, output: try OutputNode(channelCount: 1, sourceCount: 1))
  }

  private func buffer(_ samples: [Float]) -> AudioBuffer { AudioBuffer([samples], sampleRate: 48000) }
  private func zeros(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }
  private func counting(from first: Int = 1, _ count: Int) -> [Float] { (first..<first + count).map(Float.init) }
  private func render(_ count: Int, sliceSize: Int = 100) -> [Float] {
    engine.render(count, channels: 1, sliceSize: sliceSize)[0]
  }

  /// What is left of a level after so many frames of a fade.
  private func fading(_ level: Float) -> [Float] { (1...64).map { level * (1 - Float($0) / 64) } }

  @Test("plays a buffer from the frame it is given, whatever the slice size", arguments: [1, 64, 100, 5000])
  func atSampleTime(sliceSize: Int) throws {
    try player.schedule(buffer(counting(300)), at: 100, whenEnded: ends.handler)
    player.play()
    #expect(render(500, sliceSize: sliceSize) == zeros(100) + counting(300) + zeros(100))
    #expect(ends.told(by: player) == [.played(until: 400)] && player.scheduledCount == 0)
  }

  @Test("plays buffers one after the other without a gap, and a late one as soon as it can")
  func gapless() throws {
    for (first, time) in [(1, nil), (71, nil), (141, 5), (211, 1000)] as [(Int, Int64?)] {
      try player.schedule(buffer(counting(from: first, 70)), at: time, whenEnded: ends.handler)
    }
    player.play()
    #expect(render(1100) == counting(210) + zeros(790) + counting(from: 211, 70) + zeros(30))
    #expect(ends.told(by: player) == [70, 140, 210, 1070].map { .played(until: $0) })
  }

  @Test("plays slices, every channel, and what a buffer was when it was scheduled")
  func samples() throws {
    let player = BufferPlayerNode(format: .stereo(48000))
    let engine = try AudioEngine.chain(player, output: try OutputNode(channelCount: 2))
    var ramp = AudioBuffer([counting(300), counting(from: 1001, 300)], sampleRate: 48000)
    try player.schedule(ramp[100..<200])
    ramp[0, 100] = -1
    player.play()
    let played = engine.render(128)
    #expect(played == [counting(from: 101, 100) + zeros(28), counting(from: 1101, 100) + zeros(28)])
  }

  @Test("waits for play, holds in pause and goes on where it was; what it hides it fades")
  func pause() throws {
    try player.schedule(buffer([Float](repeating: 1, count: 1000)))
    #expect(render(128) == zeros(128) && player.position == nil && !player.isPlaying)
    player.play()
    #expect(render(128).allSatisfy { $0 == 1 } && player.isPlaying && player.position == 128.0 / 48000)
    player.pause()
    #expect(render(128) == fading(1) + zeros(64))
    #expect(player.position == 192.0 / 48000)
    player.play()
    let rise = render(1000)
    #expect(rise == (1...64).map { Float($0) / 64 } + [Float](repeating: 1, count: 744) + zeros(192))
    #expect(player.position == nil)
  }

  @Test("forgets everything in stop, tells so, and plays what is scheduled after it")
  func stop() throws {
    for _ in 1...2 { try player.schedule(buffer([Float](repeating: 1, count: 10_000)), whenEnded: ends.handler) }
    player.play()
    _ = render(128)
    player.stop()
    #expect(ends.told == [.stopped, .stopped] && player.scheduledCount == 0)
    try player.schedule(buffer(counting(100)), whenEnded: ends.handler)
    player.play()
    #expect(render(228) == fading(1) + counting(100) + zeros(64))
    #expect(ends.told(by: player).last == .played(until: 292))
  }

  @Test("repeats a loop to the frame until the next buffer is due, and ends it with the pass", arguments: [1, 7, 100])
  func loops(length: Int) throws {
    try player.schedule(buffer(counting(length)), options: .loops, whenEnded: ends.handler)
    try player.schedule(buffer([-1, -2]), at: 640, whenEnded: ends.handler)
    player.play()
    let passes = (640 + length - 1) / length
    let loop = (0..<passes).flatMap { _ in counting(length) }
    #expect(render(800) == loop + [-1, -2] + zeros(800 - loop.count - 2))
    #expect(ends.told(by: player) == [.played(until: Int64(loop.count)), .played(until: Int64(loop.count + 2))])
  }

  @Test("loops for ever where nothing follows, until it is stopped")
  func endlessLoop() throws {
    try player.schedule(buffer(counting(5)), options: .loops, whenEnded: ends.handler)
    player.play()
    #expect(render(5000) == (0..<1000).flatMap { _ in counting(5) } && ends.told(by: player).isEmpty)
    player.stop()
    #expect(ends.told == [.stopped])
  }

  @Test("lets a buffer interrupt at its frame; what sounded fades out under it", arguments: [64, 100, 127, 128])
  func interruption(frame: Int) throws {
    try player.schedule(buffer([Float](repeating: 1, count: 10_000)), options: .loops, whenEnded: ends.handler)
    try player.schedule(buffer(counting(10)), at: 90_000, whenEnded: ends.handler)
    try player.schedule(
      buffer([Float](repeating: 2, count: 200)), at: Int64(frame), options: .interrupts, whenEnded: ends.handler)
    try player.schedule(buffer([5]), whenEnded: ends.handler)
    player.play()
    let ones = [Float](repeating: 1, count: frame)
    let under = fading(1).map { 2 + $0 } + [Float](repeating: 2, count: 136)
    #expect(render(500) == ones + under + [5] + zeros(500 - frame - 201))
    #expect(
      ends.told(by: player)
        == [.stopped, .stopped, .played(until: Int64(frame + 200)), .played(until: Int64(frame + 201))])
  }

  @Test("interrupts with an empty buffer, which ends the sound at a frame, and at once where no time is given")
  func emptyInterruption() throws {
    try player.schedule(buffer([Float](repeating: 1, count: 10_000)), options: .loops)
    try player.schedule(buffer([]), at: 100, options: [.interrupts, .loops], whenEnded: ends.handler)
    player.play()
    #expect(render(256) == [Float](repeating: 1, count: 100) + fading(1) + zeros(92))
    #expect(ends.told(by: player) == [.played(until: 100)])
    try player.schedule(buffer([Float](repeating: 3, count: 1000)))
    _ = render(64)
    try player.schedule(buffer([7]), options: .interrupts)
    #expect(render(128) == [7 + 3 * 63.0 / 64] + fading(3).dropFirst() + zeros(64))
  }

  @Test("of several interruptions the earliest comes first, and leaves out what was scheduled before it")
  func severalInterruptions() throws {
    try player.schedule(buffer([Float](repeating: 1, count: 1000)), whenEnded: ends.handler)
    for (time, level) in [(300, 4), (200, 2), (250, 3), (250, 5)] as [(Int64, Float)] {
      try player.schedule(
        buffer([Float](repeating: level, count: 1000)), at: time, options: .interrupts, whenEnded: ends.handler)
    }
    player.play()
    let played = render(400)
    // 50 frames are too short for a whole fade: two are heard at once.
    #expect(played[199] == 1 && played[200] == 2 + 63.0 / 64 && played[249] == 2 + 14.0 / 64)
    #expect(played[250] == 5 + 13.0 / 64 + 2 * 63.0 / 64 && played[262] == 5 + 1.0 / 64 + 2 * 51.0 / 64)
    #expect(played[300] == 5 + 2 * 13.0 / 64 && played[314...].allSatisfy { $0 == 5 })
    #expect(ends.told(by: player) == [.stopped, .stopped, .stopped, .stopped])
  }

  @Test("refuses another format, and one buffer more than there is room for, before anything is lost")
  func refusals() throws {
    let wrong = #expect(throws: BufferPlayerError.self) {
      try player.schedule(AudioBuffer(format: .stereo(48000), frameCount: 1))
    }
    #expect(
      wrong?.description
        == "scheduling a buffer on buffer player: it has 48000 Hz stereo and the player 48000 Hz mono; "
        + "convert it with converted(to:) first")
    for number in 1...BufferPlayerNode.capacity { try player.schedule(buffer([Float(number)])) }
    #expect(throws: BufferPlayerError.full(player: "buffer player")) { try player.schedule(buffer([0])) }
    player.play()
    #expect(render(1100) == counting(BufferPlayerNode.capacity) + zeros(1100 - BufferPlayerNode.capacity))
    player.prepareToRender(frameCount: 0)
    #expect(player.scheduledCount == 0)
    #expect(throws: Never.self) { try player.schedule(buffer([0])) }
  }

  @Test("shares the memory of a buffer until that has ended or is stopped, and then lets it go")
  func memory() throws {
    var held = buffer(counting(1000))
    /// Whether a change of the buffer needs a copy because something else has its memory.
    func isShared() -> Bool {
      let before = held.span(ofChannel: 0).withUnsafeBufferPointer { $0.baseAddress }
      held[0, 0] += 1
      return held.span(ofChannel: 0).withUnsafeBufferPointer { $0.baseAddress } != before
    }
    #expect(!isShared())
    try player.schedule(held)
    #expect(isShared())
    player.stop()

    try player.schedule(held)
    player.play()
    _ = render(1024)
    player.prepareToRender(frameCount: 0)
    #expect(!isShared())

    try player.schedule(held, options: .loops)
    _ = render(640)
    player.stop()
    _ = render(128)
    for _ in 1...2 { player.prepareToRender(frameCount: 0) }
    #expect(!isShared())
  }

  @Test("counts frames of the engine also where its own rate is another")
  func otherRate() throws {
    let player = BufferPlayerNode(format: .mono(24000))
    let engine = try AudioEngine.chain(player, output: try OutputNode(channelCount: 1, sourceCount: 1))
    try player.schedule(
      AudioBuffer(format: .mono(24000), frameCount: 2400) { _, _ in 0.5 }, at: 4800, whenEnded: ends.handler)
    player.play()
    let played = try engine.render(frameCount: 14_400)[0]
    #expect(abs((played.firstIndex { $0 > 0.25 } ?? 0) - 4800) <= 2)
    #expect(abs((played.lastIndex { $0 > 0.25 } ?? 0) - 9599) <= 2)
    #expect(ends.told(by: player) == [.played(until: 9600)])
  }
}

/// What a player told of the ends of its buffers, in order.
private final class BufferEnds: Sendable {
  private let all = Mutex<[PlaybackEnd<Never>]>([])

  var told: [PlaybackEnd<Never>] { all.withLock { $0 } }

  /// Ends that the last slice brought are told of before the next.
  func told(by player: BufferPlayerNode) -> [PlaybackEnd<Never>] {
    player.prepareToRender(frameCount: 0)
    return told
  }

  var handler: @Sendable (PlaybackEnd<Never>) -> Void {
    { end in self.all.withLock { $0.append(end) } }
  }
}
