import AudioGraph
import CFluidSynth
import MIDI
import Realtime

/// The sampler's render side: due events, then one quantum of FluidSynth into the channel buses.
struct SamplerKernel: ~Copyable {
  private let synth: OpaquePointer
  private var events: EventReader
  private let effects: EffectReceiver
  private let news: Unmanaged<SamplerNews>
  /// FluidSynth's list of outputs: left and right of each channel.
  private let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>

  init(_ synth: FluidSynth, _ events: EventInput, _ effects: EffectControls?, _ news: SamplerNews) {
    self.synth = synth.handle
    self.events = EventReader(events)
    self.effects = EffectReceiver(effects)
    self.news = .passUnretained(news)
    outputs = .allocate(capacity: 2 * SamplerNode.channelCount)
    outputs.initialize(repeating: nil, count: 2 * SamplerNode.channelCount)
  }

  deinit { outputs.deallocate() }

  static let entry: RenderFunction = { state, context in
    state.assumingMemoryBound(to: SamplerKernel.self).pointee
      .render(context.assumingMemoryBound(to: RenderContext.self).pointee)
  }

  @_noLocks
  mutating func render(_ context: RenderContext) {
    if events.adoptTimeline(at: context.sampleTime) { reset(channelCount: context.outputBusCount) }
    let end = context.sampleTime &+ Int64(renderQuantum)
    while let event = events.next(before: end) {
      play(event, on: synth)
      effects.receive(event)
    }

    let voiceCount = Int(fluid_synth_get_active_voice_count(synth))
    news._withUnsafeGuaranteedRef { $0.activeVoiceCount.store(voiceCount, ordering: .relaxed) }
    // FluidSynth adds to what is in the buffers, so they are zeroed in any case.
    for channel in 0..<context.outputBusCount { context.output(channel).silence() }
    if voiceCount > 0 { renderVoices(context) }
  }

  /// Clears away what the last song left behind, so that the next one sounds as it does on a new synth.
  @_noLocks
  private func reset(channelCount: Int) {
    effects.reset()
    fluid_synth_system_reset(synth)
    // The reset leaves voices sounding, and starts those anew that were turned off just before it.
    for channel in 0..<channelCount { fluid_synth_all_sounds_off(synth, Int32(channel)) }
  }

  @_noLocks
  private func renderVoices(_ context: RenderContext) {
    for channel in 0..<context.outputBusCount {
      outputs[2 &* channel] = context.output(channel)[0]
      outputs[2 &* channel &+ 1] = context.output(channel)[1]
    }
    fluid_synth_process(synth, Int32(renderQuantum), 0, nil, Int32(2 &* context.outputBusCount), outputs)
    for channel in 0..<context.outputBusCount {
      let bus = context.output(channel)
      bus.isSilent = isSilent(bus[0], count: 2 &* renderQuantum)
    }
  }
}

/// Whether all samples are zero. FluidSynth does not say which channels sound.
@_noLocks
private func isSilent(_ samples: UnsafeMutablePointer<Float>, count: Int) -> Bool {
  let vectors = UnsafeRawPointer(samples)
  let half = MemoryLayout<SIMD8<UInt32>>.stride
  for offset in stride(from: 0, to: count &* MemoryLayout<Float>.stride, by: 2 &* half) {
    let bits =
      vectors.load(fromByteOffset: offset, as: SIMD8<UInt32>.self)
      | vectors.load(fromByteOffset: offset &+ half, as: SIMD8<UInt32>.self)
    let folded = unsafeBitCast(bits.lowHalf | bits.highHalf, to: SIMD2<UInt64>.self)
    // All bits but the sign: -0 is silence too.
    if (folded.x | folded.y) & 0x7FFF_FFFF_7FFF_FFFF != 0 { return false }
  }
  return true
}
