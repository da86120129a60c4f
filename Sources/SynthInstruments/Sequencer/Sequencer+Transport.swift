import AudioGraph
import SynthMIDI
import SynthRealtime

/// Where a sequencer is in its life.
public enum SequencerState: Sendable {
  /// It begins at its position with the next start.
  case stopped
  /// Its position advances.
  case playing
  /// It goes on where it is with the next start.
  case paused
}

/// A passage that a sequencer repeats, in beats.
public struct SequencerLoop: Hashable, Sendable {
  /// The first beat that is repeated.
  public var start: Double
  /// Where it goes back.
  public var end: Double
  /// How many times the passage is played in all; nil for endlessly.
  public var passCount: Int?

  /// A passage; one of less than four quanta, some 6 ms, is not repeated.
  public init(_ start: Double, _ end: Double, passCount: Int? = nil) {
    (self.start, self.end, self.passCount) = (start, end, passCount)
  }
}

extension Sequencer {
  /// Whether it plays, pauses or is stopped. One that has come to its end plays until it is stopped. [control thread]
  public var transportState: SequencerState { state.withLock { $0.transport } }

  /// Whether it plays and has not come to the end of the song. [control thread]
  public var isPlaying: Bool { state.withLock { $0.transport == .playing && !isOver($0) } }

  /// Begins at `position`, or goes on after `pause`; from the start if it has come to the end. Without effect if it
  /// plays. [control thread]
  ///
  /// What sounds in the destinations is faded in 256 frames where it begins; channels have then been told all that the
  /// song tells them before.
  ///
  /// - Throws: without a thread for what is not rendered by an engine.
  public func start() throws {
    try state.withLock { state in
      if state.pump == nil { state.pump = try SequencerPump(clock) { [weak self] in self?.extend() } }
      if state.transport != .stopped, isOver(state) { (state.transport, state.startBeat) = (.stopped, 0) }
      switch state.transport {
      case .playing: return
      case .paused:
        state.transport = .playing
        return change(&state)
      case .stopped: break
      }
      begin(&state, at: state.startBeat)
    }
  }

  /// Stands still: what the song holds is released, and its pedals are given back when it goes on. Without effect if it
  /// does not play. [control thread]
  public func pause() {
    state.withLock { state in
      guard state.transport == .playing else { return }
      state.transport = .paused
      change(&state)
    }
  }

  /// Ends playing: what the song holds is released, and the next start begins at beat 0, if `position` is not set.
  /// [control thread]
  public func stop() {
    state.withLock { state in
      guard state.transport != .stopped else { return state.startBeat = 0 }
      state.transport = .paused
      change(&state)
      (state.transport, state.startBeat) = (.stopped, 0)
    }
  }

  /// In beats, of what is rendered next. Setting it is a seek: while it plays, it goes on there with what channels have
  /// been told before, and what sounds is faded. Clamped to 0 to the end; NaN is ignored.
  /// [control thread]
  public var position: Double {
    get { state.withLock { beat($0) } }
    set {
      guard !newValue.isNaN else { return }
      state.withLock { state in
        let beat = newValue > 0 ? min(newValue, state.rendition.duration) : 0
        if state.rendition.isShort(at: beat) { try? render(&state, state.sequence, state.tracks, from: beat) }
        if state.transport == .playing { return begin(&state, at: beat) }
        (state.transport, state.startBeat) = (.stopped, beat)
      }
    }
  }

  /// How fast it is played: 1 is the tempo of the sequence, 0.25 to 4, to which it is clamped; NaN is ignored.
  /// [control thread]
  public var rate: Double {
    get { state.withLock { $0.rate } }
    set {
      guard !newValue.isNaN else { return }
      state.withLock { state in
        state.rate = EventInput.tempo(newValue)
        if state.transport != .stopped { change(&state) }
      }
    }
  }

