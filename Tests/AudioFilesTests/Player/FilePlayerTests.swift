import AudioGraph
import Glibc
import SynthAudioFiles
import TestSupport
import Testing

@Suite("The file player", .timeLimit(.minutes(1)))
struct FilePlayerTests {
  private func zeros(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

  @Test("plays a file from the sample time it is given, whatever the slice size", arguments: [1, 64, 100, 1000, 5000])
  func atSampleTime(sliceSize: Int) throws {
    let bench = try PlayerBench()
    let ends = Ends()
    try bench.player.schedule(bench.file("a.wav", [counting(3000)]), at: 100, whenEnded: ends.handler)
    bench.player.play()
    #expect(try bench.render(5000, sliceSize: sliceSize)[0] == zeros(100) + counting(3000) + zeros(1900))
    #expect(ends.told == [.played(until: 3100)])
    #expect(bench.player.missingFrameCount == 0)
  }

  @Test("plays segments one after the other without a gap, and a late one as soon as it can")
  func gapless() throws {
    let bench = try PlayerBench()
    let ends = Ends()
    var segment = try bench.file("a.wav", [counting(2000)])
    segment.frameCount = 70
    for (start, time) in [(0, nil), (70, nil), (140, 5), (210, 1000)] as [(Int, Int64?)] {
      segment.start = start
      try bench.player.schedule(segment, at: time, whenEnded: ends.handler)
    }
    bench.player.play()
    let played = try bench.render(1100)[0]
    #expect(played == counting(210) + zeros(790) + counting(from: 211, 70) + zeros(30))
    #expect(ends.told == [.played(until: 70), .played(until: 140), .played(until: 210), .played(until: 1070)])
  }

  @Test("reads a file of any length, also beyond what it reads ahead, to its last frame")
  func longFile() throws {
    let bench = try PlayerBench(channelCount: 2, bufferDuration: 0.1)
    let left = counting(200_000)
    try bench.player.schedule(bench.file("a.wav", [left, left.map { -$0 }]))
    bench.player.play()
    #expect(try bench.render(200_100, sliceSize: 1000) == [left + zeros(100), left.map { -$0 } + zeros(100)])
  }

  @Test("waits for play, holds in pause and goes on where it was; what it hides it fades")
  func pause() throws {
    let bench = try PlayerBench()
    try bench.player.schedule(bench.file("a.wav", [[Float](repeating: 1, count: 1000)]))
    #expect(try bench.render(128)[0] == zeros(128))
    bench.player.play()
    #expect(try bench.render(128)[0].allSatisfy { $0 == 1 })
    bench.player.pause()
    let fall = try bench.render(128)[0]
    #expect(fall == (1...64).map { 1 - Float($0) / 64 } + zeros(64))
    bench.player.play()
    let rise = try bench.render(1000)[0]
    #expect(rise.prefix(64) == ArraySlice((1...64).map { Float($0) / 64 }))
    #expect(rise.dropFirst(64) == ArraySlice([Float](repeating: 1, count: 1000 - 256) + zeros(192)))
  }

  @Test("forgets everything in stop, tells so, and plays what is scheduled after it")
  func stop() throws {
    let bench = try PlayerBench()
    let ends = Ends()
    let ones = try bench.file("a.wav", [[Float](repeating: 1, count: 100_000)])
    for _ in 1...2 { try bench.player.schedule(ones, whenEnded: ends.handler) }
    bench.player.play()
    _ = try bench.render(128)
    bench.player.stop()
    #expect(ends.told == [.stopped, .stopped])
    try bench.player.schedule(bench.file("b.wav", [counting(100)]), whenEnded: ends.handler)
    bench.player.play()
    let played = try bench.render(228)[0]
    #expect(played == (1...64).map { 1 - Float($0) / 64 } + counting(100) + zeros(64))
    #expect(ends.told.last == .played(until: 128 + 64 + 100))
    #expect(bench.player.missingFrameCount == 0)
  }

  @Test("is cut off by a reset of the engine, and plays from sample time 0 what is scheduled after it")
  func reset() throws {
    let bench = try PlayerBench()
    try bench.player.schedule(bench.file("a.wav", [[Float](repeating: 1, count: 1000)]))
    bench.player.play()
    _ = try bench.render(128)
    try bench.engine.reset()
    try bench.player.schedule(bench.file("b.wav", [counting(100)]), at: 0)
    bench.player.play()
    #expect(try bench.render(128)[0] == counting(100) + zeros(28))
  }

  // player at 44.1 kHz ─► mixer ─► output at 48 kHz
  @Test(
    "is heard at the frame of the engine that it was told, whatever the rates of the file and of the player",
    arguments: [(44100, 44100.0), (44100, 48000), (48000, 44100), (96000, 22050)])
  func frameOfTheEngine(fileRate: Int, playerRate: Double) throws {
    let bench = try PlayerBench()
    // An impulse after 100 ms, broad enough for every rate's filter.
    var samples = [Float](repeating: 0, count: fileRate / 5)
    let width = fileRate / 5000
    for frame in -width...width { samples[fileRate / 10 + frame] = 1 - abs(Float(frame)) / Float(width + 1) }
    let segment = try bench.file("impulse.wav", [samples], rate: fileRate)
    let player = try FilePlayerNode(format: .mono(playerRate))
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      try graph.attach(player)
      try graph.attach(output)
      try graph.connect(player, to: output)
    }
    let ends = Ends()
    try player.schedule(segment, at: 10_000, whenEnded: ends.handler)
    try player.schedule(segment, at: 30_001)
    player.play()
    let sound = try engine.render(frameCount: 48000)[0]
    for (start, onset) in [(0, 10_000), (30_000, 30_001)] {
      let peak = try #require(sound.indices[start...].prefix(20_000).max { sound[$0] < sound[$1] })
      #expect(abs(peak - onset - 4800) <= 1)
      #expect(sound[peak] > 0.8)
    }
    guard case .played(let end) = ends.told.first else {
      Issue.record("it has not ended")
      return
    }
    #expect(abs(end - 10_000 - 9600) <= 1)
  }

