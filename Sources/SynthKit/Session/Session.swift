import AudioGraph
import Glibc
import Instruments
import MIDI
import Realtime
import Synchronization

/// Plays a synthesizer on an output: songs, what MIDI sources deliver, or both at once.
///
///     let output = try DeviceOutput()
///     let synthesizer = try Synthesizer(configuration.adapted(to: output))
///     let session = try Session(synthesizer, output: output, sources: [SequencerSource()])
///     try session.play(song)
///     session.wait()
///
/// The session drives the synthesizer's engine, whose state and properties are those of every running engine. Whatever
/// ends the sound, other than `stop` and an output that fails, fades it.
public final class Session: Sendable {
  /// What sounds.
  public let synthesizer: Synthesizer
  /// When what is played live is heard.
  public let timing: LiveTiming
  private let sources: [any MIDISource]
  private let flow: SessionFlow
  private let merge: MIDIInput
  private let queue = SessionEventQueue()
  private let loader: BackgroundLoader
  /// Makes the steps of the life cycle take turns; whether the sources have been started.
  private let lifeCycle = CheckedMutex(false)

  /// A session that does not play yet. [control thread]
  ///
  /// - Parameters:
  ///   - synthesizer: made for the output's rate and channel count; no other session plays it at the same time.
  ///   - sources: start with the session, and stop with it.
  ///   - loading: what is loaded while it plays, if the synthesizer preloads only what is used; nil for nothing.
  public init(
    _ synthesizer: Synthesizer, output: any OutputUnit, sources: [any MIDISource] = [], timing: LiveTiming = .steady,
    loading: BackgroundLoading? = nil
  ) {
    self.synthesizer = synthesizer
    self.sources = sources
    self.timing = timing
    let flow = SessionFlow(synthesizer, output)
    self.flow = flow
    let quantum = synthesizer.quantum
    let framesPerInstrumentFrame = Int64(synthesizer.framesPerInstrumentFrame)
    merge = MIDIInput(synthesizer.instruments.events, copies: [queue]) { hostTime in
      // A time that has passed is now.
      guard timing == .steady, let time = flow.sampleTime(at: hostTime) else { return 0 }
      let delay = timing.delay(flow.output.latency, sampleRate: flow.output.sampleRate, quantum: quantum)
      return (time &+ delay) / framesPerInstrumentFrame
    }
    loader = BackgroundLoader(synthesizer.instruments, loading, watch: { [queue] in flow.report(to: queue) }) {
      [queue] in queue.add($0)
    }
  }

  deinit {
    merge.removeAll()
    if isOurs, engine.state != .stopped { try? engine.stop() }
    queue.finish()
  }

  private var engine: AudioEngine { synthesizer.engine }
  private var isOurs: Bool { (engine.outputUnit as? SessionOutput)?.flow === flow }

  /// What it plays on.
  public var output: any OutputUnit { flow.output }

  /// Whether sources were given to play along.
  var hasSources: Bool { !sources.isEmpty }

  /// Whether the output asks for audio; false after `stop`, while paused, and after it has ended by itself. [any
  /// thread]
  public var isPlaying: Bool { engine.isRunning && isOurs }

  /// Whether `start` goes on with what `pause` has halted. [any thread]
  public var isPaused: Bool { isOurs && engine.state == .paused }

  /// How far the present song is, in seconds at the tempo of its file; without a song, how much was rendered in all.
  /// What is heard is behind it by the output's buffer. [any thread]
  public var position: Double {
    let instruments = synthesizer.instruments
    return (instruments.events.pendingStart.map(Double.init) ?? flow.songPosition) / instruments.sampleRate
  }

  /// From a key to its sound, in seconds, on the output as it is now. [any thread]
  public var latency: ClosedRange<Double> {
    timing.latency(
      output.latency, sampleRate: output.sampleRate, quantum: synthesizer.quantum, chain: synthesizer.latency)
  }

