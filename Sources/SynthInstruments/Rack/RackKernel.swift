import AudioGraph
import SynthMIDI
import SynthRealtime

/// The rack's render side: due events to the engines, then one quantum of them into the buses.
struct RackKernel: ~Copyable {
  /// Whether what sounds and what channels were told is to be cleared first.
  private var isFresh: Bool
  private var events: EventReader
  private var effects: EffectReceiver
  /// The node's, because it outlives kernels.
  private let crossfade: UnsafeMutablePointer<RackCrossfade>
  private let reporter: Unmanaged<RackReporter>
  /// Nil while the graph renders the rack itself.
  private let ahead: UnsafeMutablePointer<UnsafeRenderAhead?>
  /// Engines were told that no event comes before that time.
  private var calmEnd: Int64 = .min

  init(
    _ crossfade: UnsafeMutablePointer<RackCrossfade>, _ events: EventInput, _ effects: EffectControls?,
    _ reporter: RackReporter, ahead: UnsafeMutablePointer<UnsafeRenderAhead?>, isFresh: Bool
  ) {
    self.crossfade = crossfade
    self.events = EventReader(events)
    self.effects = EffectReceiver(effects)
    self.reporter = .passUnretained(reporter)
    self.ahead = ahead
    self.isFresh = isFresh
  }

  static let entry: RenderFunction = { state, context in
    if let ahead = state.assumingMemoryBound(to: RackKernel.self).pointee.ahead.pointee {
      ahead.take(context.assumingMemoryBound(to: RenderContext.self).pointee, from: ownEntry, state)
    } else {
      ownEntry(state, context)
    }
  }

  private static let ownEntry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: RackKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    // Swift 6.3 fails to compile `crossfade.pointee` of a property here under ThreadSanitizer.
    let crossfade = crossfade
    crossfade.pointee.adopt()
    let end = context.sampleTime &+ Int64(renderQuantum)
    let isSongWaiting = events.adopt(at: context.sampleTime, hostTime: context.hostTime)
    // What waits begins once nothing sounds, and live events with it: the reset would end their notes.
    if isFresh || !isSongWaiting || crossfade.pointee.fallSilent() {
      if isFresh || isSongWaiting {
        crossfade.pointee.reset(isComplete: isFresh, song: isSongWaiting ? events.songNumber : 0)
        ahead.pointee?.waitForGraph()
        effects.reset()
        isFresh = false
        calmEnd = .min
        if isSongWaiting { events.begin(at: context.sampleTime) }
      }
      let notes = events.notes
      while context.sampleTime >= calmEnd,
        let event = events.next(before: end, drums: crossfade.pointee.drumChannels)
      {
        let systemExclusive = SystemExclusive(event.payload)
        if effects.mayTake(event.message) { ahead.pointee?.waitForGraph() }
        let port = crossfade.pointee.port(of: event.message)
        var delivery = crossfade.pointee.delivery(of: event.message, systemExclusive, port: port)
        while let delivered = crossfade.pointee.next(&delivery, port: port) {
          // Parts tell their channels only.
          let message = delivered.message.onGroup(UInt8(truncatingIfNeeded: port))
          guard effects.receive(message, delivered.systemExclusive) else { continue }
          crossfade.pointee.play(
            message, delivered.systemExclusive, at: event.time &- context.sampleTime,
            notes == nil ? 0 : events.eventNumber, notes)
        }
      }
      events.finish(at: end)
    }
    for channel in 0..<context.outputBusCount {
      context.output(channel).sendCorrections = nil
      if !context.output(channel).isSilent { context.output(channel).silence() }
    }
    let isAhead = ahead.pointee != nil
    let quantum = crossfade.pointee.render(
      context, events.notes, calmLength: isAhead ? calmLength(from: context.sampleTime) : 1, isAhead: isAhead)
    let refusedTuningCount = crossfade.pointee.refusedTuningCount
    reporter._withUnsafeGuaranteedRef {
      $0.activeVoiceCount.store(quantum.voiceCount, ordering: .relaxed)
      $0.lostVoiceCount.wrappingAdd(quantum.lostVoiceCount, ordering: .relaxed)
      $0.stolenVoiceCount.wrappingAdd(quantum.stolenVoiceCount, ordering: .relaxed)
      $0.refusedTuningCount.store(refusedTuningCount, ordering: .relaxed)
    }
  }

  /// How many quanta, from the one that begins at a time on, are rendered before an event is played.
  ///
  /// Events that are sent meanwhile wait for their end. This is for rendering ahead, which is farther ahead than that.
  @_noLocks
  private mutating func calmLength(from time: Int64) -> Int {
    let quantum = Int64(renderQuantum)
    if time >= calmEnd {
      let longest = Int64(EngineQuantum.longestCalm) &* quantum
      let due = min(max(events.earliestDue, time &+ quantum), time &+ longest)
      calmEnd = time &+ (due &- time) / quantum &* quantum
    }
    return Int(truncatingIfNeeded: (calmEnd &- time) / quantum)
  }
}