  @Test("plays many short segments without a gap, and a stream that is faster than the engine")
  func manyAndFast() throws {
    let bench = try PlayerBench(bufferDuration: 0)
    var segment = try bench.file("a.wav", [counting(3000)])
    segment.frameCount = 30
    for start in stride(from: 0, to: 3000, by: 30) {
      segment.start = start
      try bench.player.schedule(segment)
    }
    bench.player.play()
    #expect(try bench.render(3000, sliceSize: 3000)[0] == counting(3000))

    let fast = try FilePlayerNode(format: .mono(768_000), bufferDuration: 0)
    let (mixer, output) = (MixerNode(inputBusCount: 1), try OutputNode(channelCount: 2))
    let engine = AudioEngine(sampleRate: 48000)
    try engine.edit { graph in
      for node in [fast, mixer, output] as [any AudioNode] { try graph.attach(node) }
      try graph.connect(fast, to: mixer)
      try graph.connect(mixer, to: output)
    }
    try fast.schedule(bench.file("fast.wav", [counting(100_000)], rate: 768_000))
    fast.play()
    _ = try engine.render(frameCount: 6000)
    #expect(fast.missingFrameCount == 0)
  }

  @Test("gives mono to every channel, the mean to mono, and else each channel to its own")
  func channels() throws {
    let stereo = try PlayerBench(channelCount: 2)
    try stereo.player.schedule(stereo.file("mono.wav", [[1, 2]]))
    try stereo.player.schedule(stereo.file("three.wav", [[3], [4], [5]]))
    stereo.player.play()
    #expect(try stereo.render(4) == [[1, 2, 3, 0], [1, 2, 4, 0]])
    let mono = try PlayerBench()
    try mono.player.schedule(mono.file("stereo.wav", [[1, 2], [3, 6]]))
    mono.player.play()
    #expect(try mono.render(2) == [[2, 4]])
  }

  @Test("converts another rate: a sine keeps its pitch, and the file its length", arguments: [22050, 44100, 96000])
  func rates(rate: Int) throws {
    let bench = try PlayerBench()
    let ends = Ends()
    let sine = (0..<rate).map { Float(sin(2 * .pi * 1000 * Double($0) / Double(rate))) }
    try bench.player.schedule(bench.file("sine.wav", [sine], rate: rate), whenEnded: ends.handler)
    bench.player.play()
    let played = try bench.render(48100)[0]
    // The ends aside, where the sine begins and breaks off.
    for frame in 200..<47800 {
      #expect(abs(Double(played[frame]) - sin(2 * .pi * 1000 * Double(frame) / 48000)) < 1e-4)
    }
    #expect(ends.told == [.played(until: 48000)])
  }

  @Test("counts the frames that could not be read in time, and leaves none out")
  func underrun() throws {
    let bench = try PlayerBench(bufferDuration: 0)
    try bench.player.schedule(bench.file("a.wav", [counting(20_000)]))
    bench.player.play()
    bench.player.prepareToRender(frameCount: 64)
    // More than is read ahead, asked for faster than the thread looks.
    let played = try bench.render(1 << 20, sliceSize: 4096, byHand: false)[0] + bench.render(40_000)[0]
    #expect(played.filter { $0 != 0 } == counting(20_000))
    let silentWithin = played.firstIndex(of: 20_000).map { $0 + 1 - 20_000 }
    #expect(silentWithin == bench.player.missingFrameCount)
  }

