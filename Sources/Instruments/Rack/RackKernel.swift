import AudioGraph
import CFluidSynth
import MIDI
import Realtime

/// The rack's render side: due events to the instruments of their channels, then one quantum of each into the buses.
struct RackKernel: ~Copyable {
  private var events: EventReader
  private let synth: OpaquePointer?
  private let sampler: SamplerVoices
  private var samplerZones = SamplerZones()
  private var voices: VoiceRenderer
  private let samplerKeys: UnsafeMutablePointer<SIMD2<UInt64>>
  private let news: Unmanaged<SamplerNews>

  init(
    _ configuration: RackConfiguration, _ synth: FluidSynth?, _ events: EventInput, _ news: SamplerNews,
    sampleRate: Double
  ) {
    let routing = RackRouting(configuration.assignments)
    self.events = EventReader(events)
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
    if events.adoptTimeline(at: context.sampleTime) {
      voices.allocator.reset()
      if let synth {
        sampler.reset(synth, channelCount: context.outputBusCount)
        samplerZones.follow(voices.allocator.zones, voices.allocator.channels, synth)
      }
    }
    let end = context.sampleTime &+ Int64(renderQuantum)
    while let event = events.next(before: end) { play(event, at: event.time &- context.sampleTime) }

    for channel in 0..<context.outputBusCount { context.output(channel).silence() }
    var voiceCount = voices.voiceCount
    if let synth { voiceCount &+= sampler.render(synth, context) }
    voices.render(context)
    news._withUnsafeGuaranteedRef { $0.activeVoiceCount.store(voiceCount, ordering: .relaxed) }
  }

  @_noLocks
  private mutating func play(_ event: MIDIEvent, at frame: Int64) {
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
