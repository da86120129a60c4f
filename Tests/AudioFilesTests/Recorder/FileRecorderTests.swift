import AudioGraph
import Foundation
import Glibc
import Synchronization
import SynthAudioFiles
import TestSupport
import Testing

@Suite("The file recorder", .timeLimit(.minutes(5)))
struct FileRecorderTests {
  private let scratch = Scratch()

  /// counting ─┬─ output
  ///           └─ recorder
  ///
  /// The source plays the sample time plus one, so that no frame of it is zero, divided by `full`.
  private func engine(_ recorder: FileRecorder, full: Float = 1) throws -> AudioEngine {
    let engine = AudioEngine(sampleRate: 48000)
    let source = SourceNode(format: .mono(48000)) { request in
      for frame in 0..<request.frameCount {
        request.buffers[0][frame] = Float(request.sampleTime + Int64(frame) + 1) / full
      }
    }
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    try engine.edit { graph in
      try graph.attach(source)
      try graph.attach(output)
      try graph.connect(source, to: output)
      try graph.tap(source, with: recorder.node)
    }
    return engine
  }

  private func recorder(
    _ name: String, bufferDuration: Double = 2, whenFailed: (@Sendable (AudioFileError) -> Void)? = nil
  ) throws -> FileRecorder {
    try FileRecorder(
      path: scratch.file(name), samples: name.hasSuffix("flac") ? .int24 : .float32, format: .mono(48000),
      bufferDuration: bufferDuration,
      whenFailed: whenFailed)
  }

  private func recorded(_ name: String) throws -> [Float] {
    Array(try AudioFileReader(path: scratch.file(name)).readAll()[0])
  }

  @Test("records from one sample time to another, to the frame")
  func range() throws {
    let recorder = try recorder("a.wav")
    let engine = try engine(recorder)
    recorder.start(at: 1000)
    recorder.stop(at: 200_001)
    _ = try engine.render(frameCount: 300_000)
    try recorder.finish()
    #expect(try recorded("a.wav") == counting(from: 1001, 199_001))
    #expect(recorder.frameCount == 199_001)
    #expect(recorder.missingFrameCount == 0)
  }

  @Test(
    "started and stopped without times records what was rendered between the two",
    arguments: [4800, 480_000, 1, 100, 63])
  func present(frameCount: Int) throws {
    let recorder = try recorder("a.wav")
    let engine = try engine(recorder)
    _ = try engine.render(frameCount: 777)
    recorder.start()
    _ = try engine.render(frameCount: frameCount)
    recorder.stop()
    _ = try engine.render(frameCount: 1000)
    try recorder.finish()
    let samples = try recorded("a.wav")
    #expect(samples.count == frameCount && samples.first == 778)
    #expect(samples == counting(from: 778, frameCount))
  }

  @Test("started without a time goes on when the engine has started over")
  func startedOver() throws {
    let recorder = try recorder("a.wav")
    let engine = try engine(recorder)
    _ = try engine.render(frameCount: 640)
    recorder.start()
    _ = try engine.render(frameCount: 64)
    try engine.reset()
    _ = try engine.render(frameCount: 64)
    try recorder.finish()
    #expect(try recorded("a.wav") == counting(from: 641, 64) + counting(from: 1, 64))
  }

  // source at 44.1 kHz ─┬─ output at 48 kHz
  //                     └─ recorder
  @Test("takes times of the engine on a bus of another rate, and records there what is heard then")
  func otherRate() throws {
    let recorder = try FileRecorder(path: scratch.file("a.wav"), samples: .float32, format: .mono(44100))
    let engine = AudioEngine(sampleRate: 48000)
    let source = SourceNode(format: .mono(44100)) { request in
      for frame in 0..<request.frameCount {
        // An impulse after a second.
        request.buffers[0][frame] = request.sampleTime + Int64(frame) == 44100 ? 1 : 0
      }
    }
    let output = try OutputNode(channelCount: 1, sourceCount: 1)
    try engine.edit { graph in
      try graph.attach(source)
      try graph.attach(output)
      try graph.connect(source, to: output)
      try graph.tap(source, with: recorder.node)
    }
    recorder.start(at: 24000)
    recorder.stop(at: 72000)
    let heard = try engine.render(frameCount: 96000)[0]
    try recorder.finish()
    let recorded = try recorded("a.wav")
    #expect(recorded.count == 44100)
    let onset = try #require(heard.indices.max { heard[$0] < heard[$1] })
    let place = try #require(recorded.firstIndex(of: 1))
    #expect(abs(Double(onset - 24000) / 48000 - Double(place) / 44100) < 1 / 44100)
  }