  @Test("tells of ends on a thread of its own where nobody renders by hand")
  func ownThread() throws {
    let bench = try PlayerBench()
    let ends = Ends()
    try bench.player.schedule(bench.file("a.wav", [counting(100)]), whenEnded: ends.handler)
    bench.player.play()
    try #require(
      try eventually {
        _ = try bench.render(64, byHand: false)
        return !ends.told.isEmpty
      })
    guard case .played = ends.told[0] else {
      Issue.record("it ended otherwise: \(ends.told)")
      return
    }
  }

  @Test("refuses what it cannot play in one line, and plays the rest")
  func refusals() throws {
    let bench = try PlayerBench()
    let file = try bench.file("a.wav", [counting(10)])
    func refusal(_ segment: AudioFileSegment) -> String? {
      do throws(AudioFileError) {
        try bench.player.schedule(segment)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(refusal(AudioFileSegment("/none.wav")) == "opening /none.wav: no such file or directory")
    for (start, count, words) in [(11, nil, "all"), (-1, 1, "1 frames"), (5, 6, "6 frames"), (5, -1, "-1 frames")]
      as [(Int, Int?, String)]
    {
      #expect(
        refusal(AudioFileSegment(file.path, start: start, frameCount: count))
          == "reading \(file.path): \(words) from frame \(start) on are not there — it has 10, numbered from 0")
    }
    try bench.player.schedule(AudioFileSegment(file.path, start: 10))
    try bench.player.schedule(AudioFileSegment(file.path, start: 8))
    bench.player.play()
    #expect(try bench.render(3)[0] == [9, 10, 0])
  }

  @Test("plays what is there of a file whose end is gone")
  func truncated() throws {
    let bench = try PlayerBench()
    let ends = Ends()
    // Half a second is read ahead, and this lasts two.
    let file = try bench.file("a.wav", [counting(100_000)])
    try bench.player.schedule(file, whenEnded: ends.handler)
    #expect(truncate(file.path, contents(file.path).count - 4 * 50_000) == 0)
    bench.player.play()
    #expect(try bench.render(60_000)[0] == counting(50_000) + zeros(10_000))
    #expect(ends.told == [.played(until: 50_000)])
  }

  @Test("can be dropped while it plays, and from within what it calls")
  func dropped() throws {
    let ends = Ends()
    for _ in 1...20 {
      let bench = try PlayerBench()
      let file = try bench.file("a.wav", [counting(1000)])
      try bench.player.schedule(file, whenEnded: ends.handler)
      bench.player.play()
      _ = try bench.render(64, byHand: false)
    }
    #expect(ends.told == Array(repeating: .stopped, count: 20))
  }

  @Test("holds no file open for what is scheduled: 254 segments are played with room for few files")
  func fewFiles() async {
    await #expect(processExitsWith: .success) {
      let bench = try PlayerBench()
      let segment = try bench.file("a.wav", [counting(100)])
      var limit = rlimit(rlim_cur: 32, rlim_max: 32)
      #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
      for _ in 0..<254 { try bench.player.schedule(segment) }
      bench.player.play()
      #expect(try bench.render(25_400)[0] == (0..<254).flatMap { _ in counting(100) })
    }
  }

  @Test("shares its thread with all others: a hundred players play at once, and cost two threads")
  func manyPlayers() async {
    await #expect(processExitsWith: .success) {
      let before = threadCount
      let benches = try (0..<100).map { _ in try PlayerBench(bufferDuration: 0.1) }
      for (number, bench) in benches.enumerated() {
        try bench.player.schedule(bench.file("a.wav", [counting(from: number, 20_000)]))
        bench.player.play()
      }
      #expect(threadCount <= before + 2)
      for (number, bench) in benches.enumerated() {
        #expect(try bench.render(20_000)[0] == counting(from: number, 20_000))
      }
    }
  }

  @Test("fails where the file is gone by the time it is to be played, and plays what comes after it")
  func vanished() throws {
    let bench = try PlayerBench()
    let ends = Ends()
    let (gone, other) = (try bench.file("a.wav", [counting(10)]), try bench.file("b.wav", [counting(10)]))
    // Half a second is read ahead, and this lasts two.
    try bench.player.schedule(bench.file("long.wav", [counting(100_000)]))
    try bench.player.schedule(gone, whenEnded: ends.handler)
    try bench.player.schedule(other)
    #expect(unlink(gone.path) == 0)
    bench.player.play()
    #expect(try bench.render(100_010)[0] == counting(100_000) + counting(10))
    #expect(ends.told == [.failed(.cannotOpen(path: gone.path, code: ENOENT))])
  }
}

/// Of this process.
private var threadCount: Int {
  guard let tasks = opendir("/proc/self/task") else { return 0 }
  defer { closedir(tasks) }
  var count = -2
  while readdir(tasks) != nil { count += 1 }
  return count
}
