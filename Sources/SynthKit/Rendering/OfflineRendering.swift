import AudioGraph
import SynthAudioFiles
import SynthDSP
import SynthInstruments
import SynthMIDI

/// Frames rendered at a time.
let renderBlock = 4096

extension Synthesizer {
  /// Renders a song into a file as fast as the machine can, until its tail has become silent.
  ///
  /// The audio is the same, bit for bit, as a device at this rate would get, but for the first `latency` frames, which
  /// are left out: a song that begins at once begins with the file. It does not depend on what was played before:
  /// instruments that have played a song are exchanged for new ones first, and afterwards the engine is reset. The file
  /// is not finished: call `finish()` when all is well, also after an interruption. `EventInput.tempo`,
  /// `transposition` and `countIn` of the instruments hold as they do for a session, and so does the metronome, whose
  /// clicks are in the mix and in no stem.
  ///
  /// - Parameters:
  ///   - part: what of the song is rendered; the file begins with it.
  ///   - file: nil where only stems are wanted.
  ///   - stems: files of two channels for `stems(of:by:)`, or for any others. All begin with the song and are as long
  ///     as the mix.
  ///   - longest: where a song ends that lasts longer, in seconds.
  ///   - recordsNotes: whether `notes` is to be in what is returned; also those outside the part, which have no frames.
  ///   - report: called every 85 ms of audio at 48 kHz; false ends the rendering there, and stems of tracks that sound
  ///     by themselves (`Stem.Source.track`) are left incomplete.
  /// - Returns: what was rendered.
  /// - Throws: `SongError` for a part that the song has not, `AudioFileError`, `InstrumentError` where presets cannot
  ///   be loaded, or `EngineError` if something else renders the engine.
  @discardableResult
  public func render(
    _ song: Song, part: SongPart = SongPart(), to file: AudioFileWriter?, stems: [Stem: AudioFileWriter] = [:],
    tail: Tail = .standard, longest: Double = .infinity, recordsNotes: Bool = false,
    report: (RenderProgress) -> Bool = { _ in true }
  ) throws -> RenderProgress {
    if let file { try check(file, channelCount: output.channelCount) }
    return try render(
      song, part, stems: stems, tail: tail, longest: longest, recordsNotes: recordsNotes, report: report,
      write: file.map { file in { try file.write($0.channels, frameCount: $1) } })
  }

  /// Renders a song into anything that takes blocks of at most `renderBlock` frames.
  ///
  /// - Parameter write: takes the mix; nil where only stems are wanted.
  func render(
    _ song: Song, _ part: SongPart, stems: [Stem: AudioFileWriter], tail: Tail, longest: Double, recordsNotes: Bool,
    report: (RenderProgress) -> Bool, write: ((SampleBuffer, Int) throws -> Void)?
  ) throws -> RenderProgress {
    try song.check(from: part.start, to: part.end, loop: part.loop)
    for stem in stems.values { try check(stem, channelCount: 2) }
    guard stems.isEmpty || song.sound == nil else {
      throw AudioFileError.unsupported(path: "stems", reason: "an audio file has none; render it without them")
    }
    guard stems.isEmpty || framesPerInstrumentFrame == 1 else {
      let reason = "at \(engine.sampleRate) Hz there are none; render at \(RackNode.sampleRates.upperBound) Hz or less"
      throw AudioFileError.unsupported(path: "stems", reason: reason)
    }
    // A voice of FluidSynth that has sounded before begins a little otherwise than a new one.
    if instruments.events.hasPlayed { try instruments.exchange(instruments.configuration) }
    let sounding = song.routed(by: instruments.events.routes)
    try load(song)
    try prepare(song, at: part.start, part.loop?.start)
    let tracks = stems.filter(\.key.isTrack)
    let taps = stems.filter { !$0.key.isTrack }.map { StemTap($0, to: $1, of: self, sliceSize: renderBlock) }
    try edit(taps) { try $0.attach(to: &$1) }
    let timeline = Timeline(song, sampleRate: instruments.sampleRate)
    let log = recordsNotes ? NoteLog(of: timeline) : nil
    let number = play(timeline, part, notes: log)
    let lead = chaseLength
    var isWanted = true
    let begun = RenderProgress(
      sampleRate: engine.sampleRate, songDuration: part.duration(in: song) / instruments.events.tempo)
    if mayRenderAhead, song.sound == nil, !recordsNotes { try? instruments.beginAhead() }
    let result = Result {
      try render(begun, playing: number, taps, tail.of(song), longest, write) { progress in
        isWanted = report(progress)
        return isWanted
      }
    }
    instruments.endAhead()
    try edit(taps) { try $0.detach(from: &$1) }
    try engine.reset()
    var progress = try result.get()
    if let failure = (song.sound as? FileSound)?.takeFailure() { throw failure }
    if let log {
      progress.notes = RenderedNote.notes(
        of: sounding, log, instruments, after: lead, factor: framesPerInstrumentFrame, frameCount: progress.frameCount)
    }
    for (stem, file) in tracks where isWanted {
      try render(track: stem, of: song, part, to: file, &progress) { progress in
        isWanted = report(progress)
        return isWanted
      }
    }
    return progress
  }

