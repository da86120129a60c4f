import AudioGraph
import Glibc
import Synchronization
import SynthRealtime

// Starting, pausing, stopping, and moving to another output.

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
      interruptions.follow(output)
    }
  }

  /// Puts what has ended by itself in order, and takes the engine.
  func prepare() throws {
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

  func run(_ isListening: inout Bool) throws {
    try loader.start()
    flow.setAudible(true)
    try engine.start()
    flow.isFlowing.store(true, ordering: .relaxed)
    interruptions.resume()
    guard !isListening else { return }
    do {
      for source in sources { try merge.add(source, controls: controls) }
      try merge.add(keys)
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
    let deadline = HostClock.now + HostClock.nanoseconds(seconds)
    while flow.silentFrames < latency.total, isPlaying, HostClock.now < deadline { usleep(1000) }
  }

  private func end(_ isListening: inout Bool) throws {
    merge.removeAll()
    isListening = false
    interruptions.forget()
    if flow.isFlowing.exchange(false, ordering: .relaxed) { queue.add(.ended) }
    if isOurs, engine.state != .stopped { try engine.stop() }
  }
}