  /// The highest absolute sample since the last call; 1 is full scale. One reader at a time.
  public func takePeak() -> Float { flow.takePeak() }

  /// What has happened since the last call, oldest first; at most the latest 1000. [control thread]
  public func takeEvents() -> [SessionEvent] {
    queue.noteDrops(merge.dropCount)
    flow.report(to: queue)
    return queue.take()
  }

  /// What happens from now on, to be awaited; it ends with the session.
  public var events: AsyncStream<SessionEvent> { queue.stream() }
}

// MARK: - The life cycle

extension Session {
  /// Begins to play what the sources deliver, or goes on after `pause` with a fade. [control thread]
  ///
  /// - Throws: `EngineError` if it plays already or the engine is in use, what the output throws, or what a source
  ///   throws; it is then stopped, or still paused.
  public func start() throws {
    try lifeCycle.withLock { isListening in
      try prepare()
      try run(&isListening)
    }
  }

  /// Plays a song in place of the present one; what sources deliver is played along. Starts the session if it does not
  /// play. [control thread]
  ///
  /// - Parameters:
  ///   - start: where it begins, in seconds. What channels are told before is told to them at once.
  ///   - end: where it ends, in seconds; nil for its own end.
  ///   - loop: what is repeated.
  ///   - tail: when the song is over.
  ///   - next: what follows then.
  /// - Throws: as `start`, `SongError` for places that the song has not, or `InstrumentError` if presets cannot be
  ///   loaded.
  public func play(
    _ song: Song, from start: Double = 0, to end: Double? = nil, loop: SongLoop? = nil, tail: Tail = .standard,
    then next: SongEnd = .stop
  ) throws {
    let timeline = Timeline(song, sampleRate: synthesizer.instruments.sampleRate)
    try song.check(from: start, to: end, loop: loop)
    try lifeCycle.withLock { isListening in
      let isRunning = isPlaying
      if !isRunning { try prepare() }
      try synthesizer.instruments.load(song)
      let number = synthesizer.play(
        timeline, from: timeline.frame(at: start), to: end.map(timeline.frame(at:)), loop: loop?.frames(of: timeline))
      flow.play(followed(number, tail, next), isRunning: isRunning)
      guard !isRunning else { return }
      do {
        try run(&isListening)
      } catch {
        synthesizer.instruments.events.reset()
        throw error
      }
    }
  }

  /// Prepares a song that begins when the present one has died away: as its tail is over, with the next slice that the
  /// output asks for. The present song may be sought and looped meanwhile; `play` and `stop` forget the one queued.
  /// [control thread]
  ///
  /// `isSongQueued` tells when it has begun. A song that ends before the next one is queued ends as `play` was told.
  ///
  /// - Parameters: as those of `play`.
  /// - Throws: `SongError` without a present song, if another is queued already or for places that the song has not, or
  ///   `InstrumentError` if presets cannot be loaded.
  public func queue(
    _ song: Song, from start: Double = 0, to end: Double? = nil, loop: SongLoop? = nil, tail: Tail = .standard,
    then next: SongEnd = .stop
  ) throws {
    try song.check(from: start, to: end, loop: loop)
    let timeline = Timeline(song, sampleRate: synthesizer.instruments.sampleRate)
    try synthesizer.instruments.load(song)
    try lifeCycle.withLock { _ in
      let events = synthesizer.instruments.events
      guard events.timeline != nil else { throw SongError.noSong }
      let number = events.queue(
        timeline, from: timeline.frame(at: start), to: end.map(timeline.frame(at:)), loop: loop?.frames(of: timeline))
      guard let number else { throw SongError.alreadyQueued }
      var queued = followed(number, tail, next)
      queued.isQueued = true
      flow.queue(queued)
    }
  }

  /// Whether a song is queued and has not begun. [control thread]
  public var isSongQueued: Bool { synthesizer.instruments.events.hasQueuedSong }

