import AudioGraph
import MIDI
import Realtime

/// The rack's render side: due events to the instruments, then one quantum of them into the buses.
struct RackKernel: ~Copyable {
  /// Whether what sounds and what controllers say is to be cleared away first.
  private var beginsAnew: Bool
  private var events: EventReader
  private let effects: EffectReceiver
  /// The node's, for it outlives kernels.
  private let stage: UnsafeMutablePointer<RackStage>
  private let news: Unmanaged<RackNews>

  init(
    _ stage: UnsafeMutablePointer<RackStage>, _ events: EventInput, _ effects: EffectControls?, _ news: RackNews,
    beginsAnew: Bool
  ) {
    self.stage = stage
    self.events = EventReader(events)
    self.effects = EffectReceiver(effects)
    self.news = .passUnretained(news)
    self.beginsAnew = beginsAnew
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: RackKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    // Swift 6.3 fails to compile `stage.pointee` of a property here under ThreadSanitizer.
    let stage = stage
    stage.pointee.adopt()
    let hasNewTimeline = events.adoptTimeline(at: context.sampleTime)
    if beginsAnew {
      stage.pointee.clear()
      effects.reset()
      beginsAnew = false
    } else if hasNewTimeline {
      stage.pointee.reset()
      effects.reset()
    }
    let end = context.sampleTime &+ Int64(renderQuantum)
    while let event = events.next(before: end) {
      if effects.receive(event) { stage.pointee.play(event, at: event.time &- context.sampleTime) }
    }
    for channel in 0..<context.outputBusCount { context.output(channel).silence() }
    let voiceCount = stage.pointee.render(context)
    let (lost, refused) = (stage.pointee.lostVoiceCount, stage.pointee.refusedTuningCount)
    news._withUnsafeGuaranteedRef {
      $0.activeVoiceCount.store(voiceCount, ordering: .relaxed)
      $0.lostVoiceCount.store(lost, ordering: .relaxed)
      $0.refusedTuningCount.store(refused, ordering: .relaxed)
    }
  }
}