  /// What is repeated; nil for nothing. Setting it begins to count passes. [control thread]
  ///
  /// At its end, what the song holds is released, and channels are told again what they were told at its start, System
  /// Exclusive messages apart. A song that is beyond the passage goes to its start at once.
  public var loop: SequencerLoop? {
    get { state.withLock { $0.loop } }
    set {
      state.withLock { state in
        state.loop = newValue
        if state.transport != .stopped { change(&state, keepsPasses: false) }
      }
    }
  }
}

// MARK: - Time

extension Sequencer {
  /// When a beat is rendered, in nanoseconds of the monotonic clock, in the present pass of a loop; it is heard later
  /// by the output's latency. Nil while it does not play, and offline. As exact as the output's calls are on time.
  /// [control thread]
  public func hostTime(forBeat beat: Double) -> UInt64? {
    state.withLock { state in
      guard let (moment, rate) = course(state), moment.sliceHostTime > 0 else { return nil }
      let frame = state.rendition.tempoMap.seconds(atBeat: beat) * clock.frameRate
      let frames = Double(moment.time &- moment.sliceTime) + (frame - moment.position) / rate
      let time = Double(moment.sliceHostTime) + frames / clock.frameRate * 1e9
      return time > 0 && time < 1e19 ? UInt64(time) : nil
    }
  }

  /// The beat that is rendered at a host time; nil where `hostTime(forBeat:)` is. [control thread]
  public func beat(forHostTime time: UInt64) -> Double? {
    state.withLock { state in
      guard let (moment, rate) = course(state), moment.sliceHostTime > 0 else { return nil }
      let elapsed = Double(Int64(truncatingIfNeeded: time &- moment.sliceHostTime)) / 1e9 * clock.frameRate
      let frames = elapsed - Double(moment.time &- moment.sliceTime)
      return state.rendition.tempoMap.beat(atSeconds: (moment.position + frames * rate) / clock.frameRate)
    }
  }

  /// When a beat is rendered, in frames of the destination that tells the time; nil while it does not play.
  /// [control thread]
  public func frame(forBeat beat: Double) -> Int64? {
    state.withLock { state in
      guard let (moment, rate) = course(state) else { return nil }
      let frame = state.rendition.tempoMap.seconds(atBeat: beat) * clock.frameRate
      return Int64(exactly: (Double(moment.time) + (frame - moment.position) / rate).rounded())
    }
  }

  /// The beat that is rendered at a frame of the destination that tells the time; nil while it does not play.
  /// [control thread]
  public func beat(forFrame frame: Int64) -> Double? {
    state.withLock { state in
      guard let (moment, rate) = course(state) else { return nil }
      let songFrame = moment.position + (Double(frame) - Double(moment.time)) * rate
      return state.rendition.tempoMap.beat(atSeconds: songFrame / clock.frameRate)
    }
  }

  /// Where it is and how fast it goes; nil while it does not play.
  private func course(_ state: State) -> (SongClock.Moment, rate: Double)? {
    guard state.transport == .playing, clock.events.pendingStart == nil else { return nil }
    return (clock.events.clock.moment, state.rate * clock.events.tempo)
  }

  /// Whether it has come to its end, or its song was taken away: the engine was stopped, or plays another.
  private func isOver(_ state: State) -> Bool {
    guard let player = state.players[ObjectIdentifier(clock)] else { return false }
    return clock.events.playbacks.present?.number != player.number || clock.events.clock.isOver(player.number)
  }

  func beat(_ state: State) -> Double {
    guard state.transport != .stopped, let player = state.players[ObjectIdentifier(clock)] else {
      return state.startBeat
    }
    let pendingStart = clock.events.pendingStart
    let frame = pendingStart.map(Double.init) ?? clock.events.clock.moment.position
    // A change that has not come about leaves the position in the timeline before it.
    let isBefore = pendingStart == nil && clock.events.playbacks.isPending
    let map = isBefore ? player.base.tempoMap : player.sent.tempoMap
    return min(map.beat(atSeconds: frame / clock.frameRate), state.rendition.duration)
  }
}