  private func followed(_ number: Int, _ tail: Tail, _ next: SongEnd) -> SessionSong {
    SessionSong(
      detector: TailDetector(tail, songEnd: .max, sampleRate: engine.sampleRate), number: number,
      latency: Int64(synthesizer.latency), stops: next == .stop)
  }

  /// Fades out and halts: voices, programs and the song's position stay, and `start` goes on with them. What sources
  /// deliver meanwhile is played then. [control thread]
  ///
  /// - Throws: `EngineError` if it does not play, or what made the output end by itself.
  public func pause() throws {
    try lifeCycle.withLock { _ in
      guard isPlaying else { throw EngineError.wrongState(operation: "pausing", state: engine.state) }
      silence()
      flow.isFlowing.store(false, ordering: .relaxed)
      try engine.pause()
    }
  }

  /// Ends at once what sounds. The next start begins with nothing sounding. Without effect if it is stopped.
  /// [control thread]
  ///
  /// - Throws: what made the output end by itself; the session is stopped all the same.
  public func stop() throws {
    try lifeCycle.withLock { try end(&$0) }
  }

  /// Ends what sounds by a fade of 20 ms, and returns when it has been heard. [control thread]
  ///
  /// - Throws: as `stop`.
  public func fadeOut() throws {
    try lifeCycle.withLock { isListening in
      if isPlaying { silence() }
      try end(&isListening)
    }
  }

  /// Waits until it does not play: because its song is over, it was stopped or paused, or the output has ended.
  public func wait() {
    while isPlaying { usleep(5000) }
  }

  /// Goes on with another output: voices, programs and the song's position stay. It fades out there and in here.
  /// [control thread]
  ///
  /// - Throws: `EngineError` if the output has another rate or channel count, or what the output throws; the session
  ///   then goes on where it was.
  public func move(to output: any OutputUnit) throws {
    try lifeCycle.withLock { _ in
      let isRunning = isPlaying
      if isRunning { silence() }
      defer { flow.setAudible(true) }
      let before = flow.output
      flow.output = output
      do {
        try engine.move(to: SessionOutput(output, flow))
      } catch {
        flow.output = before
        throw error
      }
    }
  }

  /// Puts what has ended by itself in order, and takes the engine.
  private func prepare() throws {
    if isOurs, engine.state == .running, !engine.isRunning { try engine.pause() }
    let isAnothers = !isOurs && engine.state != .stopped
    guard engine.state != .running, !isAnothers else {
      throw EngineError.wrongState(operation: "starting", state: engine.state)
    }
    if engine.state == .stopped {
      try engine.move(to: SessionOutput(output, flow))
      flow.reset()
    }
  }

  private func run(_ isListening: inout Bool) throws {
    try loader.start()
    flow.setAudible(true)
    try engine.start()
    flow.isFlowing.store(true, ordering: .relaxed)
    guard !isListening else { return }
    do {
      for source in sources { try merge.add(source) }
    } catch {
      try? end(&isListening)
      throw error
    }
    isListening = true
  }

  /// Fades out, and waits until the output has played the fade; an output that stands still is not waited for.
  private func silence() {
    flow.setAudible(false)
    let latency = output.latency
    let seconds = SessionFlow.fadeDuration + 2 * Double(latency.total) / output.sampleRate + 0.5
    let deadline = HostClock.now + UInt64(seconds * 1e9)
    while flow.silentFrames < latency.total, isPlaying, HostClock.now < deadline { usleep(1000) }
  }

  private func end(_ isListening: inout Bool) throws {
    merge.removeAll()
    isListening = false
    if flow.isFlowing.exchange(false, ordering: .relaxed) { queue.add(.ended) }
    if isOurs, engine.state != .stopped { try engine.stop() }
  }
}

/// What follows when a song is over.
public enum SongEnd: Sendable {
  /// The output plays what it has, and the session stops playing by itself.
  case stop
  /// The session plays on: what sources deliver, and the next song.
  case playOn
}
