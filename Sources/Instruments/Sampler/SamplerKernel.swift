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
  /// Follows the channels, and has no voices.
  private var allocator = VoiceAllocator(polyphony: 1, parts: [])
  private var tuning: SamplerTuning
  private let news: Unmanaged<SamplerNews>

  init(_ synth: FluidSynth, polyphony: Int, _ events: EventInput, _ effects: EffectControls?, _ news: SamplerNews) {
    self.synth = synth.handle
    tuning = SamplerTuning(polyphony: polyphony)
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
      allocator.reset()
      voices.reset(synth, channelCount: context.outputBusCount)
    }
    let end = context.sampleTime &+ Int64(renderQuantum)
    while let event = events.next(before: end) {
      play(event)
      effects.receive(event)
    }

    // FluidSynth adds to what is in the buffers, so they are zeroed in any case.
    for channel in 0..<context.outputBusCount { context.output(channel).silence() }
    let voiceCount = voices.render(synth, context)
    news._withUnsafeGuaranteedRef { $0.activeVoiceCount.store(voiceCount, ordering: .relaxed) }
  }
  @_noLocks
  private mutating func play(_ event: MIDIEvent) {
    if isSystemReset(event.payload) { allocator.reset() }
    allocator.play(event.message)
    let tuned = allocator.tune(event.payload)
    if !allocator.selectsTuning(event.message) { Instruments.play(event, on: synth) }
    tuning.follow(event.message, tuned, allocator, synth)
  }
}