  /// Whether nothing in the chain has to know of each quantum what the song is doing. Without a thread the song is
  /// rendered all the same.
  private var mayRenderAhead: Bool {
    configuration.rendersAhead && metronome.isOn.value == 0 && instruments.events.countIn == 0
      && !engine.graph.nodes.contains { $0 === songSound }
  }

  private func edit(_ stems: [StemTap], _ change: (StemTap, inout Graph) throws -> Void) throws {
    guard !stems.isEmpty else { return }
    try engine.edit(transition: .exact) { graph in for stem in stems { try change(stem, &graph) } }
  }

  private func check(_ file: AudioFileWriter, channelCount: Int) throws(AudioFileError) {
    guard file.format.channelCount != channelCount || Double(file.format.sampleRate) != engine.sampleRate else {
      return
    }
    let reason =
      "it has \(file.format.channelCount) channels at \(file.format.sampleRate) Hz, the synthesizer "
      + "\(channelCount) at \(engine.sampleRate) Hz; make both alike"
    throw AudioFileError.unsupported(path: "the rendering", reason: reason)
  }

  /// Leaves out what is rendered before a song begins.
  func skipChase(_ buffer: SampleBuffer, _ stems: [StemTap]) throws {
    for start in stride(from: 0, to: chaseLength, by: renderBlock) {
      let count = min(renderBlock, chaseLength - start)
      try engine.render(buffer.slice(frameCount: count))
      for stem in stems {
        stem.collect()
        stem.skip(count)
      }
    }
  }

  /// - Parameter number: of the song, which plays.
  private func render(
    _ begun: RenderProgress, playing number: Int, _ stems: [StemTap], _ tail: Tail, _ longest: Double,
    _ write: ((SampleBuffer, Int) throws -> Void)?, _ report: (RenderProgress) -> Bool
  ) throws -> RenderProgress {
    var detector = TailDetector(tail, songEnd: .max, sampleRate: engine.sampleRate)
    var progress = begun
    let limit = Int(exactly: (max(0, longest) * engine.sampleRate).rounded(.up)) ?? .max
    let clock = EngineSongClock(self)
    let buffer = SampleBuffer(channelCount: output.channelCount, frameCapacity: renderBlock)
    try skipChase(buffer, stems)
    // Effects of channels may delay by more than a block.
    for start in stride(from: 0, to: latency, by: renderBlock) {
      try engine.render(buffer.slice(frameCount: min(renderBlock, latency - start)))
    }
    detector.time = Int64(chaseLength)
    while true {
      let slice = buffer.slice(frameCount: buffer.frameCapacity)
      try engine.render(slice)
      detector.songEnd = clock.end(ofSong: number)
      let count = min(detector.frames(of: slice), limit - progress.frameCount)
      progress.advance(frameCount: count, voiceCount: instruments.activeVoiceCount)
      if let write {
        try write(buffer, count)
        progress.measure(buffer, frameCount: count)
      }
      for stem in stems {
        stem.collect()
        try stem.write(count, &progress)
      }
      guard report(progress), count == slice.frameCount else { return progress }
    }
  }
}

/// How far rendering has come, and what was heard so far.
public struct RenderProgress: Sendable {
  /// Of the files, in hertz.
  public let sampleRate: Double
  /// In seconds as it is played, without the tail; infinite where a passage is repeated for ever.
  public let songDuration: Double
  /// How many frames are rendered.
  public private(set) var frameCount = 0
  /// The highest absolute sample of all files; 1 is full scale.
  public private(set) var peak: Float = 0
  /// Samples beyond full scale, of all files.
  public private(set) var clipCount = 0
  /// How many voices sound at present.
  public private(set) var voiceCount = 0
  /// All notes of the song; none before it is rendered, and where they are not recorded.
  public fileprivate(set) var notes: [RenderedNote] = []

  init(sampleRate: Double, songDuration: Double) {
    self.sampleRate = sampleRate
    self.songDuration = songDuration
  }

  /// In seconds.
  public var duration: Double { Double(frameCount) / sampleRate }

  mutating func advance(frameCount: Int, voiceCount: Int) {
    self.frameCount += frameCount
    self.voiceCount = voiceCount
  }

  /// What the files have beside the song.
  mutating func addSilence(frameCount: Int) { self.frameCount += frameCount }

  mutating func forgetLevels() { (peak, clipCount) = (0, 0) }

  /// Notes the peak and what clips in the first frames of a buffer.
  mutating func measure(_ buffer: SampleBuffer, frameCount: Int) {
    for channel in 0..<buffer.channelCount {
      let samples = buffer.channel(channel, frameCount: frameCount)
      guard let first = samples.baseAddress else { continue }
      let vectorized = samples.count / 8 * 8
      var highest = measureBlock(first, count: vectorized).peak
      for sample in samples[vectorized...] { highest = max(highest, abs(sample)) }
      peak = max(peak, highest)
      if highest > 1 { clipCount += clippedCount(first, count: samples.count) }
    }
  }
}
