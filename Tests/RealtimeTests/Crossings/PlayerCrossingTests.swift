import AudioGraph
import Synchronization
import SynthAudioFiles
import SynthRealtime
import TestSupport
import Testing

@Suite("What crosses between a file player and its threads", .timeLimit(.minutes(5)))
struct FilePlayerCrossingTests {
  @Test("every segment's end is told of once, while it is rendered, stopped, paused and scheduled")
  func ends() throws {
    let told = Counter()
    let scheduled = 50 * 4
    do {
      let path = try TestNodes.constantFile()
      defer { TestNodes.remove(path) }
      let player = try FilePlayerNode(format: .stereo(48000), bufferDuration: 0.1)
      try whileRendered(player) { engine in
        for round in 0..<50 {
          for start in 0..<4 {
            try player.schedule(AudioFileSegment(path, start: start * 100, frameCount: 100 * start)) { _ in told.add() }
          }
          player.play()
          if round.isMultiple(of: 3) { player.stop() }
          if round.isMultiple(of: 2) { player.pause() }
          // The thread renders for less than a second of the clock; a torn value would lie anywhere.
          #expect((0..<1 << 40).contains(engine.sampleTime))
        }
      }
    }
    #expect(told.count == scheduled)
  }
}

@Suite("What crosses between a buffer player and its threads", .timeLimit(.minutes(5)))
struct BufferPlayerCrossingTests {
  @Test("every buffer's end is told of once, while they are rendered, looped, interrupted, changed and stopped")
  func ends() throws {
    let told = Counter()
    var scheduled = 0
    do {
      let player = BufferPlayerNode(format: .stereo(48000))
      var buffer = AudioBuffer(format: .stereo(48000), frameCount: 300)
      try whileRendered(player) { engine in
        for round in 0..<200 {
          for options in [[], .loops, .interrupts, [.loops, .interrupts]] as [BufferPlaybackOptions] {
            let time = round.isMultiple(of: 5) ? engine.sampleTime + 1000 : nil
            try player.schedule(buffer, at: time, options: options) { _ in told.add() }
            buffer[0, round] += 1
            scheduled += 1
          }
          player.play()
          if round.isMultiple(of: 3) { player.stop() }
          if round.isMultiple(of: 2) { player.pause() }
          #expect((player.position ?? 0) < 300 / 48000.0 && player.scheduledCount <= BufferPlayerNode.capacity)
        }
      }
    }
    #expect(eventually { told.count == scheduled })
  }
}

/// Does work on this thread while another renders what a player plays.
private func whileRendered(_ player: any AudioNode, _ work: (AudioEngine) throws -> Void) throws {
  let engine = AudioEngine(sampleRate: 48000)
  try engine.edit { graph in
    let output = try OutputNode(channelCount: 2)
    try graph.attach(player)
    try graph.attach(output)
    try graph.connect(player, to: output)
  }
  let isDone = Counter()
  let thread = RunningThread {
    var buffer = AudioBuffer(format: .stereo(48000), frameCount: 100)
    while isDone.count == 0 {
      buffer.withRenderSlice { AudioEngine.outputCallback(engine.outputContext, &$0) }
    }
  }
  defer {
    isDone.add()
    thread.join()
  }
  try work(engine)
}

/// How often something happened.
private final class Counter: Sendable {
  private let atomic = Atomic(0)

  var count: Int { atomic.load(ordering: .acquiring) }

  func add() { atomic.add(1, ordering: .acquiringAndReleasing) }
}

@Suite("What crosses between players of one sound on several threads", .timeLimit(.minutes(5)))
struct SharedSoundCrossingTests {
  @Test("no page goes while any of them reads it, however the others jump")
  func jumps() throws {
    let path = try TestNodes.constantFile(seconds: 60)
    defer { TestNodes.remove(path) }
    let sound = try FileSound(path: path)
    let players = try (0..<3).map { _ in try SoundPlayerNode(sound) }
    let isDone = Flag()
    let threads = try players.map { player in
      let engine = AudioEngine(sampleRate: 48000)
      let output = try OutputNode(channelCount: 2)
      try engine.edit { graph in
        try graph.attach(player)
        try graph.attach(output)
        try graph.connect(player, to: output)
      }
      return RunningThread {
        let buffer = SampleBuffer(channelCount: 2, frameCapacity: 256)
        while !isDone.isRaised { try? engine.render(buffer.slice(frameCount: 256)) }
      }
    }
    for round in 0..<300 {
      let player = players[round % 3]
      player.play()
      player.loop = SoundLoop(0, sound.duration)
      player.position = sound.duration * Double(round % 7) / 7
    }
    isDone.raise()
    for thread in threads { thread.join() }
    #expect(players.allSatisfy { $0.isPlaying })
  }
}

private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isRaised: Bool { value.load(ordering: .acquiring) }
  func raise() { value.store(true, ordering: .releasing) }
}
