import AudioGraph
import CFluidSynth
import MIDI
import Realtime

/// The rack's render side: due events to the instruments of their channels, then one quantum of each into the buses.
struct RackKernel: ~Copyable {
  /// Whether what sounds and what controllers say is to be cleared away first.
  var beginsAnew = false
  private var events: EventReader
  private let effects: EffectReceiver
  private let synth: OpaquePointer?
  private let sampler: SamplerVoices
  private var samplerZones = SamplerZones()
  private var voices: VoiceRenderer
  private let samplerKeys: UnsafeMutablePointer<SIMD2<UInt64>>
  private let news: Unmanaged<SamplerNews>

  init(
    _ configuration: RackConfiguration, _ synth: FluidSynth?, _ events: EventInput, _ effects: EffectControls?,
    _ news: SamplerNews,
    sampleRate: Double
  ) {
    let routing = RackRouting(configuration.assignments)
    self.events = EventReader(events)
    self.effects = EffectReceiver(effects)
    self.synth = synth?.handle
    sampler = SamplerVoices()
    voices = VoiceRenderer(
      routing, polyphony: configuration.polyphony, gain: configuration.sampler.gain, sampleRate: sampleRate)
    samplerKeys = .allocate(capacity: 16)
    for channel in 0..<16 { (samplerKeys + channel).initialize(to: routing.samplerKeys[channel]) }
    self.news = .passUnretained(news)
  }

  deinit { samplerKeys.deallocate() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: RackKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    if events.adoptTimeline(at: context.sampleTime) || beginsAnew { reset(channelCount: context.outputBusCount) }
    let end = context.sampleTime &+ Int64(renderQuantum)
    while let event = events.next(before: end) { play(event, at: event.time &- context.sampleTime) }

    for channel in 0..<context.outputBusCount { context.output(channel).silence() }
    var voiceCount = voices.voiceCount
    if let synth { voiceCount &+= sampler.render(synth, context) }
    voices.render(context)
    news._withUnsafeGuaranteedRef { $0.activeVoiceCount.store(voiceCount, ordering: .relaxed) }
  }

  /// Clears away what the last song left behind, so that the next one sounds as it does on a new rack.
  @_noLocks
  private mutating func reset(channelCount: Int) {
    beginsAnew = false
    voices.allocator.reset()
    effects.reset()
    guard let synth else { return }
    sampler.reset(synth, channelCount: channelCount)
    samplerZones.follow(voices.allocator.zones, voices.allocator.channels, synth)
  }

  @_noLocks
  private mutating func play(_ event: MIDIEvent, at frame: Int64) {
    guard effects.receive(event) else { return }
    if isSystemReset(event.payload) { voices.allocator.reset() }
    // What is late is due at once.
    voices.play(event.message, frame: frame < 0 ? 0 : Int(frame))
    guard let synth else { return }
    samplerZones.follow(voices.allocator.zones, voices.allocator.channels, synth)
    guard isForSampler(event.message) else { return }
    if voices.allocator.zones.contain(event.message.channel), event.payloadCount == 0 {
      samplerZones.play(event, voices.allocator.channels, synth)
    } else {
      Instruments.play(event, on: synth)
    }
  }

  /// Notes by their key; all else reaches every instrument, so that each knows the controllers.
  @_noLocks
  private func isForSampler(_ message: MIDIMessage) -> Bool {
    switch message.kind {
    case .noteOn, .noteOff, .polyPressure:
      let keys = samplerKeys[Int(voices.allocator.zones.master(of: message.channel))]
      return (message.note < 64 ? keys.x : keys.y) & (1 &<< UInt64(message.note & 63)) != 0
    default: return true
    }
  }
}
