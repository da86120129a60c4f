import AudioGraph
import SynthInstruments
import SynthMIDI
import SynthRealtime

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
  let sources: [any MIDISource]
  /// What the program's own code plays along, a keyboard on a page for example. It is no reason to hold a song where
  /// everything could be paused: while all is paused, it is not heard.
  public let keys = VirtualSource("keys")
  /// What keyboards send to the program in place of the instruments.
  public let controls = MIDIControls()
  let flow: SessionFlow
  let merge: MIDIInput
  let queue = SessionEventQueue()
  let interruptions: SessionInterruptions
  let loader: BackgroundLoader
  /// Makes the steps of the life cycle take turns; whether the sources have been started.
  let lifeCycle = CheckedMutex(false)

  /// A session that does not play yet. [control thread]
  ///
  /// - Parameters:
  ///   - synthesizer: made for the output's rate and channel count; no other session plays it at the same time.
  ///   - sources: start with the session, and stop with it.
  ///   - copies: receive what the sources deliver too, just after it was sent to the instruments.
  ///   - loading: what is loaded while it plays, if the synthesizer preloads only what is used; nil for nothing.
  ///   - interruptions: what becomes of a song whose output has no device any more, or whose headphones are pulled.
  public init(
    _ synthesizer: Synthesizer, output: any OutputUnit, sources: [any MIDISource] = [],
    copies: [any MIDISink] = [], timing: LiveTiming = .steady,
    loading: BackgroundLoading? = nil, interruptions: InterruptionPolicy = .pause
  ) {
    self.synthesizer = synthesizer
    self.sources = sources
    self.timing = timing
    let flow = SessionFlow(synthesizer, output)
    self.flow = flow
    let quantum = synthesizer.quantum
    let framesPerInstrumentFrame = Int64(synthesizer.framesPerInstrumentFrame)
    merge = MIDIInput(synthesizer.instruments.events, copies: [queue] + copies) { hostTime in
      // A time that has passed is now.
      guard timing == .steady, let time = flow.sampleTime(at: hostTime) else { return 0 }
      let delay = timing.delay(flow.output.latency, sampleRate: flow.output.sampleRate, quantum: quantum)
      return (time &+ delay) / framesPerInstrumentFrame
    }
    let (events, isLive) = (synthesizer.instruments.events, !sources.isEmpty)
    self.interruptions = SessionInterruptions(interruptions, queue) {
      !events.isSongHeld && (!isLive || events.timeline != nil)
    } hold: { isHeld, isUnheard in
      if isLive { events.isSongHeld = isHeld } else { flow.setAudible(!isHeld, fades: !isUnheard) }
    }
    self.interruptions.follow(output)
    loader = BackgroundLoader(synthesizer.instruments, loading, watch: { [queue] in flow.report(to: queue) }) {
      [queue] in queue.add($0)
    }
  }

  deinit {
    merge.removeAll()
    if isOurs, engine.state != .stopped { try? engine.stop() }
    queue.finish()
  }

  var engine: AudioEngine { synthesizer.engine }
  var isOurs: Bool { (engine.outputUnit as? SessionOutput)?.flow === flow }

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
      output.latency, sampleRate: output.sampleRate, quantum: synthesizer.quantum,
      isExact: synthesizer.instruments.configuration.sampler.engine == .native, chain: synthesizer.latency)
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