  @Test("of a rate that is no whole number is refused with that rate")
  func brokenRate() throws {
    let path = scratch.file("a.wav")
    let error = try #require(throws: AudioFileError.self) { try FileRecorder(path: path, format: .mono(44100.5)) }
    #expect(
      "\(error)" == "creating \(path): audio files have whole rates, and 44100.5 Hz is none — convert the bus to a "
        + "whole rate")
  }

  @Test("records all that is rendered, and to its end, if no times are said")
  func everything() throws {
    let recorder = try recorder("a.wav")
    let engine = try engine(recorder)
    recorder.start()
    _ = try engine.render(frameCount: 64 * 1000)
    try recorder.finish()
    #expect(try recorded("a.wav") == counting(64 * 1000))
  }

  @Test("is a file of no frames where nothing was to be recorded")
  func nothing() throws {
    let recorder = try recorder("a.wav")
    _ = try engine(recorder).render(frameCount: 6400)
    try recorder.finish()
    #expect(try recorded("a.wav") == [])
  }

  @Test("never waits for a slow disk: what is lost is silence in the file, and counted")
  func slowDisk() throws {
    let path = scratch.file("pipe.raw")
    mkfifo(path, 0o600)
    let pipe = open(path, O_RDONLY | O_NONBLOCK)
    defer { close(pipe) }
    let recorder = try recorder("pipe.raw", bufferDuration: 0)
    let engine = try engine(recorder)
    recorder.start()
    let buffer = SampleBuffer(channelCount: 1, frameCapacity: 192_000)
    var slice = buffer.slice(frameCount: 192_000)
    // Nobody reads the pipe as long as this lasts, and neither it nor the tap can hold as much.
    AudioEngine.outputCallback(engine.outputContext, &slice)
    var bytes: [UInt8] = []
    slice = buffer.slice(frameCount: 64)
    // What is missing is known when something comes after it.
    try #require(
      eventually {
        bytes += available(in: pipe)
        AudioEngine.outputCallback(engine.outputContext, &slice)
        return recorder.missingFrameCount > 0
      })
    for _ in 0..<50 {
      bytes += available(in: pipe)
      usleep(1000)
    }
    try recorder.finish()
    bytes += available(in: pipe)
    let samples = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(samples.count == recorder.frameCount)
    #expect(samples.filter { $0 == 0 }.count == recorder.missingFrameCount)
    #expect(samples.enumerated().allSatisfy { $0.element == 0 || $0.element == Float($0.offset + 1) })
  }

  @Test("says at once when the disk takes no more, and again at the end, and keeps what was recorded")
  func fullDisk() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let told = Mutex<[AudioFileError]>([])
      let test = FileRecorderTests()
      let recorder = try test.recorder("a.wav", whenFailed: { error in told.withLock { $0.append(error) } })
      let engine = try test.engine(recorder)
      recorder.start()
      _ = try engine.render(frameCount: 1_000_000)
      let failure = AudioFileError.cannotWrite(path: test.scratch.file("a.wav"), code: EFBIG)
      #expect(throws: failure) { try recorder.finish() }
      #expect(told.withLock { $0 } == [failure])
      #expect(recorder.failure == failure)
      let kept = try test.recorded("a.wav")
      #expect(kept.count > 24000 && kept == counting(kept.count))
    }
  }

  @Test("what a disk took before it was full can be read", arguments: ["a.flac", "a.ogg", "a.opus", "a.mp3", "a.raw"])
  func keptAfterFullDisk(name: String) async {
    await #expect(processExitsWith: .success) { [name] in
      signal(SIGXFSZ, SIG_IGN)
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
      let test = FileRecorderTests()
      let recorder = try test.recorder(name)
      let engine = try test.engine(recorder, full: 4_000_000)
      recorder.start()
      _ = try engine.render(frameCount: 4_000_000)
      #expect(throws: AudioFileError.self) { try recorder.finish() }
      if name != "a.raw" { #expect(try test.recorded(name).count > 24000) }
    }
  }

  @Test(
    "can be opened while it is written, as after a crash", arguments: ["a.wav", "a.flac", "a.ogg", "a.opus", "a.mp3"])
  func crash(name: String) throws {
    let recorder = try recorder(name)
    let engine = try engine(recorder, full: 480_000)
    recorder.start()
    _ = try engine.render(frameCount: 480_000)
    try #require(eventually { recorder.frameCount == 480_000 })
    let copy = scratch.file("copy-\(name)")
    try Data(contents(scratch.file(name))).write(to: URL(filePath: copy))
    // What has no length yet, libsndfile estimates for MP3.
    #expect(try AudioFileReader(path: copy).readAll()[0].count > (name == "a.mp3" ? 100_000 : 400_000))
  }

  @Test("overwrites no file")
  func existing() throws {
    let recorder = try recorder("a.wav")
    try recorder.finish()
    let error = #expect(throws: AudioFileError.self) { try self.recorder("a.wav") }
    #expect(error?.description == "creating \(scratch.file("a.wav")): file exists — choose another name")
  }

  @Test("refuses in one line a file that cannot be, and a bus that is not as was said")
  func refusals() throws {
    #expect(throws: AudioFileError.cannotCreate(path: "/none/a.wav", code: ENOENT)) {
      try FileRecorder(path: "/none/a.wav", format: .mono(48000))
    }
    let stereo = try FileRecorder(path: scratch.file("b.wav"), format: .stereo(48000))
    let engine = try engine(stereo)
    stereo.start()
    _ = try engine.render(frameCount: 64)
    let error = #expect(throws: AudioFileError.self) { try stereo.finish() }
    #expect(
      error?.description
        == "creating \(scratch.file("b.wav")): the bus carries 48000 Hz mono, not 48000 Hz stereo — record that")
  }
}

/// What a pipe holds now.
private func available(in pipe: Int32) -> [UInt8] {
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = read(pipe, &block, block.count), count > 0 { bytes += block.prefix(count) }
  return bytes
}
