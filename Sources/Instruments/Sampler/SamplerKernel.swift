import AudioGraph
import MIDI
import Realtime

/// The sampler's render side: due events, then one quantum of FluidSynth into the channel buses.
struct SamplerKernel: ~Copyable {
  /// Whether what sounds and what controllers say is to be cleared away first.
  var beginsAnew = false
  private let synth: OpaquePointer
  private var events: EventReader
  private let effects: EffectReceiver
  private let voices = SamplerVoices()
  private let news: Unmanaged<SamplerNews>

  init(_ synth: FluidSynth, _ events: EventInput, _ effects: EffectControls?, _ news: SamplerNews) {
    self.synth = synth.handle
    self.events = EventReader(events)
    self.effects = EffectReceiver(effects)
    self.news = .passUnretained(news)
  }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: SamplerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    if events.adoptTimeline(at: context.sampleTime) || beginsAnew {
      beginsAnew = false
      effects.reset()
      voices.reset(synth, channelCount: context.outputBusCount)
    }
    let end = context.sampleTime &+ Int64(renderQuantum)
    while let event = events.next(before: end) {
      if effects.receive(event) { play(event, on: synth) }
    }

    // FluidSynth adds to what is in the buffers, so they are zeroed in any case.
    for channel in 0..<context.outputBusCount { context.output(channel).silence() }
    let voiceCount = voices.render(synth, context)
    news._withUnsafeGuaranteedRef { $0.activeVoiceCount.store(voiceCount, ordering: .relaxed) }
  }
}
