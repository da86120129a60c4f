import AudioFiles
import AudioGraph
import MIDI

/// Frames rendered at a time.
let renderBlock = 4096

extension Synthesizer {
  /// Renders a song into a file as fast as the machine can, until its tail has become silent.
  ///
  /// The audio is the same, bit for bit, as a device at this rate would get, but for the first `latency` frames, which
  /// are left out: a song that begins at once begins with the file. It does not depend on what was played before:
  /// instruments that have played a song are exchanged for new ones first, and afterwards the engine is reset. The file
  /// is not finished: call `finish()` when all is well, also after an interruption.
  ///
  /// - Parameters:
  ///   - report: called every 85 ms of audio at 48 kHz; false ends the rendering there.
  /// - Returns: what was rendered.
  /// - Throws: `AudioFileError`, `InstrumentError` where presets cannot be loaded, or `EngineError` if something else
  ///   renders the engine.
  @discardableResult
  public func render(
    _ song: Song, to file: AudioFileWriter, tail: Tail = .standard,
    report: (RenderProgress) -> Bool = { _ in true }
  ) throws -> RenderProgress {
    guard file.format.channels == output.channelCount, Double(file.format.rate) == engine.sampleRate else {
      let reason =
        "it has \(file.format.channels) channels at \(file.format.rate) Hz, the synthesizer "
        + "\(output.channelCount) at \(engine.sampleRate) Hz; make both alike"
      throw AudioFileError.unsupported(path: "the rendering", reason: reason)
    }
    return try render(song, tail: tail, report: report) { try file.write($0.channels, frameCount: $1) }
  }

  /// Renders a song into anything that takes blocks of at most `renderBlock` frames.
  func render(
    _ song: Song, tail: Tail, report: (RenderProgress) -> Bool, write: (SampleBuffer, Int) throws -> Void
  ) throws -> RenderProgress {
    // A voice of FluidSynth that has sounded before begins a little otherwise than a new one.
    if hasPlayed.load(ordering: .relaxed) { try instruments.exchange(instruments.configuration) }
    try instruments.load(song)
    let result = Result { try renderFromHere(song, tail, report, write) }
    try engine.reset()
    return try result.get()
  }

  private func renderFromHere(
    _ song: Song, _ tail: Tail, _ report: (RenderProgress) -> Bool, _ write: (SampleBuffer, Int) throws -> Void
  ) throws -> RenderProgress {
    let number = play(Timeline(song, sampleRate: instruments.sampleRate))
    let clock = EngineSongClock(self)
    let buffer = SampleBuffer(channelCount: output.channelCount, frameCapacity: renderBlock)
    try engine.render(buffer.slice(frameCount: latency))
    var detector = TailDetector(tail, songEnd: .max, sampleRate: engine.sampleRate)
    var progress = RenderProgress(sampleRate: engine.sampleRate, songDuration: song.duration)
    while true {
      let slice = buffer.slice(frameCount: buffer.frameCapacity)
      try engine.render(slice)
      detector.songEnd = clock.end(ofSong: number)
      let count = detector.frames(of: slice)
      try write(buffer, count)
      progress.add(buffer, frameCount: count, voiceCount: instruments.activeVoiceCount)
      guard report(progress), count == slice.frameCount else { return progress }
    }
  }
}

/// How far rendering has come, and what was heard so far.
public struct RenderProgress: Sendable {
  public let sampleRate: Double
  /// In seconds, without the tail.
  public let songDuration: Double
  public private(set) var frameCount = 0
  /// The highest absolute sample; 1 is full scale.
  public private(set) var peak: Float = 0
  /// Samples beyond full scale.
  public private(set) var clipCount = 0
  public private(set) var voiceCount = 0

  init(sampleRate: Double, songDuration: Double) {
    self.sampleRate = sampleRate
    self.songDuration = songDuration
  }

  /// In seconds.
  public var duration: Double { Double(frameCount) / sampleRate }

  mutating func add(_ buffer: SampleBuffer, frameCount: Int, voiceCount: Int) {
    self.frameCount += frameCount
    self.voiceCount = voiceCount
    addLevels(buffer, frameCount: frameCount)
  }

  /// What the file has beside the song.
  mutating func addSilence(frameCount: Int) { self.frameCount += frameCount }

  mutating func forgetLevels() { (peak, clipCount) = (0, 0) }

  mutating func addLevels(_ buffer: SampleBuffer, frameCount: Int) {
    for channel in 0..<buffer.channelCount {
      for sample in buffer.channel(channel, frameCount: frameCount) {
        peak = max(peak, abs(sample))
        if abs(sample) > 1 { clipCount += 1 }
      }
    }
  }
}
